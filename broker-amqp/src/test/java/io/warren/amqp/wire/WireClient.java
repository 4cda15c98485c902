package io.warren.amqp.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.warren.amqp.frame.FrameDecoder;
import io.warren.amqp.frame.FrameEncoder;
import io.warren.amqp.frame.FrameListener;
import io.warren.amqp.method.BasicMethod;
import io.warren.amqp.method.ChannelMethod;
import io.warren.amqp.method.ConnectionMethod;
import io.warren.amqp.method.Method;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;

/** A client that says what it is told to, frame by frame, and gives back what it hears. Used by one thread. */
final class WireClient implements AutoCloseable, FrameListener {

    static final byte[] HEADER = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};

    private static final int READ_TIMEOUT_MS = 20_000;

    private static final FieldTable PROPERTIES = FieldTable.of(
            Map.of("capabilities", Map.of("authentication_failure_close", true, "consumer_cancel_notify", true)));

    private final Socket socket;
    private final FrameEncoder encoder = new FrameEncoder();
    private final FrameDecoder decoder = new FrameDecoder(131_072);
    private final ByteBuf in = Unpooled.buffer();
    private final Queue<Method> methods = new ArrayDeque<>();

    WireClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(READ_TIMEOUT_MS);
    }

    /** Connects and opens channel 1. */
    static WireClient open(int port) throws IOException {
        WireClient client = new WireClient(port);
        Outcome outcome = client.logIn("guest", "guest", "/");
        if (!outcome.equals(Outcome.NO_ERROR)) {
            throw new IOException(outcome.toString());
        }
        client.send(1, new ChannelMethod.Open());
        client.await(ChannelMethod.OpenOk.class);
        return client;
    }

    /** What the server says of itself when a client connects. */
    ConnectionMethod.Start start() throws IOException {
        raw(HEADER);
        return await(ConnectionMethod.Start.class);
    }

    Outcome logIn(String user, String password, String vhost) throws IOException {
        start();
        byte[] response = ("\0" + user + "\0" + password).getBytes(StandardCharsets.UTF_8);
        send(0, new ConnectionMethod.StartOk(PROPERTIES, "PLAIN", ByteBuffer.wrap(response), "en_US"));
        Method answer = next();
        Outcome refused = Outcome.of(answer);
        if (refused != null) {
            return refused;
        }
        ConnectionMethod.Tune tune = (ConnectionMethod.Tune) answer;
        send(0, new ConnectionMethod.TuneOk(tune.channelMax(), tune.frameMax(), 0));
        send(0, new ConnectionMethod.Open(vhost));
        Outcome outcome = Outcome.of(next());
        return outcome == null ? Outcome.NO_ERROR : outcome;
    }

    // ---- out

    void send(int channel, Method method) throws IOException {
        ByteBuf out = Unpooled.buffer();
        encoder.method(out, channel, method);
        raw(out);
    }

    void publish(BasicMethod.Publish publish, Properties properties, byte[] body) throws IOException {
        ByteBuf out = Unpooled.buffer();
        encoder.method(out, 1, publish);
        encoder.header(out, 1, BasicMethod.CLASS_ID, body.length, properties);
        if (body.length > 0) {
            encoder.bodyPrefix(out, 1, body.length);
            out.writeBytes(body);
            encoder.bodyEnd(out);
        }
        raw(out);
    }

    void raw(ByteBuf out) throws IOException {
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        raw(bytes);
    }

    void raw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    // ---- in

    /** The next method, whatever channel it is for; contents are passed over. */
    Method next() throws IOException {
        while (methods.isEmpty()) {
            if (!decoder.decode(in, this)) {
                byte[] part = new byte[8_192];
                int read = socket.getInputStream().read(part);
                if (read < 0) {
                    throw new EOFException("the server has ended the connection");
                }
                in.writeBytes(part, 0, read);
            }
        }
        return methods.remove();
    }

    /** Waits for a method of that kind; a close in its place is a failure. */
    <T extends Method> T await(Class<T> kind) throws IOException {
        while (true) {
            Method method = next();
            if (kind.isInstance(method)) {
                return kind.cast(method);
            }
            if (Outcome.of(method) != null) {
                throw new IOException(method.toString());
            }
        }
    }

    /** What became of all that was said on channel 1: asked by a method that is answered after it. */
    Outcome outcome() throws IOException {
        send(1, new BasicMethod.Qos(0, 17, false));
        while (true) {
            Method method = next();
            Outcome outcome = Outcome.of(method);
            if (outcome != null) {
                return outcome;
            }
            if (method instanceof BasicMethod.QosOk) {
                return Outcome.NO_ERROR;
            }
        }
    }

    @Override
    public void onMethod(int channel, Method method) {
        methods.add(method);
    }

    @Override
    public boolean awaitsHeader(int channel) {
        return true;
    }

    @Override
    public void onUnexpectedHeader(int channel) {
        throw new IllegalStateException("every header is due");
    }

    @Override
    public void onHeader(int channel, int classId, long bodyBytes, Properties properties) {
        // Of no interest here.
    }

    @Override
    public void onBody(int channel, byte[] part) {
        // Of no interest here.
    }

    @Override
    public void onHeartbeat() {
        // None was asked for.
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
