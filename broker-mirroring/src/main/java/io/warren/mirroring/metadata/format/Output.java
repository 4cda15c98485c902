package io.warren.mirroring.metadata.format;

import io.warren.core.store.format.CommandCodec;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.function.Consumer;

/** Bytes that are being written; as many as an array holds. */
final class Output {
    private static final int BYTES_AT_FIRST = 256;

    private ByteBuffer bytes = ByteBuffer.allocate(BYTES_AT_FIRST);

    Output bit(boolean value) {
        return octet(value ? 1 : 0);
    }

    Output octet(int value) {
        room(1).put((byte) value);
        return this;
    }

    Output integer(int value) {
        room(Integer.BYTES).putInt(value);
        return this;
    }

    Output number(long value) {
        room(Long.BYTES).putLong(value);
        return this;
    }

    Output text(String value) {
        byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
        return integer(encoded.length).raw(encoded);
    }

    Output raw(byte[] value) {
        room(value.length).put(value);
        return this;
    }

    /** How many there are, and then each. */
    <T> Output each(Collection<T> values, Consumer<T> write) {
        integer(values.size());
        values.forEach(write);
        return this;
    }

    Output texts(Collection<String> values) {
        return each(values, this::text);
    }

    /** A command of the topology, as the record the core's store writes. */
    Output topology(long nextQueueId, io.warren.core.metadata.Command command) {
        while (true) {
            int start = bytes.position();
            try {
                CommandCodec.write(bytes, 0, nextQueueId, command);
                return this;
            } catch (BufferOverflowException full) {
                bytes.position(start);
                grow(bytes.remaining() + 1);
            }
        }
    }

    /** What was written so far, to be read only. */
    ByteBuffer written() {
        return bytes.duplicate().flip().asReadOnlyBuffer();
    }

    byte[] toArray() {
        byte[] array = new byte[bytes.position()];
        bytes.duplicate().flip().get(array);
        return array;
    }

    private ByteBuffer room(int count) {
        if (bytes.remaining() < count) {
            grow(count);
        }
        return bytes;
    }

    private void grow(int count) {
        long wanted = Math.max(2L * bytes.capacity(), (long) bytes.position() + count);
        bytes = ByteBuffer.allocate((int) Math.min(wanted, Integer.MAX_VALUE - 8))
                .put(bytes.flip());
    }
}
