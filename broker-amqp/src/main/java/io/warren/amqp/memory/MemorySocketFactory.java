package io.warren.amqp.memory;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.warren.amqp.server.AmqpConnections;
import io.warren.core.Broker;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes sockets whose other end is a broker in this JVM.
 *
 * <p>Its threads, daemons, are there while one of its connections is: nobody need close it. Thread-safe.
 */
final class MemorySocketFactory extends SocketFactory {

    private final Broker broker;
    private final AmqpConnections connections;
    private long connectionNumber;
    private int openCount;
    private @Nullable EventLoopGroup loops;

    MemorySocketFactory(Broker broker, AmqpConnections connections) {
        this.broker = broker;
        this.connections = connections;
    }

    private MemoryChannel connect() throws IOException {
        if (broker.isClosed()) {
            throw new ConnectException("broker '" + broker.name() + "' is closed");
        }
        MemoryChannel channel;
        EventLoopGroup group;
        synchronized (this) {
            channel = new MemoryChannel(new MemoryAddress(++connectionNumber));
            group = loops;
            if (group == null) {
                group = new MultiThreadIoEventLoopGroup(
                        new DefaultThreadFactory("warren-" + broker.name() + "-memory", true),
                        LocalIoHandler.newFactory());
                loops = group;
            }
            openCount++;
        }
        channel.closeFuture().addListener(closed -> release());
        channel.pipeline().addLast(connections.newHandler());
        if (!group.register(channel).awaitUninterruptibly().isSuccess()) {
            throw new ConnectException("broker '" + broker.name() + "' cannot be reached");
        }
        return channel;
    }

    private synchronized void release() {
        openCount--;
        if (openCount == 0 && loops != null) {
            var unused = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            loops = null;
        }
    }

    @Override
    public Socket createSocket() throws SocketException {
        return new ConnectedByMemory(new MemorySocket(this::connect));
    }

    private Socket connected(SocketAddress address) throws IOException {
        Socket socket = createSocket();
        socket.connect(address);
        return socket;
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
        return createSocket(host, port);
    }

    /** A socket with an inside of our own; only subclasses may have that. */
    private static final class ConnectedByMemory extends Socket {

        ConnectedByMemory(SocketImpl inside) throws SocketException {
            super(inside);
        }
    }
}
