package io.warren.amqp.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.warren.core.Broker;
import io.warren.core.error.AmqpError;
import io.warren.core.error.ErrorScope;
import io.warren.core.error.ReplyCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    /**
     * What may wait to be sent before a client that asks and does not read is no longer listened to: far above what one
     * that writes first and reads then has waiting, far below what would hurt.
     */
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(1 << 20, 8 << 20);

    private static final int BACKLOG = 1_024;

    private static final long CLOSE_TIMEOUT_MS = 2_000;

    private final ServerSettings settings;
    private final String name;
    private final EventLoopGroup loops;
    private final Channel listener;
    private final Set<ConnectionHandler> connections = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    AmqpServer(ServerSettings settings, String name, InetAddress address, int port, int threads) {
        this.settings = settings;
        this.name = name;
        this.loops = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("warren-" + name + "-amqp", true), NioIoHandler.newFactory());
        this.listener = bind(new InetSocketAddress(address, port));
        LOG.info("broker '{}' takes AMQP clients at {}", name, amqpUri());
    }

    /** A server for a broker, to be set up before it starts. */
    public static AmqpServerBuilder builder(Broker broker) {
        return new AmqpServerBuilder(broker);
    }

    private Channel bind(InetSocketAddress address) {
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (settings.tls() != null) {
                            channel.pipeline().addLast(settings.tls().newHandler(channel.alloc()));
                        }
                        channel.pipeline().addLast(new ConnectionHandler(settings, connections));
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            var unused = loops.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
            IOException cause = asIoException(bound.cause());
            throw new UncheckedIOException("cannot listen on " + address + ": " + cause.getMessage(), cause);
        }
        return bound.channel();
    }

    private static IOException asIoException(Throwable cause) {
        return cause instanceof IOException failed ? failed : new IOException(cause);
    }

    /** The port it listens on. */
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** Where clients connect, such as {@code amqp://127.0.0.1:5672}. */
    public String amqpUri() {
        InetSocketAddress address = (InetSocketAddress) listener.localAddress();
        String scheme = settings.tls() == null ? "amqp" : "amqps";
        return scheme + "://" + address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** How many clients are connected, those that have not logged in included. */
    public int connectionCount() {
        return connections.size();
    }

    /** Stops listening, tells the clients (320), and ends what is left after two seconds. Idempotent. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        listener.close().awaitUninterruptibly();
        AmqpError reason = new AmqpError(
                ReplyCode.CONNECTION_FORCED,
                ErrorScope.CONNECTION,
                "CONNECTION_FORCED - broker forced connection closure with reason 'shutdown'");
        connections.forEach(connection -> connection.shutdown(reason));
        awaitConnections();
        connections.forEach(ConnectionHandler::abort);
        loops.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(2 * CLOSE_TIMEOUT_MS);
        LOG.info("broker '{}' takes no AMQP clients any more", name);
    }

    /** One deadline for all: a client that does not answer has had its time. */
    private void awaitConnections() {
        for (ConnectionHandler connection : connections) {
            if (!connection.awaitEnd(CLOSE_TIMEOUT_MS)) {
                LOG.debug("clients did not answer within {} ms", CLOSE_TIMEOUT_MS);
                return;
            }
        }
    }
}
