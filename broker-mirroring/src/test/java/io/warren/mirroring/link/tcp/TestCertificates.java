package io.warren.mirroring.link.tcp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

/** A self-signed certificate and its key as PEM files, made by the JDK's keytool into a folder. */
record TestCertificates(Path certificate, Path key) {
    private static final String PASSWORD = "changeit";
    private static final Base64.Encoder PEM = Base64.getMimeEncoder(64, new byte[] {'\n'});

    static TestCertificates create(Path folder, String name) throws Exception {
        Path store = folder.resolve(name + ".p12");
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
                        "CN=" + name,
                        "-keyalg",
                        "EC",
                        "-validity",
                        "3650",
                        "-keystore",
                        store.toString(),
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
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return new TestCertificates(
                pem(
                        folder,
                        name + ".crt",
                        "CERTIFICATE",
                        keys.getCertificate(name).getEncoded()),
                pem(
                        folder,
                        name + ".key",
                        "PRIVATE KEY",
                        keys.getKey(name, PASSWORD.toCharArray()).getEncoded()));
    }

    private static Path pem(Path folder, String file, String type, byte[] bytes) throws IOException {
        return Files.writeString(
                folder.resolve(file),
                "-----BEGIN " + type + "-----\n" + PEM.encodeToString(bytes) + "\n-----END " + type + "-----\n");
    }

    LinkTls trusting(TestCertificates other) {
        return new LinkTls(certificate, key, other.certificate);
    }
}
