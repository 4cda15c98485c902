package io.warren.amqp.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.warren.core.Broker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets AMQP 0-9-1 clients into a broker over TCP.
 *
 * <p>Its threads are daemon. Close it before the broker: clients are told (320) and get a moment to answer.
 */
public final class AmqpServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AmqpServer.class);

    private static final int BACKLOG = 1_024;

    private final String name;
    private final EventLoopGroup loops;
    private final List<Bound> listeners = new ArrayList<>();
    private final AmqpConnections connections;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** A listener that listens. */
    private record Bound(Listener listener, Channel channel) {

        InetSocketAddress address() {
            return (InetSocketAddress) channel.localAddress();
        }

        String uri() {
            String host = address().getAddress().getHostAddress();
            // An IPv6 address has colons of its own.
            return (listener.tls() == null ? "amqp" : "amqps") + "://" + (host.contains(":") ? "[" + host + "]" : host)
                    + ":" + address().getPort();
        }
    }

    AmqpServer(ServerSettings settings, String name, List<Listener> listeners, int threads) {
        this.name = name;
        this.connections = new AmqpConnections(settings);
        this.loops = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("warren-" + name + "-amqp", true), NioIoHandler.newFactory());
        listeners.forEach(listener -> this.listeners.add(new Bound(listener, bind(listener))));
        LOG.info("broker '{}' takes AMQP clients at {}", name, String.join(", ", uris()));
    }

    /** A server for a broker, to be set up before it starts. */
    public static AmqpServerBuilder builder(Broker broker) {
        return new AmqpServerBuilder(broker);
    }

    private Channel bind(Listener listener) {
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, AmqpConnections.WATER_MARK)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        SslContext tls = listener.tls();
                        if (tls != null) {
                            channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                        }
                        channel.pipeline().addLast(connections.newHandler());
                    }
                })
                .bind(listener.address())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            var unused = loops.shutdownGracefully(0, AmqpConnections.CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
            IOException cause = asIoException(bound.cause());
            throw new UncheckedIOException("cannot listen on " + listener.address() + ": " + cause.getMessage(), cause);
        }
        return bound.channel();
    }

    private static IOException asIoException(Throwable cause) {
        return cause instanceof IOException failed ? failed : new IOException(cause);
    }

    /** The port of the first listener. */
    public int port() {
        return listeners.get(0).address().getPort();
    }

    /** Where clients connect to the first listener, such as {@code amqp://127.0.0.1:5672}. */
    public String amqpUri() {
        return listeners.get(0).uri();
    }

    /** Where clients connect, one for each listener; {@code amqps} where it speaks TLS. */
    public List<String> uris() {
        return listeners.stream().map(Bound::uri).toList();
    }

    /** How many clients are connected, those that have not logged in included. */
    public int connectionCount() {
        return connections.count();
    }

    /** Stops listening, tells the clients (320), and ends what is left after two seconds. Idempotent. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        listeners.forEach(listener -> listener.channel().close().awaitUninterruptibly());
        connections.close();
        loops.shutdownGracefully(0, AmqpConnections.CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(2 * AmqpConnections.CLOSE_TIMEOUT_MS);
        LOG.info("broker '{}' takes no AMQP clients any more", name);
    }
}
