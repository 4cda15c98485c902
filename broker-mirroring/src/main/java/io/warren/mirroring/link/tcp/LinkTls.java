package io.warren.mirroring.link.tcp;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Mutual TLS between nodes: both ends show a certificate that the cluster's own authority has signed. TLS 1.3, by the JDK.
 *
 * <p>Names in certificates are not compared with addresses: a node is whoever the authority has signed, knows the cluster's secret, and
 * gives its name in the hello.
 *
 * @param certificateChain PEM: this node's certificate and those between it and the authority
 * @param privateKey PEM, PKCS#8, not encrypted
 * @param authority PEM: certificates whose signature is trusted; not the machine's usual ones
 */
public record LinkTls(Path certificateChain, Path privateKey, Path authority) {
    private static final String PROTOCOL = "TLSv1.3";

    /** Makes a context builder of the files. */
    private interface Start {
        SslContextBuilder begin(InputStream chain, InputStream key);
    }

    SslContext server() {
        return context((chain, key) -> SslContextBuilder.forServer(chain, key).clientAuth(ClientAuth.REQUIRE));
    }

    SslContext client() {
        return context((chain, key) ->
                SslContextBuilder.forClient().keyManager(chain, key).endpointIdentificationAlgorithm(null));
    }

    private SslContext context(Start start) {
        try (InputStream chain = Files.newInputStream(certificateChain);
                InputStream key = Files.newInputStream(privateKey);
                InputStream trusted = Files.newInputStream(authority)) {
            return start.begin(chain, key)
                    .trustManager(trusted)
                    .sslProvider(SslProvider.JDK)
                    .protocols(PROTOCOL)
                    .build();
        } catch (IOException | IllegalArgumentException unusable) {
            throw new IllegalArgumentException("TLS between nodes cannot be set up: " + unusable, unusable);
        }
    }
}
