package io.warren.mirroring.raft;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key pair that follows from a cluster's secret, and a certificate for it.
 *
 * <p>Ratis lets no credentials be added to what one server calls at another, but it lets both ends of every connection be TLS. So
 * the secret becomes a private key: whoever knows the secret has the key, proves that in the handshake, and accepts nobody who
 * does not. Neither the secret nor the key is ever sent.
 *
 * <p>The public key is on the wire for whoever connects, so a weak secret could be guessed from it. Each guess costs
 * {@value #ITERATIONS} rounds of a hash; a secret drawn at random, from 16 bytes on, cannot be.
 */
final class ClusterKey {
    /** Shortest secret, in bytes: what can be drawn at random and never guessed. */
    static final int SECRET_BYTES_MIN = 16;

    /** About 50 ms on today's machines, once a start. */
    private static final int ITERATIONS = 100_000;

    private static final int HASH_BYTES = 32;
    private static final String SALT = "warren metadata log, version 1";

    private final PrivateKey privateKey;
    private final X509Certificate certificate;

    private ClusterKey(PrivateKey privateKey, X509Certificate certificate) {
        this.privateKey = privateKey;
        this.certificate = certificate;
    }

    /**
     * The key of a cluster.
     *
     * @param secret at least {@value #SECRET_BYTES_MIN} bytes
     */
    static ClusterKey of(byte[] secret) {
        if (secret.length < SECRET_BYTES_MIN) {
            throw new IllegalArgumentException("the cluster's secret has bytes=" + secret.length + ", at least "
                    + SECRET_BYTES_MIN + " are needed");
        }
        try {
            BigInteger order = P256.spec().getOrder();
            // Twice the bits of the order: what the remainder prefers is not noticeable.
            BigInteger drawn = new BigInteger(1, twice(stretched(secret)));
            BigInteger scalar = drawn.mod(order.subtract(BigInteger.ONE)).add(BigInteger.ONE);
            ECPoint point = P256.timesGenerator(scalar);
            KeyFactory keys = KeyFactory.getInstance("EC");
            PrivateKey privateKey = keys.generatePrivate(new ECPrivateKeySpec(scalar, P256.spec()));
            PublicKey publicKey = keys.generatePublic(new ECPublicKeySpec(point, P256.spec()));
            return new ClusterKey(privateKey, certificate(privateKey, publicKey));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("this Java runtime cannot make the cluster's key", missing);
        }
    }

    PrivateKey privateKey() {
        return privateKey;
    }

    X509Certificate certificate() {
        return certificate;
    }

    /** Whether a certificate is for this key. Its signature does not matter: the handshake has proven who holds the key. */
    boolean isFor(X509Certificate other) {
        return Arrays.equals(
                certificate.getPublicKey().getEncoded(), other.getPublicKey().getEncoded());
    }

    /** As many bytes as one hash has: for each further one all rounds would be gone through again. */
    private static byte[] stretched(byte[] secret) throws GeneralSecurityException {
        char[] hex = HexFormat.of().formatHex(secret).toCharArray();
        PBEKeySpec spec =
                new PBEKeySpec(hex, SALT.getBytes(StandardCharsets.US_ASCII), ITERATIONS, Byte.SIZE * HASH_BYTES);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
        } finally {
            spec.clearPassword();
            Arrays.fill(hex, ' ');
        }
    }

    private static byte[] twice(byte[] seed) throws GeneralSecurityException {
        Mac hash = Mac.getInstance("HmacSHA256");
        hash.init(new SecretKeySpec(seed, "HmacSHA256"));
        byte[] drawn = Arrays.copyOf(hash.doFinal(new byte[] {1}), 2 * HASH_BYTES);
        System.arraycopy(hash.doFinal(new byte[] {2}), 0, drawn, HASH_BYTES, HASH_BYTES);
        return drawn;
    }

    /** The JDK has no public way to make a certificate; the simplest one is a handful of bytes. */
    private static X509Certificate certificate(PrivateKey privateKey, PublicKey publicKey)
            throws GeneralSecurityException {
        byte[] algorithm = der(0x30, HexFormat.of().parseHex("06082a8648ce3d040302"));
        byte[] commonName = der(0x30, HexFormat.of().parseHex("0603550403"), der(0x0c, ascii("warren cluster")));
        byte[] name = der(0x30, der(0x31, commonName));
        byte[] validity = der(0x30, der(0x17, ascii("700101000000Z")), der(0x18, ascii("99991231235959Z")));
        byte[] content = der(0x30, der(0x02, new byte[] {1}), algorithm, name, validity, name, publicKey.getEncoded());
        Signature signer = Signature.getInstance("SHA256withECDSA");
        signer.initSign(privateKey);
        signer.update(content);
        byte[] whole = der(0x30, content, algorithm, der(0x03, new byte[1], signer.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** A tag, the length, and the parts one after the other; no longer than 64 KiB. */
    private static byte[] der(int tag, byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(tag);
        if (length >= 0x100) {
            bytes.write(0x82);
            bytes.write(length >>> 8);
        } else if (length >= 0x80) {
            bytes.write(0x81);
        }
        bytes.write(length);
        for (byte[] part : parts) {
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }
}
