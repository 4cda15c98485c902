package io.warren.core.metadata;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * A password as RabbitMQ keeps it (rabbit_password_hashing_sha256): four bytes of salt, then the SHA-256 of salt and
 * password, in Base64.
 *
 * @param base64 the whole
 */
public record PasswordHash(String base64) {

    private static final int SALT_BYTES = 4;

    /**
     * Hashes a password.
     *
     * @param salt any number; taken at random by whoever creates the user
     */
    public static PasswordHash of(String password, int salt) {
        byte[] saltBytes = {(byte) (salt >>> 24), (byte) (salt >>> 16), (byte) (salt >>> 8), (byte) salt};
        return new PasswordHash(Base64.getEncoder().encodeToString(salted(saltBytes, password)));
    }

    /** Whether this is the hash of that password; takes as long for a wrong one. */
    public boolean matches(String password) {
        byte[] whole = Base64.getDecoder().decode(base64);
        byte[] salt = java.util.Arrays.copyOf(whole, SALT_BYTES);
        return MessageDigest.isEqual(whole, salted(salt, password));
    }

    private static byte[] salted(byte[] salt, String password) {
        MessageDigest digest = sha256();
        digest.update(salt);
        byte[] hash = digest.digest(password.getBytes(StandardCharsets.UTF_8));
        byte[] whole = java.util.Arrays.copyOf(salt, SALT_BYTES + hash.length);
        System.arraycopy(hash, 0, whole, SALT_BYTES, hash.length);
        return whole;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            // Every Java platform is required to have it.
            throw new IllegalStateException(e);
        }
    }
}
