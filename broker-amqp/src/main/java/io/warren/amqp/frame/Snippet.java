package io.warren.amqp.frame;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;

/** The beginning of a payload in Erlang's notation, as RabbitMQ's texts about frames show it. */
final class Snippet {

    /** RabbitMQ shows no more. */
    private static final int BYTES_MAX = 16;

    /** A reply text has 255 bytes: more cannot be seen. */
    private static final int LIST_BYTES_MAX = 128;

    private Snippet() {}

    /** Such as {@code all octets = <<1,2>>} or {@code first 16 octets = <<...>>}. */
    static String of(ByteBuf payload) {
        int bytes = payload.readableBytes();
        String what = bytes <= BYTES_MAX ? "all" : "first " + BYTES_MAX;
        ByteBuf shown = payload.slice(payload.readerIndex(), Math.min(bytes, BYTES_MAX));
        return what + " octets = " + (isPrintable(shown) ? text(shown) : bytes(shown));
    }

    private static boolean isPrintable(ByteBuf bytes) {
        return bytes.isReadable() && bytes.forEachByte(octet -> octet >= ' ' && octet < 127) < 0;
    }

    private static String text(ByteBuf bytes) {
        return "<<\"" + bytes.toString(StandardCharsets.US_ASCII) + "\">>";
    }

    /** All bytes as numbers, as far as a text can show them. */
    static String bytes(ByteBuf payload) {
        StringJoiner numbers = new StringJoiner(",", "<<", ">>");
        int shown = Math.min(payload.readableBytes(), LIST_BYTES_MAX);
        for (int i = 0; i < shown; i++) {
            numbers.add(Integer.toString(payload.getUnsignedByte(payload.readerIndex() + i)));
        }
        return numbers.toString();
    }
}
