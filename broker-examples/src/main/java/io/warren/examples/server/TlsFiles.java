package io.warren.examples.server;

import io.warren.amqp.server.TlsSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What the ssl_options of a file say, while it is read. */
final class TlsFiles {

    @Nullable Path certificate;

    @Nullable Path key;

    @Nullable String keyPassword;

    @Nullable Path trusted;

    boolean verifies;
    boolean requires;

    void verify(String mode) {
        switch (mode) {
            case "verify_peer" -> verifies = true;
            case "verify_none" -> verifies = false;
            default -> throw new IllegalArgumentException("neither verify_peer nor verify_none");
        }
    }

    /**
     * All of it together.
     *
     * @throws IllegalArgumentException if something is missing
     */
    TlsSettings settings() {
        Path certificateFile = certificate;
        Path keyFile = key;
        if (certificateFile == null || keyFile == null) {
            throw new IllegalArgumentException(
                    "listeners.ssl needs ssl_options.certfile and ssl_options.keyfile (PEM, PKCS#8)");
        }
        TlsSettings settings = TlsSettings.pem(certificateFile, keyFile, keyPassword);
        Path trustedFile = trusted;
        if (trustedFile != null) {
            settings = settings.trustPem(trustedFile);
        }
        if (!verifies) {
            return settings;
        }
        return requires ? settings.requireClientCertificate() : settings.requestClientCertificate();
    }
}
