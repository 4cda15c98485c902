package io.warren.mirroring.link.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import java.nio.charset.StandardCharsets;

/** The fields that messages are made of: numbers of one to nine bytes, seven bits each, and texts. */
final class Fields {
    private static final int TEXT_BYTES_MAX = 1_024;
    private static final int SEVEN_BITS = 0x7f;
    private static final int MORE = 0x80;
    private static final int SHIFT_MAX = 56;

    private Fields() {}

    /** A number that is not negative. */
    static void writeNumber(ByteBuf out, long number) {
        if (number < 0) {
            throw new IllegalArgumentException("number=" + number);
        }
        long rest = number;
        while (rest > SEVEN_BITS) {
            out.writeByte((int) (rest & SEVEN_BITS) | MORE);
            rest >>>= 7;
        }
        out.writeByte((int) rest);
    }

    static long readNumber(ByteBuf in) {
        long number = 0;
        for (int shift = 0; shift <= SHIFT_MAX; shift += 7) {
            int next = in.readByte();
            number |= (long) (next & SEVEN_BITS) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new Malformed("a number of more than nine bytes");
    }

    /** A number that counts or sizes something. */
    static int readCount(ByteBuf in, int max) {
        long count = readNumber(in);
        if (count > max) {
            throw new Malformed("a count of " + count + " where " + max + " is the most");
        }
        return (int) count;
    }

    static void writeText(ByteBuf out, String text) {
        int bytes = ByteBufUtil.utf8Bytes(text);
        if (bytes > TEXT_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a name of " + bytes + " bytes is longer than " + TEXT_BYTES_MAX + ": " + text.substring(0, 40));
        }
        writeNumber(out, bytes);
        out.writeCharSequence(text, StandardCharsets.UTF_8);
    }

    static String readText(ByteBuf in) {
        int bytes = readCount(in, Math.min(TEXT_BYTES_MAX, in.readableBytes()));
        return in.readCharSequence(bytes, StandardCharsets.UTF_8).toString();
    }

    static void writeMember(ByteBuf out, Member member) {
        writeText(out, member.node());
        writeNumber(out, member.incarnation());
    }

    static Member readMember(ByteBuf in) {
        return new Member(readText(in), readNumber(in));
    }

    static void writePosition(ByteBuf out, Position position) {
        writeNumber(out, position.epoch());
        writeNumber(out, position.offset());
    }

    static Position readPosition(ByteBuf in) {
        return new Position(readNumber(in), readNumber(in));
    }
}
