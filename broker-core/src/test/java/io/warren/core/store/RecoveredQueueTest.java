package io.warren.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.queue.OffsetBits;
import io.warren.core.store.format.MessageCodec;
import io.warren.core.store.format.QueueStates;
import io.warren.core.store.format.RecordKind;
import io.warren.core.store.format.Records;
import io.warren.core.store.format.Segment;
import io.warren.core.store.format.SegmentIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What records in the order of the log come to, for one queue. */
class RecoveredQueueTest {

    private static final long QUEUE = 1;
    private static final int START = 8;

    private final SegmentIndex index = new SegmentIndex();
    private final RecoveredQueue queue = new RecoveredQueue(QUEUE, (id, number) -> index);

    private static ByteBuffer published(long offset) {
        ByteBuffer bytes = ByteBuffer.allocate(1_024).position(START);
        Message message =
                Message.owning("", "q", Properties.builder().persistent().build(), new byte[3]);
        MessageCodec.write(bytes, QUEUE, offset, message, 0, Records.NEVER_MS, 0);
        return bytes;
    }

    /** A state that names one segment with these messages, one of which, the last, is settled if not all wait. */
    private static ByteBuffer state(long upToFile, boolean all, long... offsets) {
        OffsetBits unsettled = new OffsetBits();
        for (int i = 0; i < offsets.length - (all ? 0 : 1); i++) {
            unsettled.add(offsets[i]);
        }
        long last = offsets[offsets.length - 1];
        Segment segment = new Segment(7, offsets[0], last, offsets.length, unsettled);
        ByteBuffer bytes = ByteBuffer.allocate(1_024).position(START);
        new QueueStates(last + 1, upToFile, List.of(-1L), List.of(segment)).write(bytes, QUEUE);
        return bytes;
    }

    private List<Long> told() throws IOException {
        List<Long> told = new ArrayList<>();
        queue.forEach((offset, bodyBytes, priority, expiresAtNs, redelivered) -> told.add(offset));
        return told;
    }

    @Test
    void shouldTellMessageOnceWhenItsSegmentIsNamedAndItsLogFileIsStillThere() throws IOException {
        queue.record(published(0), START, 3, 100);
        queue.record(published(1), START, 3, 200);
        index.add(published(0).flip(), START, 16);
        index.add(published(1).flip(), START, 116);

        // The log file that was moved goes later: this state was written because another segment goes.
        queue.record(state(2, true, 0, 1), START, 4, 100);

        assertThat(queue.messageCount()).isEqualTo(2);
        assertThat(told()).containsExactly(0L, 1L);
    }

    @Test
    void shouldTellNothingThatWasSettledWhenItsSegmentIsNamed() throws IOException {
        queue.record(published(0), START, 3, 100);
        queue.record(published(1), START, 3, 200);
        index.add(published(0).flip(), START, 16);
        index.add(published(1).flip(), START, 116);
        ByteBuffer settled = ByteBuffer.allocate(256).position(START);
        int start = Records.begin(settled, RecordKind.SETTLE, 0, 0, QUEUE, 1);
        settled.putLong(1).putLong(1);
        Records.end(settled, start, 0);
        queue.record(settled, START, 3, 300);

        queue.record(state(2, false, 0, 1), START, 4, 100);

        assertThat(told()).containsExactly(0L);
    }
}
