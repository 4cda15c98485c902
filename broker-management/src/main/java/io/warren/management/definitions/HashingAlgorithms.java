package io.warren.management.definitions;

import io.warren.core.metadata.PasswordHash.Algorithm;
import java.util.Base64;
import java.util.Map;

/** RabbitMQ's names of digests. */
final class HashingAlgorithms {

    private static final Map<String, Algorithm> BY_NAME = Map.of(
            "rabbit_password_hashing_md5", Algorithm.MD5,
            "rabbit_password_hashing_sha256", Algorithm.SHA256,
            "rabbit_password_hashing_sha512", Algorithm.SHA512);

    private static final String FIELD = "hashing_algorithm";

    /** Four bytes of salt and a digest of 128 bits: how RabbitMQ hashed before it said how. */
    private static final int MD5_BYTES = 20;

    private HashingAlgorithms() {}

    /** The digest a user's hash was made with; old files do not say it, but only MD5 is so short. */
    static Algorithm of(JsonObject user, String hash) {
        if (!user.has(FIELD)) {
            return Base64.getDecoder().decode(hash).length == MD5_BYTES ? Algorithm.MD5 : Algorithm.SHA256;
        }
        Algorithm algorithm = BY_NAME.get(user.text(FIELD));
        if (algorithm == null) {
            throw new IllegalArgumentException("unknown " + FIELD + " '" + user.text(FIELD) + "'");
        }
        return algorithm;
    }

    static String nameOf(Algorithm algorithm) {
        return switch (algorithm) {
            case MD5 -> "rabbit_password_hashing_md5";
            case SHA256 -> "rabbit_password_hashing_sha256";
            case SHA512 -> "rabbit_password_hashing_sha512";
        };
    }
}
