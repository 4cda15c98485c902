package io.warren.amqp.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Self-signed certificates with their keys, made by the JDK's keytool into a folder. */
record Certificates(Path folder, String name) {

    static final String PASSWORD = "changeit";

    private static final Base64.Encoder PEM = Base64.getMimeEncoder(64, new byte[] {'\n'});

    static Certificates create(Path folder, String name, String subject) throws Exception {
        Certificates created = new Certificates(folder, name);
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        // It makes one key: nothing of it is worth a second look of the compiler.
                        "-J-XX:TieredStopAtLevel=1",
                        "-J-XX:+UseSerialGC",
                        "-genkeypair",
                        "-alias",
                        name,
                        "-dname",
                        subject,
                        "-ext",
                        "SAN=ip:127.0.0.1,dns:localhost",
                        "-keyalg",
                        "EC",
                        "-validity",
                        "3650",
                        "-keystore",
                        created.pkcs12().toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool failed");
        }
        created.writePem();
        return created;
    }

    Path pkcs12() {
        return folder.resolve(name + ".p12");
    }

    Path certificate() {
        return folder.resolve(name + ".crt.pem");
    }

    Path key() {
        return folder.resolve(name + ".key.pem");
    }

    private KeyStore store() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(pkcs12())) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private void writePem() throws IOException, GeneralSecurityException {
        pem(certificate(), "CERTIFICATE", store().getCertificate(name).getEncoded());
        pem(key(), "PRIVATE KEY", store().getKey(name, PASSWORD.toCharArray()).getEncoded());
    }

    private static void pem(Path file, String type, byte[] bytes) throws IOException {
        Files.writeString(
                file, "-----BEGIN " + type + "-----\n" + PEM.encodeToString(bytes) + "\n-----END " + type + "-----\n");
    }

    /** What a client with this certificate speaks to a server with another. */
    SSLContext clientTo(Certificates server) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store(), PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), server.trust().getTrustManagers(), new SecureRandom());
        return context;
    }

    /** What a client without a certificate speaks to a server with this one. */
    SSLContext clientWithoutCertificate() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust().getTrustManagers(), new SecureRandom());
        return context;
    }

    private TrustManagerFactory trust() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(name, store().getCertificate(name));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        return trust;
    }
}
