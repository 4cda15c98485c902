package io.warren.mirroring.raft;

import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.netty.channel.Channel;
import org.apache.ratis.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.ratis.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.ratis.thirdparty.io.netty.channel.socket.nio.NioServerSocketChannel;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslHandler;
import org.apache.ratis.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Where others reach the metadata log, with one thread, and a line in the log for whoever is cut off before it has proven that it knows the
 * secret: who stalls, or speaks something that is no TLS. gRPC cuts them off as well, and tells nobody but a logger of the JDK's.
 */
final class GuardedPort implements GrpcServices.Customizer, AutoCloseable {
    private static final long CLOSE_MS = 1_000;

    private final ClusterTls tls;
    private final EventLoopGroup loop;

    GuardedPort(String node, ClusterTls tls) {
        this.tls = tls;
        loop = new NioEventLoopGroup(1, new DefaultThreadFactory(node + "-metadata-port", true));
    }

    @Override
    public NettyServerBuilder customize(NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
        return builder.channelFactory(Port::new).bossEventLoopGroup(loop).workerEventLoopGroup(loop);
    }

    /** Accepts as its kind does, and watches how each connection ends. */
    private final class Port extends NioServerSocketChannel {
        @Override
        protected int doReadMessages(List<Object> accepted) throws Exception {
            int count = super.doReadMessages(accepted);
            for (int at = accepted.size() - count; at < accepted.size(); at++) {
                watch((Channel) accepted.get(at));
            }
            return count;
        }
    }

    private void watch(Channel connection) {
        String who = connection.remoteAddress() instanceof InetSocketAddress remote
                ? remote.getAddress().getHostAddress()
                : String.valueOf(connection.remoteAddress());
        var unused = connection.closeFuture().addListener(closed -> {
            Throwable why = failure(connection.pipeline().get(SslHandler.class));
            if (why != null) {
                tls.onCut(who, why);
            }
        });
    }

    /** Why it did not get to prove itself; null if it did, if it went away by itself, or if its key was looked at and told of. */
    private static @Nullable Throwable failure(@Nullable SslHandler handler) {
        Throwable why = handler == null ? null : handler.handshakeFuture().cause();
        for (Throwable cause = why; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException || cause instanceof ClosedChannelException) {
                return null;
            }
        }
        return why;
    }

    @Override
    public void close() {
        var unused = loop.shutdownGracefully(0, CLOSE_MS, TimeUnit.MILLISECONDS);
    }
}
