package io.warren.mirroring.entrylog;

import io.warren.mirroring.queue.OffsetRange;
import io.warren.mirroring.queue.SnapshotReader;
import io.warren.mirroring.queue.SnapshotWriter;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A state as the content of a record.
 *
 * <pre>
 *  0  long  metadata log
 *  8        base: epoch (8), offset (8); applied: epoch (8), offset (8)
 * 40  int   ranges of messages, each first (8) and last (8)
 *     int   rows of the table of senders, each sequence (8) and member
 *           the tables, as a {@link SnapshotWriter} writes them
 * </pre>
 */
final class StateFormat {
    private static final int FIXED_BYTES = 48;
    private static final int RANGE_BYTES = 2 * Long.BYTES;

    private StateFormat() {}

    static byte[] bytes(CopyState state) {
        byte[] tables = SnapshotWriter.toBytes(state.tables());
        int senderBytes = 0;
        for (Member sender : state.senders().keySet()) {
            senderBytes += 2 * Long.BYTES + EntryFormat.textBytes(sender.node());
        }
        ByteBuffer to =
                ByteBuffer.allocate(FIXED_BYTES + RANGE_BYTES * state.messages().size() + senderBytes + tables.length);
        to.putLong(state.logId());
        writePosition(to, state.base());
        writePosition(to, state.applied());
        to.putInt(state.messages().size());
        state.messages().forEach(range -> to.putLong(range.first()).putLong(range.last()));
        to.putInt(state.senders().size());
        state.senders().forEach((sender, sequence) -> {
            to.putLong(sequence);
            EntryFormat.writeMember(to, sender);
        });
        to.put(tables);
        return EntryFormat.rest(to.flip());
    }

    static CopyState read(ByteBuffer from) {
        long logId = from.getLong();
        Position base = readPosition(from);
        Position applied = readPosition(from);
        List<OffsetRange> messages = new ArrayList<>();
        for (int left = from.getInt(); left > 0; left--) {
            messages.add(new OffsetRange(from.getLong(), from.getLong()));
        }
        Map<Member, Long> senders = new LinkedHashMap<>();
        for (int left = from.getInt(); left > 0; left--) {
            long sequence = from.getLong();
            senders.put(EntryFormat.readMember(from), sequence);
        }
        return new CopyState(logId, base, senders, applied, messages, SnapshotReader.read(EntryFormat.rest(from)));
    }

    private static void writePosition(ByteBuffer to, Position position) {
        to.putLong(position.epoch()).putLong(position.offset());
    }

    private static Position readPosition(ByteBuffer from) {
        return new Position(from.getLong(), from.getLong());
    }
}
