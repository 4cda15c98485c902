package io.warren.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.Message;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.ReleasedQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** All of a queue is read, whatever of it is in memory, on disk, or on its way there. */
class ContentReadingTest {
    private static final int AHEAD = 4;

    private final FakeQueueLog log = new FakeQueueLog();
    private final LocalBackingQueue queue =
            new LocalBackingQueue(1, log, changeBytes -> {}, new FakeBackingListener(), AHEAD);
    private final List<String> told = new ArrayList<>();

    ContentReadingTest() {
        log.keepsBodies = true;
    }

    private final class Told implements ReleasedQueue.Reader {
        @Override
        public void message(long offset, Message message, int priority, long expiresAtNs, boolean wasHandedOut) {
            String expiry = expiresAtNs == BackingQueue.NEVER ? "" : " expires " + expiresAtNs;
            told.add(offset + " " + message.routingKey() + " " + priority + expiry + (wasHandedOut ? " again" : ""));
        }

        @Override
        public void end(long nextOffset) {
            told.add("end " + nextOffset);
        }
    }

    private void publish(int count) {
        for (int i = 0; i < count; i++) {
            queue.publish(Messages.message("m"), 0, BackingQueue.NEVER, false);
        }
    }

    private void answerStores(int count) {
        List<Long> some = List.copyOf(log.storing.subList(0, count));
        log.storing.subList(0, count).clear();
        queue.onStored(some);
    }

    private void answerReads() {
        List<Long> asked = List.copyOf(log.reading);
        log.reading.clear();
        queue.onRead(asked, asked.stream().map(log.bodies::get).toList());
    }

    private static List<String> all(int count) {
        List<String> all = new ArrayList<>();
        for (int offset = 0; offset < count; offset++) {
            all.add(offset + " m 0");
        }
        all.add("end " + count);
        return all;
    }

    @Test
    void shouldTellWhatIsInMemoryAtOnce() {
        queue.publish(Messages.message("m"), 0, BackingQueue.NEVER, false);
        queue.publish(Messages.message("n"), 1, 77, false);
        queue.fetch(0);
        queue.requeue(0);
        queue.publish(Messages.message("left out"), 0, BackingQueue.NEVER, false);

        queue.read(Set.of(2L), new Told());

        assertThat(told).containsExactly("0 m 0 again", "1 n 1 expires 77", "end 3");
        assertThat(log.reading).isEmpty();
    }

    @Test
    void shouldTellThatNothingIsThere() {
        queue.read(Set.of(), new Told());

        assertThat(told).containsExactly("end 0");
    }

    @Test
    void shouldReadWhatIsOnDiskInBatches() {
        queue.lazy(true);
        publish(AHEAD + 300);
        answerStores(AHEAD + 300);

        queue.read(Set.of(), new Told());

        assertThat(told).hasSize(AHEAD);
        assertThat(log.reading).hasSize(256).startsWith(4L, 5L);
        answerReads();
        assertThat(log.reading).hasSize(300 - 256).startsWith(260L);
        answerReads();
        assertThat(told).isEqualTo(all(AHEAD + 300));
    }

    @Test
    void shouldAskForWhatLeftMemoryWhileOthersWereRead() {
        queue.lazy(true);
        publish(10);
        answerStores(6);
        queue.read(Set.of(), new Told());
        assertThat(log.reading).containsExactly(4L, 5L);

        answerStores(4);
        answerReads();

        assertThat(log.reading).containsExactly(6L, 7L, 8L, 9L);
        answerReads();
        assertThat(told).isEqualTo(all(10));
    }

    @Test
    void shouldWaitForWhatItHasAskedForWhenOthersComeFirst() {
        queue.lazy(true);
        publish(20);
        answerStores(20);
        for (long offset = 0; offset < AHEAD; offset++) {
            queue.fetch(offset);
        }
        queue.fetch(4);
        List<Long> ahead = List.copyOf(log.reading);
        log.reading.clear();
        queue.putBack(4);
        queue.read(Set.of(), new Told());
        List<Long> asked = List.copyOf(log.reading);

        queue.onRead(ahead, ahead.stream().map(log.bodies::get).toList());

        assertThat(log.reading).isEqualTo(asked);
        answerReads();
        assertThat(told).isEqualTo(all(20));
    }
}
