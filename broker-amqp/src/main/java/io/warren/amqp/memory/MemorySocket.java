package io.warren.amqp.memory;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOptions;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of a connection through memory, as the inside of a {@link java.net.Socket}.
 *
 * <p>Options are kept and told, and mean nothing, but for the time a read may take. Whatever address is asked for, it is
 * connected to its broker.
 */
final class MemorySocket extends SocketImpl {

    /** Brings a connection about. */
    interface Connector {
        MemoryChannel connect() throws IOException;
    }

    private final Connector connector;
    private final Map<Integer, Object> options = new ConcurrentHashMap<>();
    private volatile @Nullable MemoryChannel channel;
    private volatile int readTimeoutMs;

    MemorySocket(Connector connector) {
        this.connector = connector;
    }

    // ---- the beginning and the end

    @Override
    protected void create(boolean stream) {
        // There is nothing before there is a connection.
    }

    @Override
    protected void connect(String host, int portNumber) throws IOException {
        connect(new InetSocketAddress(host, portNumber), 0);
    }

    @Override
    protected void connect(InetAddress host, int portNumber) throws IOException {
        connect(new InetSocketAddress(host, portNumber), 0);
    }

    @Override
    protected void connect(SocketAddress remote, int timeoutMs) throws IOException {
        address = InetAddress.getLoopbackAddress();
        port = remote instanceof InetSocketAddress inet ? inet.getPort() : 0;
        channel = connector.connect();
    }

    @Override
    protected void close() {
        MemoryChannel connected = channel;
        if (connected != null) {
            // What was written before arrives still.
            connected.toBroker().end();
            connected.toClient().discard();
        }
    }

    private MemoryChannel connected() throws SocketException {
        MemoryChannel connected = channel;
        if (connected == null) {
            throw new SocketException("not connected");
        }
        return connected;
    }

    // ---- bytes

    @Override
    protected InputStream getInputStream() throws IOException {
        ByteQueue source = connected().toClient();
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                Objects.checkFromIndexSize(offset, length, target.length);
                return length == 0 ? 0 : source.read(target, offset, length, readTimeoutMs);
            }

            @Override
            public int available() {
                return source.available();
            }
        };
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        MemoryChannel connected = connected();
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] source, int offset, int length) throws IOException {
                Objects.checkFromIndexSize(offset, length, source.length);
                ByteBuf part = connected.alloc().heapBuffer(length);
                connected.toBroker().put(part.writeBytes(source, offset, length));
            }
        };
    }

    @Override
    protected int available() throws IOException {
        return connected().toClient().available();
    }

    // ---- options

    @Override
    public void setOption(int option, Object value) {
        if (option == SocketOptions.SO_TIMEOUT) {
            readTimeoutMs = (Integer) value;
        }
        options.put(option, value);
    }

    @Override
    public Object getOption(int option) {
        return switch (option) {
            case SocketOptions.SO_TIMEOUT -> readTimeoutMs;
            case SocketOptions.SO_BINDADDR -> InetAddress.getLoopbackAddress();
            case SocketOptions.SO_SNDBUF, SocketOptions.SO_RCVBUF -> ByteQueue.CAPACITY_BYTES;
            case SocketOptions.IP_TOS -> options.getOrDefault(option, 0);
            default -> options.getOrDefault(option, false);
        };
    }

    // ---- what is for servers, or for nobody

    @Override
    protected void bind(InetAddress host, int portNumber) {
        // A client may choose where it comes from; here that is nowhere.
    }

    @Override
    protected void listen(int backlog) throws IOException {
        throw new SocketException("listens to nobody");
    }

    @Override
    protected void accept(SocketImpl accepted) throws IOException {
        throw new SocketException("listens to nobody");
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        throw new SocketException("has no urgent data");
    }
}
