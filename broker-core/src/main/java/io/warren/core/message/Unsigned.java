package io.warren.core.message;

import org.jspecify.annotations.Nullable;

/**
 * An unsigned integer of a field table, which Java has no type for: kept with its width, so that it leaves as it came.
 *
 * <p>As a number it behaves like any other; the widths are AMQP's {@code B}, {@code u} and {@code i}.
 */
public final class Unsigned extends Number {

    private static final long serialVersionUID = 1L;

    /** How many bits it has on the wire. */
    public enum Width {
        /** 0 to 255. */
        OCTET(8, "unsignedbyte"),
        /** 0 to 65,535. */
        SHORT(16, "unsignedshort"),
        /** 0 to 4,294,967,295. */
        INT(32, "unsignedint");

        private final long max;
        private final String typeName;

        Width(int bits, String typeName) {
            this.max = (1L << bits) - 1;
            this.typeName = typeName;
        }

        /** RabbitMQ's name of the type. */
        String typeName() {
            return typeName;
        }
    }

    private final Width width;
    private final long value;

    private Unsigned(Width width, long value) {
        if (value < 0 || value > width.max) {
            throw new IllegalArgumentException("value=" + value + " is not from 0 to " + width.max);
        }
        this.width = width;
        this.value = value;
    }

    /** An integer of a width. */
    public static Unsigned of(Width width, long value) {
        return new Unsigned(width, value);
    }

    public Width width() {
        return width;
    }

    @Override
    public int intValue() {
        return (int) value;
    }

    @Override
    public long longValue() {
        return value;
    }

    @Override
    public float floatValue() {
        return value;
    }

    @Override
    public double doubleValue() {
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Unsigned that && width == that.width && value == that.value;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
