package io.warren.mirroring.metadata.format;

import io.warren.mirroring.metadata.Command;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One entry of the metadata log.
 *
 * <pre>
 * 0  byte  version
 * 1  byte  kind: 1 commands, 2 a part of the state the log begins with
 * 2        commands: count, each as {@link CommandBytes} has it
 *          part: int number from 0, int how many there are, bytes
 * </pre>
 */
public sealed interface LogEntry {
    /** The version this code writes, and the only one it reads. */
    int VERSION = 1;

    /** Bytes of an entry of commands before the first of them. */
    int HEADER_BYTES = 2 + Integer.BYTES;

    /** Commands, in order. */
    record Commands(List<Command> commands) implements LogEntry {
        public Commands {
            commands = List.copyOf(commands);
        }
    }

    /**
     * Bytes of the state with which the log begins; the parts come one after the other, before any commands.
     */
    final class Part implements LogEntry {
        private final int number;
        private final int count;
        private final byte[] bytes;

        Part(int number, int count, byte[] bytes) {
            this.number = number;
            this.count = count;
            this.bytes = bytes;
        }

        /** Which it is, from 0. */
        public int number() {
            return number;
        }

        public boolean isLast() {
            return number == count - 1;
        }

        public byte[] bytes() {
            return bytes.clone();
        }
    }

    /** An entry of commands that {@link CommandBytes} has written. */
    static byte[] ofCommands(List<byte[]> commands) {
        Output to = new Output();
        to.octet(VERSION).octet(1).each(commands, to::raw);
        return to.toArray();
    }

    /**
     * The entries with which a log begins.
     *
     * @param state what {@link StateBytes} has written
     * @param partBytes most bytes of it in one entry
     */
    static List<byte[]> ofState(byte[] state, int partBytes) {
        int count = Math.max(1, (state.length + partBytes - 1) / partBytes);
        List<byte[]> entries = new ArrayList<>(count);
        for (int number = 0; number < count; number++) {
            int start = number * partBytes;
            byte[] part = Arrays.copyOfRange(state, start, Math.min(state.length, start + partBytes));
            entries.add(new Output()
                    .octet(VERSION)
                    .octet(2)
                    .integer(number)
                    .integer(count)
                    .raw(part)
                    .toArray());
        }
        return entries;
    }

    static LogEntry read(ByteBuffer bytes) {
        return Input.read(bytes, "an entry of the metadata log", from -> {
            int version = from.octet();
            if (version != VERSION) {
                throw new IllegalArgumentException(
                        "version=" + version + " of an entry of the metadata log; this one reads " + VERSION);
            }
            int kind = from.octet();
            return switch (kind) {
                case 1 -> new Commands(from.each(() -> CommandBytes.read(from)));
                case 2 -> new Part(from.integer(), from.integer(), from.rest());
                default -> throw new IllegalArgumentException("kind=" + kind + " of an entry of the metadata log");
            };
        });
    }
}
