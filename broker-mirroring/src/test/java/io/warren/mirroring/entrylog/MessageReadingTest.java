package io.warren.mirroring.entrylog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.store.SimulatedDisk;
import io.warren.core.store.StoreTasks;
import io.warren.core.store.format.Records;
import io.warren.mirroring.queue.OffsetRange;
import io.warren.mirroring.queue.PlainContent;
import io.warren.mirroring.queue.QueueEntry;
import io.warren.mirroring.queue.QueueEntryCodec;
import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.queue.SettleReason;
import io.warren.mirroring.queue.StoredEntry;
import io.warren.mirroring.queue.StoredReplica;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.Senders;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages of copies, read back from wherever they stand by then. */
class MessageReadingTest {
    private static final Member SELF = new Member("n", 1);
    private static final long LOG_ID = 3;
    private static final int FILE_BYTES = 8 * 1024;
    private static final int BODY_BYTES = 200;

    private final SimulatedDisk disk = new SimulatedDisk();
    /** Rounds of the log, and readings behind them. */
    private final ArrayDeque<Runnable> rounds = new ArrayDeque<>();

    private final List<String> heard = new ArrayList<>();
    private EntryLog log;
    private Written copy;

    @BeforeEach
    void open() throws IOException {
        log = open(disk);
        copy = new Written(7);
        run();
    }

    private EntryLog open(SimulatedDisk on) throws IOException {
        return EntryLog.open(
                on,
                new EntryLogSettings("test", FILE_BYTES, 4 * FILE_BYTES, 0),
                failure -> heard.add("stopped: " + failure.getMessage()),
                StoreTasks.named("copies"),
                rounds::add);
    }

    private void run() {
        for (Runnable round = rounds.poll(); round != null; round = rounds.poll()) {
            round.run();
        }
    }

    /** One copy, with what its member knows. */
    private final class Written implements CopyListener {
        private final long queueId;
        private final Copy copy;
        private final StoredReplica replica = new StoredReplica(ReplicaSnapshot.EMPTY, Position.START);
        private final Senders senders = new Senders();
        private final Map<Long, byte[]> published = new TreeMap<>();
        private final Map<Long, byte[]> read = new TreeMap<>();
        private long offset;
        private long forgotten;

        Written(long queueId) {
            this.queueId = queueId;
            copy = log.begin(queueId, LOG_ID);
            copy.begin(this);
        }

        @Override
        public void onDurable(long upTo, long cuts) {}

        @Override
        public void onStateWanted() {
            copy.state(
                    copy.capture(new Position(1, forgotten), senders), replica.applied(), replica.snapshot(), () -> {});
        }

        @Override
        public void onFailed(Throwable failure) {
            heard.add("copy " + queueId + " failed: " + failure.getMessage());
        }

        private void append(byte[] payload) {
            offset++;
            Entry<byte[]> entry =
                    new Entry<>(new Position(1, offset), SELF, offset, true, payload.length, payload, null);
            replica.onEntry(entry);
            senders.onEntry(entry);
            copy.append(entry);
        }

        void publish(long first, long last) {
            for (long message = first; message <= last; message++) {
                PlainContent content = new PlainContent(1, queueId);
                byte[] body = ("m" + message + (message == 2 ? "~" : " ").repeat(BODY_BYTES)).getBytes(UTF_8);
                content.add(message, Message.owning("", "q", Properties.NONE, body), 0, Records.NEVER_MS, true, false);
                byte[] publish = content.snapshot(0).messagesFrom(0).get(0);
                published.put(message, publish);
                append(publish);
            }
        }

        void settle(long first, long last) {
            append(QueueEntryCodec.encode(
                    new QueueEntry.Settle(1, SettleReason.ACKNOWLEDGED, List.of(new OffsetRange(first, last)))));
        }

        void forget() {
            forgotten = offset;
            replica.applyUpTo(offset);
            copy.forget(offset);
        }

        void read(long... messages) {
            copy.read(copy.generation(), LongStream.of(messages).boxed().toList(), read::putAll);
        }

        void assertRead(long... messages) {
            assertThat(read.keySet())
                    .containsExactly(LongStream.of(messages).boxed().toArray(Long[]::new));
            read.forEach((message, publish) -> assertThat(publish).isEqualTo(published.get(message)));
        }
    }

    @Test
    void shouldReadWhatWasHandedInJustBefore() {
        copy.publish(0, 2);
        copy.forget();
        copy.publish(3, 4);

        copy.read(0, 1, 2, 3, 4);
        run();

        copy.assertRead(0, 1, 2, 3, 4);
    }

    @Test
    void shouldLeaveOutWhatIsSettled() {
        copy.publish(0, 4);
        copy.settle(1, 2);
        copy.forget();
        run();

        copy.read(0, 1, 2, 3);
        run();

        copy.assertRead(0, 3);
    }

    @Test
    void shouldReadWhereThingsHaveGoneWhenFilesAreReclaimed() throws IOException {
        copy.publish(0, 0);
        for (long message = 1; message < 2_000; message++) {
            copy.publish(message, message);
            if (message % 100 != 0) {
                copy.settle(message, message);
            }
            copy.forget();
            run();
            if (message % 50 == 0) {
                copy.read.clear();
                copy.read(0, message / 100 * 100);
                run();
                assertThat(copy.read.get(0L)).isEqualTo(copy.published.get(0L));
                assertThat(copy.read).containsKey(message / 100 * 100);
            }
        }

        assertThat(disk.list()).doesNotContain("entries-0000000001.log");
        assertThat(heard).isEmpty();
    }

    @Test
    void shouldKeepAFileUntilItWasRead() throws IOException {
        copy.publish(0, 0);
        copy.forget();
        run();
        copy.read(0);
        // The round has looked for it; the reading comes behind everything else.
        rounds.poll().run();
        Runnable reading = rounds.poll();
        copy.settle(0, 0);

        for (long message = 1; message < 1_000; message++) {
            copy.publish(message, message);
            copy.settle(message, message);
            copy.forget();
            run();
        }
        assertThat(disk.list()).contains("entries-0000000001.log");
        assertThat(copy.read).isEmpty();

        reading.run();
        run();

        copy.assertRead(0);
        assertThat(disk.list()).doesNotContain("entries-0000000001.log");
        SimulatedDisk after = disk.afterCrash(SimulatedDisk.Loss.ALL, 0);
        assertThat(open(after).found(7).snapshot().messageCount()).isZero();
    }

    @Test
    void shouldSayWhereADamagedMessageStandsAndFailThatCopyOnly() throws IOException {
        Written other = new Written(8);
        copy.publish(0, 3);
        copy.forget();
        other.publish(0, 0);
        other.forget();
        run();
        disk.damage("entries-0000000001.log", (byte) '~');

        copy.read(1, 2, 3);
        other.read(0);
        run();

        assertThat(heard).singleElement().asString().contains("copy 7 failed", "entries-0000000001.log", "byte");
        assertThat(copy.read).isEmpty();
        other.assertRead(0);
    }

    @Test
    void shouldAnswerNobodyOfAGenerationOfBefore() {
        copy.publish(0, 2);
        copy.forget();
        run();
        int before = copy.copy.generation();
        copy.read(0);

        copy.copy.restart(new Position(4, 90), Map.of(), ReplicaSnapshot.EMPTY, () -> {});
        copy.copy.read(before, List.of(1L), copy.read::putAll);
        run();

        assertThat(copy.read).isEmpty();
        assertThat(heard).isEmpty();
    }

    @Test
    void shouldWriteAgainWhatWasPutInFromTheGenerationOfBefore() throws IOException {
        copy.publish(0, 99);
        copy.forget();
        copy.publish(100, 119);
        run();
        List<byte[]> held = new ArrayList<>();
        copy.published.values().forEach(publish -> held.add(StoredEntry.paged(publish)));
        ReplicaSnapshot tables = copy.replica.snapshot().withoutMessages();

        int generation = copy.copy.restart(new Position(4, 900), Map.of(SELF, 5L), tables, () -> {});
        run();
        Written passing = new Written(8);
        for (long message = 0; message < 300; message++) {
            passing.publish(message, message);
            passing.settle(message, message);
            passing.forget();
            run();
        }
        copy.copy.fill(generation, held.subList(0, 60));
        copy.copy.fill(generation, held.subList(60, 120));
        copy.read(5, 77, 119);
        run();

        copy.assertRead(5, 77, 119);
        assertThat(heard).isEmpty();
    }

    @Test
    void shouldFindEverythingThatWasPutInWhenNothingIsMissing() throws IOException {
        copy.publish(0, 49);
        copy.forget();
        run();
        ReplicaSnapshot whole = copy.replica.snapshot();
        List<byte[]> held = new ArrayList<>(whole.messagesFrom(0));
        held.set(10, copy.published.get(10L));
        Position upTo = new Position(4, 900);

        int generation = copy.copy.restart(upTo, Map.of(SELF, 5L), whole.withoutMessages(), () -> {});
        copy.copy.fill(generation, held);
        run();
        SimulatedDisk meanwhile = disk.afterCrash(SimulatedDisk.Loss.ALL, 0);
        copy.copy.state(copy.copy.capture(upTo, new Senders()), upTo, whole, () -> heard.add("kept"));
        run();

        assertThat(open(meanwhile).found(7).snapshot().messageCount()).isZero();
        SimulatedDisk after = disk.afterCrash(SimulatedDisk.Loss.ALL, 0);
        EntryLog next = open(after);
        FoundCopy found = next.found(7);
        assertThat(found.snapshot().messagesFrom(0)).hasSize(50).allMatch(StoredEntry::isPaged);
        Map<Long, byte[]> read = new TreeMap<>();
        Copy again = next.goOn(found, LOG_ID);
        again.read(again.generation(), List.of(0L, 10L, 49L), read::putAll);
        run();
        assertThat(read.keySet()).containsExactly(0L, 10L, 49L);
        read.forEach((message, publish) -> assertThat(publish).isEqualTo(copy.published.get(message)));
        assertThat(heard).containsExactly("kept");
    }

    @Test
    void shouldFailTheCopyThatHasNotWhatWasPutIn() {
        copy.publish(0, 0);
        copy.forget();
        run();
        byte[] unknown = StoredEntry.paged(copy.published.get(0L));
        int generation = copy.copy.restart(
                new Position(4, 9), Map.of(), copy.replica.snapshot().withoutMessages(), () -> {});
        copy.copy.fill(generation, List.of(unknown));
        copy.copy.fill(generation, List.of(unknown));
        run();

        assertThat(heard).containsExactly("copy 7 failed: message 0 of the copy of queue 7 is nowhere");
    }
}
