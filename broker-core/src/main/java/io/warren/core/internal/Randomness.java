package io.warren.core.internal;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What must not be guessed or collide: generated names and salts. From the broker's seed if it has one. Thread-safe.
 *
 * <p>The secure generator is made when it is first asked: looking through the JDK's security providers is a good part of a
 * cold start, and many brokers never generate a name.
 */
final class Randomness {

    private static final int NAME_BYTES = 16;

    private @Nullable RandomGenerator generator;

    Randomness(@Nullable Long seed) {
        generator = seed == null ? null : new SplittableRandom(seed);
    }

    private RandomGenerator generator() {
        RandomGenerator made = generator;
        if (made == null) {
            made = new SecureRandom();
            generator = made;
        }
        return made;
    }

    /** A name nobody else has: the prefix and 16 random bytes in URL-safe Base64, as RabbitMQ makes them. */
    synchronized String name(String prefix) {
        byte[] bytes = new byte[NAME_BYTES];
        generator().nextBytes(bytes);
        return prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** A random number for a password's salt. */
    synchronized int salt() {
        return generator().nextInt();
    }
}
