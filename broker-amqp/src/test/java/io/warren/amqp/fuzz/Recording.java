package io.warren.amqp.fuzz;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.warren.amqp.frame.FrameEncoder;
import io.warren.amqp.method.BasicMethod;
import io.warren.amqp.method.ChannelMethod;
import io.warren.amqp.method.ConfirmMethod;
import io.warren.amqp.method.ConnectionMethod;
import io.warren.amqp.method.ExchangeMethod;
import io.warren.amqp.method.Method;
import io.warren.amqp.method.QueueMethod;
import io.warren.amqp.method.TxMethod;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What a well-behaved client sends in one connection: the bytes of the handshake, and the frames after it.
 *
 * @param name for the table
 */
record Recording(String name, List<ByteBuffer> handshake, List<ByteBuffer> frames) {

    private static final byte[] HEADER = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};
    private static final byte[] BODY = "a body of some bytes".getBytes(StandardCharsets.UTF_8);

    private static final FieldTable ARGUMENTS = FieldTable.of(Map.of(
            "x-max-length",
            100,
            "x-message-ttl",
            60_000L,
            "x-dead-letter-exchange",
            "amq.fanout",
            "x-max-priority",
            5));

    /** Recordings that together say every method a client may say. */
    static List<Recording> all() {
        return List.of(queues(), exchanges(), consuming(), confirming(), transacting(), closing());
    }

    private static Recording queues() {
        return after(
                "queues",
                List.of(
                        method(1, new QueueMethod.Declare("q", false, true, false, true, false, ARGUMENTS)),
                        method(1, new QueueMethod.Bind("q", "amq.topic", "a.*.#", false, FieldTable.EMPTY)),
                        content(1, "amq.topic", "a.b.c", properties()),
                        content(1, "", "q", Properties.NONE),
                        method(1, new BasicMethod.Get("q", false)),
                        method(1, new BasicMethod.Reject(1, true)),
                        method(1, new BasicMethod.Recover(true)),
                        method(1, new QueueMethod.Unbind("q", "amq.topic", "a.*.#", FieldTable.EMPTY)),
                        method(1, new QueueMethod.Purge("q", false)),
                        method(1, new QueueMethod.Delete("q", false, false, false)),
                        method(1, new ChannelMethod.Close(200, "bye", 0, 0))));
    }

    private static Recording closing() {
        return after(
                "closing",
                List.of(
                        method(2, new ChannelMethod.Open()),
                        method(0, new ConnectionMethod.Close(200, "bye", 0, 0)),
                        content(2, "", "q", Properties.NONE)));
    }

    private static Recording exchanges() {
        FieldTable headers = FieldTable.of(Map.of("x-match", "any", "colour", "red", "size", 3));
        return after(
                "exchanges",
                List.of(
                        method(
                                1,
                                new ExchangeMethod.Declare(
                                        "e", "headers", false, false, true, false, false, FieldTable.EMPTY)),
                        method(1, new ExchangeMethod.Bind("e", "amq.direct", "k", false, FieldTable.EMPTY)),
                        method(1, new QueueMethod.Declare("q", false, false, true, false, false, FieldTable.EMPTY)),
                        method(1, new QueueMethod.Bind("q", "e", "", false, headers)),
                        content(1, "amq.direct", "k", properties()),
                        method(1, new ExchangeMethod.Unbind("e", "amq.direct", "k", false, FieldTable.EMPTY)),
                        method(1, new ExchangeMethod.Delete("e", false, false)),
                        heartbeat(),
                        method(1, new ChannelMethod.Flow(true)),
                        method(0, new ConnectionMethod.UpdateSecret(ByteBuffer.wrap(BODY), "it is time"))));
    }

    private static Recording consuming() {
        return after(
                "consuming",
                List.of(
                        method(1, new QueueMethod.Declare("q", false, false, true, false, false, FieldTable.EMPTY)),
                        method(1, new BasicMethod.Qos(0, 10, false)),
                        method(1, new BasicMethod.Consume("q", "tag", false, false, false, false, FieldTable.EMPTY)),
                        content(1, "", "q", properties()),
                        content(1, "", "q", properties()),
                        method(1, new BasicMethod.Ack(1, false)),
                        method(1, new BasicMethod.Nack(2, true, true)),
                        method(1, new BasicMethod.Cancel("tag", false))));
    }

    private static Recording confirming() {
        return after(
                "confirming",
                List.of(
                        method(1, new ConfirmMethod.Select(false)),
                        method(1, new QueueMethod.Declare("q", false, false, true, false, false, FieldTable.EMPTY)),
                        content(1, "", "q", properties()),
                        content(1, "", "nowhere", properties()),
                        method(2, new ChannelMethod.Open()),
                        content(2, "", "q", Properties.NONE)));
    }

    private static Recording transacting() {
        return after(
                "transacting",
                List.of(
                        method(1, new TxMethod.Select()),
                        method(1, new QueueMethod.Declare("q", false, false, true, false, false, FieldTable.EMPTY)),
                        content(1, "", "q", properties()),
                        method(1, new TxMethod.Commit()),
                        method(1, new BasicMethod.Get("q", false)),
                        method(1, new BasicMethod.Ack(0, true)),
                        method(1, new TxMethod.Rollback())));
    }

    private static Recording after(String name, List<ByteBuffer> frames) {
        ByteBuffer login = ByteBuffer.wrap("\0guest\0guest".getBytes(StandardCharsets.UTF_8));
        FieldTable client = FieldTable.of(
                Map.of("product", "fuzz", "capabilities", Map.of("basic.nack", true, "consumer_cancel_notify", true)));
        List<ByteBuffer> handshake = List.of(
                ByteBuffer.wrap(HEADER),
                method(0, new ConnectionMethod.StartOk(client, "PLAIN", login, "en_US")),
                method(0, new ConnectionMethod.TuneOk(2_047, 131_072, 0)),
                method(0, new ConnectionMethod.Open("/")),
                method(1, new ChannelMethod.Open()));
        return new Recording(name, handshake, frames);
    }

    private static Properties properties() {
        return Properties.builder()
                .contentType("text/plain")
                .headers(FieldTable.of(Map.of("colour", "red", "list", Arrays.asList(1, "two", null), "big", 1L << 40)))
                .deliveryMode(2)
                .priority(3)
                .correlationId("c-1")
                .expiration("60000")
                .messageId("m-1")
                .build();
    }

    private static ByteBuffer method(int channel, Method method) {
        ByteBuf out = Unpooled.buffer();
        new FrameEncoder().method(out, channel, method);
        return bytes(out);
    }

    private static ByteBuffer heartbeat() {
        ByteBuf out = Unpooled.buffer();
        new FrameEncoder().heartbeat(out);
        return bytes(out);
    }

    /** A publish with its header and its body. */
    private static ByteBuffer content(int channel, String exchange, String key, Properties properties) {
        FrameEncoder encoder = new FrameEncoder();
        ByteBuf out = Unpooled.buffer();
        encoder.method(out, channel, new BasicMethod.Publish(exchange, key, false, false));
        encoder.header(out, channel, BasicMethod.CLASS_ID, BODY.length, properties);
        encoder.bodyPrefix(out, channel, BODY.length);
        out.writeBytes(BODY);
        encoder.bodyEnd(out);
        return bytes(out);
    }

    private static ByteBuffer bytes(ByteBuf out) {
        return ByteBuffer.wrap(ByteBufUtil.getBytes(out)).asReadOnlyBuffer();
    }

    /** The bytes of these pieces, one behind the other. */
    static byte[] join(List<ByteBuffer> pieces) {
        ByteBuffer all = ByteBuffer.allocate(
                pieces.stream().mapToInt(ByteBuffer::remaining).sum());
        pieces.forEach(piece -> all.put(piece.duplicate()));
        return all.array();
    }
}
