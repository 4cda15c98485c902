package io.warren.amqp.limits;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.warren.amqp.frame.FrameEncoder;
import io.warren.amqp.method.BasicMethod;
import io.warren.amqp.method.ChannelMethod;
import io.warren.amqp.method.ConnectionMethod;
import io.warren.amqp.method.Method;
import io.warren.core.message.FieldTable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A client of one socket that does what it is told and no more: it costs little, and misbehaves where that is asked for. */
final class RawClient implements AutoCloseable {

    private static final byte[] HEADER = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};
    private static final int FRAME_PREFIX_BYTES = 7;

    private final Socket socket;
    private final DataInputStream in;

    RawClient(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            in = new DataInputStream(socket.getInputStream());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    Socket socket() {
        return socket;
    }

    /** The bytes that log in and open virtual host {@code /}, for who sends them slowly. */
    static byte[] handshake() {
        ByteBuffer login = ByteBuffer.wrap("\0guest\0guest".getBytes(StandardCharsets.UTF_8));
        ByteBuf out = Unpooled.buffer();
        out.writeBytes(HEADER);
        FrameEncoder encoder = new FrameEncoder();
        encoder.method(out, 0, new ConnectionMethod.StartOk(FieldTable.EMPTY, "PLAIN", login, "en_US"));
        encoder.method(out, 0, new ConnectionMethod.TuneOk(2_047, 131_072, 0));
        encoder.method(out, 0, new ConnectionMethod.Open("/"));
        return ByteBufUtil.getBytes(out);
    }

    /** Logs in and opens so many channels, and waits until all are open. */
    RawClient open(int channels) {
        send(handshake());
        readFrames(3);
        for (int channel = 1; channel <= channels; channel++) {
            send(channel, new ChannelMethod.Open());
        }
        readFrames(channels);
        return this;
    }

    /** Consumes without acknowledgements, from channel 1. */
    void consume(String queue) {
        send(1, new BasicMethod.Consume(queue, "", false, true, false, true, FieldTable.EMPTY));
    }

    private void send(int channel, Method method) {
        ByteBuf out = Unpooled.buffer();
        new FrameEncoder().method(out, channel, method);
        send(ByteBufUtil.getBytes(out));
    }

    void send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void readFrames(int count) {
        try {
            for (int i = 0; i < count; i++) {
                byte[] prefix = in.readNBytes(FRAME_PREFIX_BYTES);
                in.skipNBytes(ByteBuffer.wrap(prefix).getInt(3) + 1L);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
