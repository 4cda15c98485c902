package io.warren.mirroring.raft;

import io.warren.core.spi.Ticker;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.ratis.thirdparty.io.grpc.netty.GrpcSslContexts;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.ClientAuth;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContextBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** TLS in which both ends have to hold the cluster's key. */
final class ClusterTls {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterTls.class);
    /** A node with a wrong secret tries about once a second; its line is not repeated more often than this. */
    private static final long LOG_EVERY_NS = TimeUnit.SECONDS.toNanos(10);

    private static final String PROTOCOL = "TLSv1.3";

    private final String node;
    private final ClusterKey key;
    private final Ticker ticker;
    private final AtomicLong quietUntilNs;
    private final AtomicLong cutsQuietUntilNs;

    ClusterTls(String node, ClusterKey key, Ticker ticker) {
        this.node = node;
        this.key = key;
        this.ticker = ticker;
        quietUntilNs = new AtomicLong(ticker.nowNs());
        cutsQuietUntilNs = new AtomicLong(ticker.nowNs());
    }

    /** The accepting end. */
    SslContext accepting() {
        return build(
                SslContextBuilder.forServer(key.privateKey(), key.certificate()).clientAuth(ClientAuth.REQUIRE));
    }

    /** The connecting end. */
    SslContext connecting() {
        return build(SslContextBuilder.forClient().keyManager(key.privateKey(), key.certificate()));
    }

    private SslContext build(SslContextBuilder builder) {
        builder.trustManager(new HoldersOfTheKey()).protocols(PROTOCOL);
        try {
            return GrpcSslContexts.configure(builder, SslProvider.JDK).build();
        } catch (SSLException missing) {
            throw new IllegalStateException("this Java runtime cannot speak " + PROTOCOL, missing);
        }
    }

    /** A connection was cut off that has not got as far as to prove anything. */
    void onCut(String who, Throwable why) {
        if (isLoud(cutsQuietUntilNs)) {
            LOG.warn("{}: metadata log: cut off a connection from {}: {}", node, who, why.toString());
        }
    }

    private boolean isLoud(AtomicLong quiet) {
        long nowNs = ticker.nowNs();
        long untilNs = quiet.get();
        return nowNs - untilNs >= 0 && quiet.compareAndSet(untilNs, nowNs + LOG_EVERY_NS);
    }

    /** Trusts the one key, whatever the name and the address: the key is what makes a node a member of the cluster. */
    private final class HoldersOfTheKey extends X509ExtendedTrustManager {
        private void check(X509Certificate[] chain, String who) throws CertificateException {
            if (chain.length == 0 || !key.isFor(chain[0])) {
                tell(who);
                throw new CertificateException(who + " does not know the cluster's secret");
            }
        }

        private void tell(String who) {
            if (isLoud(quietUntilNs)) {
                LOG.warn("{}: metadata log: refused {}: it does not know this cluster's secret", node, who);
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            check(chain, "a connection");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            check(chain, "the node at " + engine.getPeerHost() + ":" + engine.getPeerPort());
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            check(chain, "a connection");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            check(chain, "the node at " + socket.getRemoteSocketAddress());
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            check(chain, "a connection");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            check(chain, "a node");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
