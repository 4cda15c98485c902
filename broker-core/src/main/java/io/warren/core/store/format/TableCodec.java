package io.warren.core.store.format;

import io.warren.core.message.FieldTable;
import io.warren.core.message.OpaqueString;
import io.warren.core.message.Unsigned;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Field tables on disk: the number of fields, then name, type and value of each. Types have AMQP's letters, so that
 * whoever reads a dump knows them; {@code O} is a long string whose bytes are not UTF-8.
 *
 * <p>Not the codec of the wire: that one lives with its transport, counts bytes where this counts fields, and must refuse
 * what a client may not send, where this reads only what was checked before it was written.
 */
final class TableCodec {

    private TableCodec() {}

    static void write(ByteBuffer to, FieldTable table) {
        writeTable(to, table.asMap());
    }

    static FieldTable read(ByteBuffer from) {
        return FieldTable.of(readTable(from));
    }

    private static void writeTable(ByteBuffer to, Map<?, ?> table) {
        to.putInt(table.size());
        for (Map.Entry<?, ?> field : table.entrySet()) {
            Texts.putShort(to, (String) field.getKey());
            writeValue(to, field.getValue());
        }
    }

    private static Map<String, @Nullable Object> readTable(ByteBuffer from) {
        int count = Texts.checkedLength(from, from.getInt());
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String name = Texts.getShort(from);
            fields.put(name, readValue(from));
        }
        return fields;
    }

    private static void writeValue(ByteBuffer to, @Nullable Object value) {
        if (value instanceof String text) {
            to.put((byte) 'S');
            Texts.putLong(to, text);
        } else if (value instanceof Number number) {
            writeNumber(to, number);
        } else if (value == null) {
            to.put((byte) 'V');
        } else if (value instanceof Boolean bit) {
            to.put((byte) 't').put((byte) (bit ? 1 : 0));
        } else if (value instanceof Instant time) {
            to.put((byte) 'T').putLong(time.getEpochSecond());
        } else if (value instanceof Map<?, ?> table) {
            to.put((byte) 'F');
            writeTable(to, table);
        } else if (value instanceof List<?> list) {
            to.put((byte) 'A').putInt(list.size());
            list.forEach(element -> writeValue(to, element));
        } else if (value instanceof OpaqueString text) {
            to.put((byte) 'O');
            Texts.putBytes(to, text.bytes());
        } else {
            to.put((byte) 'x');
            Texts.putBytes(to, (byte[]) value);
        }
    }

    private static void writeNumber(ByteBuffer to, Number number) {
        if (number instanceof Integer) {
            to.put((byte) 'I').putInt(number.intValue());
        } else if (number instanceof Long) {
            to.put((byte) 'l').putLong(number.longValue());
        } else if (number instanceof Double) {
            to.put((byte) 'd').putDouble(number.doubleValue());
        } else if (number instanceof Float) {
            to.put((byte) 'f').putFloat(number.floatValue());
        } else if (number instanceof Short) {
            to.put((byte) 's').putShort(number.shortValue());
        } else if (number instanceof Byte) {
            to.put((byte) 'b').put(number.byteValue());
        } else if (number instanceof Unsigned unsigned) {
            to.put((byte) letter(unsigned.width())).putLong(unsigned.longValue());
        } else {
            BigDecimal decimal = (BigDecimal) number;
            to.put((byte) 'D').put((byte) decimal.scale());
            to.putInt(decimal.unscaledValue().intValue());
        }
    }

    private static char letter(Unsigned.Width width) {
        return switch (width) {
            case OCTET -> 'B';
            case SHORT -> 'u';
            case INT -> 'i';
        };
    }

    private static @Nullable Object readValue(ByteBuffer from) {
        byte type = from.get();
        return switch (type) {
            case 'S' -> Texts.getLong(from);
            case 'I' -> from.getInt();
            case 'l' -> from.getLong();
            case 't' -> from.get() != 0;
            case 'b' -> from.get();
            case 'B' -> Unsigned.of(Unsigned.Width.OCTET, from.getLong());
            case 's' -> from.getShort();
            case 'u' -> Unsigned.of(Unsigned.Width.SHORT, from.getLong());
            case 'i' -> Unsigned.of(Unsigned.Width.INT, from.getLong());
            case 'f' -> from.getFloat();
            case 'd' -> from.getDouble();
            case 'D' -> readDecimal(from);
            case 'T' -> Instant.ofEpochSecond(from.getLong());
            case 'x' -> Texts.getBytes(from);
            case 'O' -> OpaqueString.of(Texts.getBytes(from));
            case 'F' -> readTable(from);
            case 'A' -> readList(from);
            case 'V' -> null;
            default -> throw new IllegalArgumentException("unknown type " + (type & 0xff) + " of a field");
        };
    }

    private static BigDecimal readDecimal(ByteBuffer from) {
        int scale = from.get() & 0xff;
        return new BigDecimal(BigInteger.valueOf(from.getInt()), scale);
    }

    private static List<@Nullable Object> readList(ByteBuffer from) {
        int count = Texts.checkedLength(from, from.getInt());
        List<@Nullable Object> elements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            elements.add(readValue(from));
        }
        return elements;
    }
}
