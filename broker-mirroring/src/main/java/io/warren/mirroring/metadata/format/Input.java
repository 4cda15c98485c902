package io.warren.mirroring.metadata.format;

import io.warren.core.metadata.Definitions;
import io.warren.core.store.format.CommandCodec;
import io.warren.core.store.format.Records;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Bytes that are being read. What does not fit what is left is refused before anything of that size is made. */
final class Input {
    private final ByteBuffer bytes;

    Input(ByteBuffer bytes) {
        this.bytes = bytes.slice();
    }

    /** Reads all of it; too few bytes, too many, or impossible ones are an {@code IllegalArgumentException}. */
    static <T> T read(ByteBuffer bytes, String what, java.util.function.Function<Input, T> reader) {
        Input input = new Input(bytes);
        try {
            T value = reader.apply(input);
            if (input.bytes.hasRemaining()) {
                throw new IllegalArgumentException(what + " is followed by bytes=" + input.bytes.remaining());
            }
            return value;
        } catch (BufferUnderflowException | IndexOutOfBoundsException | NullPointerException torn) {
            throw new IllegalArgumentException(what + " is torn: bytes=" + bytes.remaining(), torn);
        }
    }

    boolean bit() {
        return bytes.get() != 0;
    }

    int octet() {
        return bytes.get() & 0xff;
    }

    int integer() {
        return bytes.getInt();
    }

    long number() {
        return bytes.getLong();
    }

    String text() {
        return new String(raw(count()), StandardCharsets.UTF_8);
    }

    byte[] raw(int count) {
        byte[] value = new byte[count];
        bytes.get(value);
        return value;
    }

    byte[] rest() {
        return raw(bytes.remaining());
    }

    /** A number of things, each at least a byte long. */
    int count() {
        int count = bytes.getInt();
        if (count < 0 || count > bytes.remaining()) {
            throw new IllegalArgumentException("count=" + count + " remaining=" + bytes.remaining());
        }
        return count;
    }

    <T> List<T> each(Supplier<T> read) {
        int count = count();
        List<T> values = new ArrayList<>(Math.min(count, 1024));
        for (int i = 0; i < count; i++) {
            values.add(read.get());
        }
        return values;
    }

    List<String> texts() {
        return each(this::text);
    }

    io.warren.core.metadata.Command topology() {
        int start = nextRecord();
        return CommandCodec.read(bytes, start);
    }

    /** Applies a command of a topology's snapshot. */
    Definitions topology(Definitions before) {
        int start = nextRecord();
        return before.withNextQueueId(Records.queueId(bytes, start))
                .apply(CommandCodec.read(bytes, start))
                .definitions();
    }

    private int nextRecord() {
        int start = bytes.position();
        if (!Records.isSound(bytes, start)) {
            throw new IllegalArgumentException("no command of a topology at byte " + start);
        }
        bytes.position(start + Records.length(bytes, start));
        return start;
    }
}
