package io.warren.amqp.server;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * How a listener speaks TLS: its certificate, and what it asks of clients. Immutable.
 *
 * <p>Files are read when the server starts. The JDK's TLS is used: 1.3 and 1.2, unless others are asked for.
 */
public final class TlsSettings {

    private static final String PKCS12 = "PKCS12";

    /** Sets one part of a context up from files. */
    private interface Part {
        void apply(SslContextBuilder context) throws IOException, GeneralSecurityException;
    }

    /** Makes a context of files. */
    private interface Start {
        SslContextBuilder begin() throws IOException, GeneralSecurityException;
    }

    private final Start start;
    private final Part trust;
    private final ClientAuth clientAuth;
    private final String[] protocols;

    private TlsSettings(Start start, Part trust, ClientAuth clientAuth, String... protocols) {
        this.start = start;
        this.trust = trust;
        this.clientAuth = clientAuth;
        this.protocols = protocols;
    }

    private static TlsSettings of(Start start) {
        return new TlsSettings(start, context -> {}, ClientAuth.NONE, "TLSv1.3", "TLSv1.2");
    }

    /** A certificate, with those between it and its root, and its private key (PKCS#8) as PEM files. */
    public static TlsSettings pem(Path certificateChain, Path privateKey) {
        return pem(certificateChain, privateKey, null);
    }

    /** As {@link #pem(Path, Path)} with an encrypted key. */
    public static TlsSettings pem(Path certificateChain, Path privateKey, @Nullable String keyPassword) {
        return of(() -> {
            try (InputStream chain = Files.newInputStream(certificateChain);
                    InputStream key = Files.newInputStream(privateKey)) {
                return SslContextBuilder.forServer(chain, key, keyPassword);
            }
        });
    }

    /** Certificate and key in a PKCS#12 file. */
    public static TlsSettings pkcs12(Path keyStore, String password) {
        return of(() -> {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(load(keyStore, password), password.toCharArray());
            return SslContextBuilder.forServer(keys);
        });
    }

    /** Trusts clients whose certificates these have signed, PEM. */
    public TlsSettings trustPem(Path certificates) {
        return trust(context -> {
            try (InputStream trusted = Files.newInputStream(certificates)) {
                context.trustManager(trusted);
            }
        });
    }

    /** Trusts clients whose certificates those in a PKCS#12 file have signed. */
    public TlsSettings trustPkcs12(Path trustStore, String password) {
        return trust(context -> {
            TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(load(trustStore, password));
            context.trustManager(trusted);
        });
    }

    private TlsSettings trust(Part newTrust) {
        return new TlsSettings(start, newTrust, clientAuth, protocols);
    }

    private static KeyStore load(Path file, String password) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(PKCS12);
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, password.toCharArray());
        }
        return store;
    }

    /** Asks clients for a certificate, and lets in those without. One that is not trusted is refused. */
    public TlsSettings requestClientCertificate() {
        return new TlsSettings(start, trust, ClientAuth.OPTIONAL, protocols);
    }

    /** Refuses clients without a trusted certificate. */
    public TlsSettings requireClientCertificate() {
        return new TlsSettings(start, trust, ClientAuth.REQUIRE, protocols);
    }

    /** Speaks these versions only, such as {@code TLSv1.3}. */
    public TlsSettings protocols(String... versions) {
        return new TlsSettings(start, trust, clientAuth, versions.clone());
    }

    /**
     * Reads the files.
     *
     * @throws IllegalArgumentException if one cannot be read, or is not what it should be
     */
    SslContext context() {
        try {
            SslContextBuilder context = start.begin();
            trust.apply(context);
            return context.sslProvider(SslProvider.JDK)
                    .clientAuth(clientAuth)
                    .protocols(protocols)
                    .build();
        } catch (IOException | GeneralSecurityException | IllegalArgumentException unusable) {
            throw new IllegalArgumentException("TLS cannot be set up: " + unusable, unusable);
        }
    }
}
