package io.warren.core.metadata;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/**
 * A password as RabbitMQ keeps it: four bytes of salt, then the digest of salt and password, in Base64.
 *
 * @param algorithm the digest
 * @param base64 the whole
 */
public record PasswordHash(Algorithm algorithm, String base64) {

    private static final int SALT_BYTES = 4;

    /** RabbitMQ's three. New hashes are SHA-256; the others come with definitions from elsewhere. */
    public enum Algorithm {
        /** RabbitMQ's until 3.6. */
        MD5("rabbit_password_hashing_md5", "MD5", 16),
        /** RabbitMQ's since. */
        SHA256("rabbit_password_hashing_sha256", "SHA-256", 32),
        /** For who asks RabbitMQ for it. */
        SHA512("rabbit_password_hashing_sha512", "SHA-512", 64);

        private final String algorithmName;
        private final String digestName;
        private final int digestBytes;

        Algorithm(String algorithmName, String digestName, int digestBytes) {
            this.algorithmName = algorithmName;
            this.digestName = digestName;
            this.digestBytes = digestBytes;
        }

        /** As RabbitMQ's definitions name it. */
        public String algorithmName() {
            return algorithmName;
        }

        /**
         * The algorithm of that name.
         *
         * @throws IllegalArgumentException if there is none
         */
        public static Algorithm named(String algorithmName) {
            for (Algorithm algorithm : values()) {
                if (algorithm.algorithmName.equals(algorithmName)) {
                    return algorithm;
                }
            }
            throw new IllegalArgumentException("unknown hashing algorithm '" + algorithmName + "'");
        }

        private MessageDigest digest() {
            try {
                return MessageDigest.getInstance(digestName);
            } catch (NoSuchAlgorithmException e) {
                // Every Java platform is required to have MD5 and SHA-256, and every JDK has SHA-512.
                throw new IllegalStateException(e);
            }
        }
    }

    /**
     * Checks that it is one.
     *
     * @throws IllegalArgumentException if it is not the Base64 of so many bytes
     */
    public PasswordHash {
        int bytes = Base64.getDecoder().decode(base64).length;
        if (bytes != SALT_BYTES + algorithm.digestBytes) {
            throw new IllegalArgumentException("a hash of " + bytes + " bytes is none of " + algorithm);
        }
    }

    /** A hash with SHA-256. */
    public PasswordHash(String base64) {
        this(Algorithm.SHA256, base64);
    }

    /**
     * Hashes a password with SHA-256.
     *
     * @param salt any number; taken at random by whoever creates the user
     */
    public static PasswordHash of(String password, int salt) {
        byte[] saltBytes = {(byte) (salt >>> 24), (byte) (salt >>> 16), (byte) (salt >>> 8), (byte) salt};
        byte[] whole = salted(Algorithm.SHA256, saltBytes, password);
        return new PasswordHash(Base64.getEncoder().encodeToString(whole));
    }

    /** Whether this is the hash of that password; takes as long for a wrong one. */
    public boolean matches(String password) {
        byte[] whole = Base64.getDecoder().decode(base64);
        return MessageDigest.isEqual(whole, salted(algorithm, Arrays.copyOf(whole, SALT_BYTES), password));
    }

    private static byte[] salted(Algorithm algorithm, byte[] salt, String password) {
        MessageDigest digest = algorithm.digest();
        digest.update(salt);
        byte[] hash = digest.digest(password.getBytes(StandardCharsets.UTF_8));
        byte[] whole = Arrays.copyOf(salt, SALT_BYTES + hash.length);
        System.arraycopy(hash, 0, whole, SALT_BYTES, hash.length);
        return whole;
    }

    /** Not the hash: this shows up in logs. */
    @Override
    public String toString() {
        return "PasswordHash[" + algorithm + "]";
    }
}
