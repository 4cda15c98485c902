package io.warren.amqp.content;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.warren.core.message.FieldTable;
import io.warren.core.message.OpaqueString;
import io.warren.core.message.Unsigned;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Field tables in RabbitMQ's dialect: a length in bytes, then name, type and value of each field.
 *
 * <pre>
 * t Boolean     b Byte    B Unsigned 8    s Short   u Unsigned 16    I Integer   i Unsigned 32
 * l, L Long     f Float   d Double        D BigDecimal (octet of scale, 32 bits)
 * S String      x byte[]  T Instant       F Map     A List           V null
 * </pre>
 *
 * <p>What is read is written as the same type; {@code L} as {@code l}, which means the same. Nesting is limited to
 * {@link FieldTable#DEPTH_MAX}.
 */
public final class FieldTableCodec {

    private FieldTableCodec() {}

    // ---- reading

    /**
     * Reads a table.
     *
     * @throws io.warren.core.error.AmqpException 502 for an unknown type or a length that does not fit
     * @throws IndexOutOfBoundsException if the buffer ends before the table
     */
    public static FieldTable read(ByteBuf in) {
        long bytes = in.readUnsignedInt();
        if (bytes == 0) {
            return FieldTable.EMPTY;
        }
        try {
            return FieldTable.of(readFields(slice(in, bytes), 0));
        } catch (IllegalArgumentException refused) {
            throw Malformed.syntax(String.valueOf(refused.getMessage()));
        }
    }

    /**
     * Reads the fields of a table that comes without its length, as AMQPLAIN sends it.
     *
     * @throws io.warren.core.error.AmqpException 502 for what are no fields
     */
    public static FieldTable readFields(ByteBuffer fields) {
        try {
            return FieldTable.of(readFields(Unpooled.wrappedBuffer(fields), 0));
        } catch (IllegalArgumentException | IndexOutOfBoundsException refused) {
            throw Malformed.syntax(String.valueOf(refused.getMessage()));
        }
    }

    private static Map<String, @Nullable Object> readFields(ByteBuf in, int depth) {
        checkDepth(depth);
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        while (in.isReadable()) {
            String name = Strings.readShort(in);
            fields.put(name, readValue(in, depth));
        }
        return fields;
    }

    private static List<@Nullable Object> readArray(ByteBuf in, int depth) {
        checkDepth(depth);
        List<@Nullable Object> elements = new ArrayList<>();
        while (in.isReadable()) {
            elements.add(readValue(in, depth));
        }
        return elements;
    }

    private static void checkDepth(int depth) {
        if (depth > FieldTable.DEPTH_MAX) {
            throw Malformed.syntax("a table is nested deeper than " + FieldTable.DEPTH_MAX);
        }
    }

    private static @Nullable Object readValue(ByteBuf in, int depth) {
        byte type = in.readByte();
        return switch (type) {
            case 'S' -> readText(in);
            case 'I' -> in.readInt();
            case 'l', 'L' -> in.readLong();
            case 't' -> in.readByte() != 0;
            case 'b' -> in.readByte();
            case 'B' -> Unsigned.of(Unsigned.Width.OCTET, in.readUnsignedByte());
            case 's' -> in.readShort();
            case 'u' -> Unsigned.of(Unsigned.Width.SHORT, in.readUnsignedShort());
            case 'i' -> Unsigned.of(Unsigned.Width.INT, in.readUnsignedInt());
            case 'f' -> in.readFloat();
            case 'd' -> in.readDouble();
            case 'D' -> readDecimal(in);
            case 'T' -> readTimestamp(in);
            case 'x' -> readBytes(in);
            case 'F' -> readFields(slice(in, in.readUnsignedInt()), depth + 1);
            case 'A' -> readArray(slice(in, in.readUnsignedInt()), depth + 1);
            case 'V' -> null;
            default -> throw Malformed.syntax("unknown type " + (type & 0xff) + " of a field");
        };
    }

    /** As many bytes as a length says, which must be there before anything is made of them. */
    private static ByteBuf slice(ByteBuf in, long bytes) {
        if (bytes > in.readableBytes()) {
            throw new IndexOutOfBoundsException("bytes=" + bytes + " readable=" + in.readableBytes());
        }
        return in.readSlice((int) bytes);
    }

    private static byte[] readBytes(ByteBuf in) {
        return ByteBufUtil.getBytes(slice(in, in.readUnsignedInt()));
    }

    private static Object readText(ByteBuf in) {
        byte[] bytes = readBytes(in);
        String text = new String(bytes, StandardCharsets.UTF_8);
        // Only a text with the replacement character can have lost something.
        return text.indexOf('\uFFFD') < 0 || isUtf8(bytes) ? text : OpaqueString.of(bytes);
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException notText) {
            return false;
        }
    }

    private static BigDecimal readDecimal(ByteBuf in) {
        int scale = in.readUnsignedByte();
        return new BigDecimal(BigInteger.valueOf(in.readInt()), scale);
    }

    /** Reads a time in whole seconds. */
    static Instant readTimestamp(ByteBuf in) {
        long seconds = in.readLong();
        try {
            return Instant.ofEpochSecond(seconds);
        } catch (DateTimeException outOfRange) {
            throw Malformed.syntax("timestamp " + Long.toUnsignedString(seconds) + " is out of range");
        }
    }

    // ---- writing

    /** Writes a table. */
    public static void write(ByteBuf out, FieldTable table) {
        writeTable(out, table.asMap());
    }

    private static void writeTable(ByteBuf out, Map<?, ?> table) {
        int lengthIndex = reserveLength(out);
        for (Map.Entry<?, ?> field : table.entrySet()) {
            Strings.writeShort(out, (String) field.getKey());
            writeValue(out, field.getValue());
        }
        fillLength(out, lengthIndex);
    }

    private static int reserveLength(ByteBuf out) {
        int lengthIndex = out.writerIndex();
        out.writeInt(0);
        return lengthIndex;
    }

    private static void fillLength(ByteBuf out, int lengthIndex) {
        out.setInt(lengthIndex, out.writerIndex() - lengthIndex - Integer.BYTES);
    }

    private static void writeValue(ByteBuf out, @Nullable Object value) {
        if (value instanceof String text) {
            writeText(out, text);
        } else if (value instanceof Number number) {
            writeNumber(out, number);
        } else if (value == null) {
            out.writeByte('V');
        } else if (value instanceof Boolean bit) {
            out.writeByte('t').writeBoolean(bit);
        } else if (value instanceof Instant time) {
            out.writeByte('T').writeLong(time.getEpochSecond());
        } else if (value instanceof Map<?, ?> table) {
            out.writeByte('F');
            writeTable(out, table);
        } else if (value instanceof List<?> array) {
            writeArray(out, array);
        } else if (value instanceof OpaqueString text) {
            writeBytes(out, 'S', text.bytes());
        } else {
            writeBytes(out, 'x', (byte[]) value);
        }
    }

    private static void writeNumber(ByteBuf out, Number number) {
        if (number instanceof Integer) {
            out.writeByte('I').writeInt(number.intValue());
        } else if (number instanceof Long) {
            out.writeByte('l').writeLong(number.longValue());
        } else if (number instanceof Double) {
            out.writeByte('d').writeDouble(number.doubleValue());
        } else if (number instanceof Float) {
            out.writeByte('f').writeFloat(number.floatValue());
        } else if (number instanceof Short) {
            out.writeByte('s').writeShort(number.intValue());
        } else if (number instanceof Byte) {
            out.writeByte('b').writeByte(number.intValue());
        } else if (number instanceof Unsigned unsigned) {
            writeUnsigned(out, unsigned);
        } else {
            BigDecimal decimal = (BigDecimal) number;
            out.writeByte('D').writeByte(decimal.scale());
            out.writeInt(decimal.unscaledValue().intValue());
        }
    }

    private static void writeUnsigned(ByteBuf out, Unsigned number) {
        switch (number.width()) {
            case OCTET -> out.writeByte('B').writeByte(number.intValue());
            case SHORT -> out.writeByte('u').writeShort(number.intValue());
            case INT -> out.writeByte('i').writeInt(number.intValue());
        }
    }

    private static void writeText(ByteBuf out, String text) {
        out.writeByte('S');
        int lengthIndex = reserveLength(out);
        ByteBufUtil.writeUtf8(out, text);
        fillLength(out, lengthIndex);
    }

    private static void writeBytes(ByteBuf out, char type, byte[] bytes) {
        out.writeByte(type).writeInt(bytes.length).writeBytes(bytes);
    }

    private static void writeArray(ByteBuf out, List<?> array) {
        out.writeByte('A');
        int lengthIndex = reserveLength(out);
        for (Object element : array) {
            writeValue(out, element);
        }
        fillLength(out, lengthIndex);
    }
}
