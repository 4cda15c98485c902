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
import io.warren.mirroring.queue.SnapshotReader;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One copy in a log: what is reported, what is kept, and what goes. */
class EntryLogTest {
    private static final Member SELF = new Member("n", 1);
    private static final long QUEUE = 7;
    private static final long LOG_ID = 3;
    private static final int FILE_BYTES = 8 * 1024;

    private final SimulatedDisk disk = new SimulatedDisk();
    private final ArrayDeque<Runnable> rounds = new ArrayDeque<>();
    private final List<String> heard = new ArrayList<>();
    private EntryLog log;
    private Copy copy;
    private long offset;
    private long forgotten;
    private StoredReplica replica = new StoredReplica(ReplicaSnapshot.EMPTY, Position.START);
    private final Senders senders = new Senders();

    @BeforeEach
    void open() throws IOException {
        log = open(disk);
        copy = log.begin(QUEUE, LOG_ID);
        copy.begin(new Hears());
        run();
        heard.clear();
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

    private final class Hears implements CopyListener {
        @Override
        public void onDurable(long upTo, long cuts) {
            heard.add("durable " + upTo + (copy.isCurrent(cuts) ? "" : " of before a cut"));
        }

        @Override
        public void onStateWanted() {
            copy.state(
                    copy.capture(new Position(1, forgotten), senders), replica.applied(), replica.snapshot(), () -> {});
        }

        @Override
        public void onFailed(Throwable failure) {
            heard.add("failed: " + failure.getMessage());
        }
    }

    private void append(byte[] payload, boolean persistent) {
        offset++;
        Entry<byte[]> entry =
                new Entry<>(new Position(1, offset), SELF, offset, persistent, payload.length, payload, null);
        replica.onEntry(entry);
        senders.onEntry(entry);
        copy.append(entry);
    }

    private void publish(long message, int bytes, boolean persistent) {
        PlainContent content = new PlainContent(1, QUEUE);
        byte[] body = ("m" + message + " ".repeat(bytes)).getBytes(UTF_8);
        content.add(message, Message.owning("", "q", Properties.NONE, body), 0, Records.NEVER_MS, persistent, false);
        append(content.snapshot(0).messagesFrom(0).get(0), persistent);
    }

    private void settle(long first, long last) {
        append(
                QueueEntryCodec.encode(
                        new QueueEntry.Settle(1, SettleReason.ACKNOWLEDGED, List.of(new OffsetRange(first, last)))),
                true);
    }

    private void forget() {
        forgotten = offset;
        replica.applyUpTo(offset);
        copy.forget(offset);
    }

    private FoundCopy afterCrash() throws IOException {
        EntryLog next = open(disk.afterCrash(SimulatedDisk.Loss.ALL, 0));
        FoundCopy found = next.found(QUEUE);
        next.abandon();
        return found;
    }

    private long filesBytes() throws IOException {
        return disk.list().stream()
                .filter(name -> EntryFiles.number(name) >= 0)
                .mapToLong(name -> disk.bytes(name).length)
                .sum();
    }

    @Test
    void shouldReportOnceForEverythingThatCameTogether() {
        publish(0, 10, true);
        publish(1, 10, true);
        publish(2, 10, false);

        run();

        assertThat(heard).containsExactly("durable 3");
    }

    @Test
    void shouldNotForceForATransientMessage() throws IOException {
        publish(0, 10, false);

        run();

        assertThat(heard).isEmpty();
        assertThat(afterCrash().last()).isZero();
    }

    @Test
    void shouldSayThatAReportIsOfBeforeACut() {
        publish(0, 10, true);
        copy.cut(1);
        run();
        assertThat(heard).isEqualTo(List.of("durable 0"));
        heard.clear();

        publish(0, 10, true);
        List<Runnable> late = List.copyOf(rounds);
        rounds.clear();
        late.forEach(Runnable::run);

        assertThat(heard).containsExactly("durable 2");
    }

    @Test
    void shouldStopAndReportNothingWhenAForceFails() throws IOException {
        publish(0, 10, true);
        run();
        heard.clear();
        disk.failForces(name -> name.startsWith("entries-"));

        publish(1, 10, true);
        run();
        publish(2, 10, true);
        run();

        assertThat(heard)
                .containsExactly(
                        "stopped: force of entries-0000000001.log failed",
                        "failed: force of entries-0000000001.log failed");
        assertThat(afterCrash().last()).isEqualTo(1);
    }

    @Test
    void shouldNotGrowWithTraffic() throws IOException {
        long most = 0;
        for (int message = 0; message < 5_000; message++) {
            publish(message, 100, true);
            settle(message, message);
            forget();
            run();
            most = Math.max(most, filesBytes());
        }

        assertThat(most).isLessThan(8 * FILE_BYTES);
        FoundCopy found = afterCrash();
        assertThat(found.snapshot().messageCount()).isZero();
        assertThat(found.snapshot().nextOffset()).isEqualTo(5_000);
        assertThat(found.last()).isEqualTo(10_000);
    }

    @Test
    void shouldLeaveABacklogWhereItIsWhenTrafficPasses() throws IOException {
        for (int message = 0; message < 1_000; message++) {
            publish(message, 100, true);
        }
        forget();
        run();
        List<String> dense = disk.list().stream().sorted().limit(10).toList();

        for (int message = 1_000; message < 10_000; message++) {
            publish(message, 100, true);
            settle(message, message);
            forget();
            run();
        }

        assertThat(disk.list()).containsAll(dense);
        FoundCopy found = afterCrash();
        assertThat(found.snapshot().messageCount()).isEqualTo(1_000);
        assertThat(filesBytes()).isLessThan(3 * 1_000 * 300);
    }

    @Test
    void shouldCarryAFewMessagesForwardThatNobodyTakes() throws IOException {
        publish(0, 100, true);
        for (int message = 1; message < 3_000; message++) {
            publish(message, 100, message % 2 == 0);
            if (message % 100 != 0) {
                settle(message, message);
            }
            if (message % 3 == 0) {
                forget();
            }
            run();
        }

        FoundCopy found = afterCrash();
        assertThat(disk.list()).doesNotContain("entries-0000000001.log");
        replica.applyUpTo(found.applied().offset());
        assertThat(found.snapshot().messageCount()).isEqualTo(30);
        assertThat(found.snapshot().messagesFrom(0).get(0))
                .isEqualTo(replica.snapshot().messagesFrom(0).get(0));
    }

    @Test
    void shouldFindTheStateOfBeforeUntilTheNewOneIsForced() throws IOException {
        publish(0, 10, true);
        publish(1, 10, true);
        run();
        ReplicaSnapshot other = replica.snapshot();
        List<String> forced = new ArrayList<>();

        copy.restart(new Position(4, 90), Map.of(SELF, 5L), other, () -> forced.add("forced"));
        FoundCopy before = afterCrash();
        run();
        FoundCopy after = afterCrash();

        assertThat(before.last()).isEqualTo(2);
        assertThat(forced).containsExactly("forced");
        assertThat(after.base()).isEqualTo(new Position(4, 90));
        assertThat(after.senders()).isEqualTo(Map.of(SELF, 5L));
        assertThat(after.snapshot()).isEqualTo(other);
    }

    @Test
    void shouldNotFindWhatWasDroppedThoughItsFilesAreThere() throws IOException {
        publish(0, 10, true);
        run();
        log.drop(QUEUE);
        publish(1, 10, true);
        Copy other = log.begin(QUEUE + 1, LOG_ID);
        other.begin(new Hears());
        run();

        assertThat(afterCrash()).isNull();
    }

    @Test
    void shouldSetAsideEverythingThatIsThere() throws IOException {
        publish(0, 10, true);
        forget();
        publish(1, 10, true);
        run();
        log.close();
        EntryLog next = open(disk);

        String where = next.setAside(next.found(QUEUE));
        run();

        assertThat(where).isEqualTo("aside-queue-7-log-3-at-2.state");
        assertThat(SnapshotReader.read(disk.bytes(where)).messageCount()).isEqualTo(2);
        assertThat(next.found(QUEUE)).isNull();
        next.close();
        assertThat(afterCrash()).isNull();
    }

    @Test
    void shouldGoOnInAnotherMetadataLog() throws IOException {
        publish(0, 10, true);
        run();
        log.close();
        EntryLog next = open(disk);

        Copy again = next.goOn(next.found(QUEUE), 99);
        again.begin(new Hears());
        copy = again;
        run();

        assertThat(heard).contains("durable 1");
        assertThat(afterCrash().logId()).isEqualTo(99);
        assertThat(afterCrash().last()).isEqualTo(1);
    }

    @Test
    void shouldWaitForRoomOnAFullDisk() throws IOException {
        SimulatedDisk small = new SimulatedDisk();
        EntryLog waiting = EntryLog.open(
                small,
                new EntryLogSettings("test", FILE_BYTES, 4 * FILE_BYTES, 1),
                failure -> heard.add("stopped"),
                StoreTasks.named("copies"),
                rounds::add);
        Copy its = waiting.begin(QUEUE, LOG_ID);
        copy = its;
        its.begin(new Hears());
        run();
        heard.clear();
        small.freeBytes(10);
        small.onWaiting(() -> small.freeBytes(1 << 20));

        publish(0, 1_000, true);
        run();

        assertThat(heard).containsExactly("durable 1");
    }
}
