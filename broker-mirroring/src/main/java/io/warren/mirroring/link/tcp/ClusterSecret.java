package io.warren.mirroring.link.tcp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What all nodes of a cluster know and nobody else. It never travels: each end of a link proves that it knows it, by HMAC-SHA256 over
 * what both have said.
 *
 * <p>Without TLS somebody who listens in may try guesses against such a proof, so a secret has to be long and random.
 */
public final class ClusterSecret {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int BYTES_MIN = 16;

    private final SecretKeySpec key;

    private ClusterSecret(byte[] secret) {
        if (secret.length < BYTES_MIN) {
            throw new IllegalArgumentException(
                    "a cluster secret of " + secret.length + " bytes is shorter than " + BYTES_MIN);
        }
        key = new SecretKeySpec(secret, ALGORITHM);
    }

    /** A secret of at least 16 bytes. */
    public static ClusterSecret of(String secret) {
        return new ClusterSecret(secret.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The secret in a file, spaces and line ends around it left out.
     *
     * @throws IllegalArgumentException if the file cannot be read or the secret is shorter than 16 bytes
     */
    public static ClusterSecret read(Path file) {
        try {
            return of(Files.readString(file).strip());
        } catch (IOException | IllegalArgumentException unusable) {
            throw new IllegalArgumentException(file + " holds no cluster secret: " + unusable.getMessage(), unusable);
        }
    }

    /** HMAC-SHA256 of the parts, each behind its length, so that no two sequences of parts are taken for one another. */
    byte[] proof(byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            for (byte[] part : parts) {
                mac.update(new byte[] {(byte) (part.length >> 8), (byte) part.length});
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, impossible);
        }
    }

    /** Compares in a time that does not depend on where they differ. */
    static boolean isSame(byte[] one, byte[] other) {
        return MessageDigest.isEqual(one, other);
    }

    @Override
    public String toString() {
        return "a cluster secret";
    }
}
