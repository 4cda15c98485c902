package io.warren.amqp.fuzz;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.warren.amqp.frame.FrameDecoder;
import io.warren.amqp.frame.FrameListener;
import io.warren.amqp.method.BasicMethod;
import io.warren.amqp.method.ChannelMethod;
import io.warren.amqp.method.ConnectionMethod;
import io.warren.amqp.method.Method;
import io.warren.core.message.Properties;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the broker said in one connection, read as a client would. */
final class Answer implements FrameListener {

    private static final int FRAME_BYTES_MAX = 131_072;

    private final Map<Integer, List<String>> byChannel = new TreeMap<>();
    private final boolean transportEnded;
    private final boolean isOtherHeader;
    private String state = "accepted";
    private boolean connectionClosed;
    private long confirmed;

    /**
     * @param bytes everything the broker sent
     * @throws IllegalStateException if that ends within a frame
     */
    Answer(byte[] bytes, boolean transportEnded) {
        this.transportEnded = transportEnded;
        this.isOtherHeader = bytes.length > 0 && bytes[0] == 'A';
        if (!isOtherHeader) {
            read(Unpooled.wrappedBuffer(bytes));
        }
    }

    private void read(ByteBuf in) {
        FrameDecoder decoder = new FrameDecoder(FRAME_BYTES_MAX);
        boolean more = true;
        while (more) {
            more = decoder.decode(in, this);
        }
        if (in.isReadable()) {
            throw new IllegalStateException("the broker sent " + in.readableBytes() + " bytes of a frame");
        }
    }

    /** A word or a reply code, with {@code channel} before the code of a closed channel. */
    String endState() {
        if (isOtherHeader) {
            return "another protocol header";
        }
        return transportEnded && !connectionClosed ? "transport ended" : state;
    }

    /** What each channel heard, in its order; between channels, and in how few confirms, there is no order. */
    Map<Integer, List<String>> byChannel() {
        return byChannel;
    }

    private void heard(int channel, String what) {
        byChannel.computeIfAbsent(channel, number -> new ArrayList<>()).add(what);
    }

    @Override
    public void onMethod(int channel, Method method) {
        if (method instanceof BasicMethod.Ack ack) {
            for (long tag = ack.multiple() ? confirmed + 1 : ack.deliveryTag(); tag <= ack.deliveryTag(); tag++) {
                heard(channel, "confirmed " + tag);
            }
            confirmed = Math.max(confirmed, ack.deliveryTag());
            return;
        }
        heard(channel, method.toString());
        if (method instanceof ConnectionMethod.Close close) {
            state = Integer.toString(close.replyCode());
            connectionClosed = true;
        } else if (method instanceof ConnectionMethod.CloseOk) {
            state = "closed by the client";
            connectionClosed = true;
        } else if (method instanceof ChannelMethod.Close close && !connectionClosed) {
            state = "channel " + close.replyCode();
        }
    }

    @Override
    public boolean awaitsHeader(int channel) {
        return true;
    }

    @Override
    public void onUnexpectedHeader(int channel) {
        throw new IllegalStateException("a header is always read");
    }

    @Override
    public void onHeader(int channel, int classId, long bodyBytes, Properties properties) {
        heard(channel, "header of " + bodyBytes + " bytes: " + properties);
    }

    @Override
    public void onBody(int channel, byte[] part) {
        heard(channel, Arrays.toString(part));
    }

    @Override
    public void onHeartbeat() {
        heard(0, "heartbeat");
    }
}
