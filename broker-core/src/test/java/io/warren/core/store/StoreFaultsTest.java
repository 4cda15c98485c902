package io.warren.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.spi.BackingQueue;
import io.warren.core.store.StoreFixture.TestQueue;
import io.warren.core.store.format.FileHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** What the store does when the disk does not do its part. */
class StoreFaultsTest {

    private final SimulatedDisk disk = new SimulatedDisk();

    private StoreFixture open() throws IOException {
        return new StoreFixture(disk, StoreSettings.small(64 * 1024));
    }

    @Test
    void shouldStopAndConfirmNothingWhenForceFails() throws IOException {
        StoreFixture store = open();
        TestQueue queue = store.queue("q");
        long before = queue.publish();
        store.round();
        disk.failForces(name -> name.startsWith("wal-"));

        long failed = queue.publish();
        store.round();
        disk.failForces(name -> false);
        long after = queue.publish();
        long barrier = queue.log.barrier();
        store.round();

        assertThat(store.heard.said).containsExactly("stopped: force of wal-0000000001.log failed");
        assertThat(queue.log.safeOffset()).isEqualTo(before).isLessThan(failed).isLessThan(after);
        assertThat(queue.log.passedBarrier()).isLessThan(barrier);
    }

    @Test
    void shouldWriteNothingMoreWhenForceHasFailed() throws IOException {
        StoreFixture store = open();
        TestQueue queue = store.queue("q");
        disk.failForces(name -> name.startsWith("wal-"));
        queue.publish();
        store.round();
        disk.failForces(name -> false);
        int operations = disk.operations().size();

        queue.publish();
        store.round();

        assertThat(disk.operations()).hasSize(operations);
    }

    @Test
    void shouldLetConsumersGoOnWhenStoreHasStopped() throws IOException {
        StoreFixture store = open();
        TestQueue queue = store.queue("q");
        disk.failForces(name -> name.startsWith("wal-"));
        long offset = queue.publish();
        assertThat(queue.log.mayHandOut(0, offset, true)).isFalse();

        store.round();

        assertThat(queue.handOutAnswers).isPositive();
        assertThat(queue.log.mayHandOut(0, offset, true)).isTrue();
        assertThat(queue.log.keepsBodies()).isFalse();
    }

    @Test
    void shouldRefuseChangesOfTopologyWhenTheirForceFails() throws IOException {
        StoreFixture store = open();
        disk.failForces(name -> name.startsWith("metadata-"));

        assertThatThrownBy(() -> store.queue("q")).hasMessageContaining("force of metadata");
        disk.failForces(name -> false);
        assertThatThrownBy(() -> store.queue("q")).hasMessageContaining("force of metadata");

        assertThat(store.hasQueue("q")).isFalse();
    }

    @Test
    void shouldRaiseAlarmWhenDiskIsNearlyFullAndEndItWhenThereIsRoom() throws IOException {
        StoreFixture store =
                new StoreFixture(disk, StoreSettings.defaults("test").with(64 * 1024, 1_000_000));
        TestQueue queue = store.queue("q");
        disk.freeBytes(900_000);
        queue.publish();
        store.round();
        assertThat(store.heard.said).containsExactly("disk low");
        assertThat(queue.log.safeOffset()).isEqualTo(Long.MAX_VALUE);

        disk.freeBytes(2_000_000);
        store.round();

        assertThat(store.heard.said).containsExactly("disk low", "disk not low");
    }

    @Test
    void shouldWaitAndGoOnWhenDiskIsFullForAWhile() throws IOException {
        StoreFixture store =
                new StoreFixture(disk, StoreSettings.defaults("test").with(64 * 1024, 1_000));
        TestQueue queue = store.queue("q");
        disk.freeBytes(20);
        disk.onWaiting(() -> disk.freeBytes(1_000_000));

        long offset = queue.publish();
        store.round();

        assertThat(store.messages.failure()).isNull();
        assertThat(store.heard.said).startsWith("disk low");
        assertThat(queue.log.safeOffset()).isEqualTo(Long.MAX_VALUE);
        store.close();
        TestQueue again = open().opened("q");
        assertThat(again.found.keySet()).containsExactly(offset);
    }

    @Test
    void shouldGoOnWhenAnyOneWriteFindsTheDiskFull() throws IOException {
        int[] writes = {0};
        SimulatedDisk counted = new SimulatedDisk();
        counted.onWriting(name -> writes[0]++);
        assertThat(liveOn(counted)).isEqualTo(0);
        assertThat(writes[0]).isGreaterThan(60);

        for (int full = 1; full <= writes[0]; full++) {
            SimulatedDisk filled = new SimulatedDisk();
            int nth = full;
            int[] count = {0};
            filled.onWriting(name -> filled.freeBytes(++count[0] == nth ? 0 : Long.MAX_VALUE));
            filled.onWaiting(() -> filled.freeBytes(Long.MAX_VALUE));
            int refused = liveOn(filled);

            assertThat(refused)
                    .as("refused starts and declares, write %s", full)
                    .isLessThanOrEqualTo(1);
        }
    }

    /** Starts, declares, publishes, settles and rolls, with as many tries to begin as it takes; returns how many were refused. */
    private static int liveOn(SimulatedDisk disk) throws IOException {
        int refused = 0;
        StoreFixture store = null;
        while (store == null) {
            try {
                store = new StoreFixture(disk, StoreSettings.small(4096));
            } catch (IOException full) {
                assertThat(full).hasMessageContaining("No space left on device");
                refused++;
            }
        }
        TestQueue queue = null;
        while (queue == null) {
            try {
                queue = store.queue("q");
            } catch (CompletionException full) {
                assertThat(full).hasRootCauseMessage("No space left on device");
                refused++;
            }
        }
        for (int i = 0; i < 60; i++) {
            long offset = queue.publish();
            if (i % 3 == 2) {
                queue.settle(offset - 1);
            }
            queue.log.barrier();
            store.round();
        }
        assertThat(store.messages.failure()).isNull();
        assertThat(queue.log.safeOffset()).isEqualTo(Long.MAX_VALUE);
        store.close();
        disk.onWriting(name -> {});
        StoreFixture again = new StoreFixture(disk, StoreSettings.small(4096));
        assertThat(again.opened("q").found).hasSize(40);
        again.close();
        return refused;
    }

    @Test
    void shouldSayThatItHasStoppedWhenAnErrorStrikesTheWriter() throws IOException {
        StoreFixture store = open();
        TestQueue queue = store.queue("q");
        queue.publish();
        store.messages.writer().add(new LogEntry() {
            @Override
            void write(LogWriter writer) {
                throw new StackOverflowError("of the test");
            }
        });

        store.round();

        assertThat(store.heard.said).containsExactly("stopped: of the test");
        assertThat(queue.log.safeOffset()).isLessThan(0);
    }

    @Test
    void shouldNotTouchTheTopologyAnyMoreWhenItsForceHasFailed() throws IOException {
        StoreFixture store = open();
        disk.failForces(name -> name.startsWith("metadata-"));
        assertThatThrownBy(() -> store.queue("q")).hasMessageContaining("force of metadata");
        disk.failForces(name -> false);
        int operations = disk.operations().size();

        store.close();

        assertThat(disk.operations().subList(operations, disk.operations().size()))
                .noneMatch(operation -> operation.contains("metadata-"));
    }

    @Test
    void shouldGoOnWhenAQueueIsDeletedWhileItsBodiesAreRead() throws Exception {
        StoreFixture store = new StoreFixture(disk, StoreSettings.small(4096), StoreThread::new);
        TestQueue other = store.queue("other");
        other.publish();
        TestQueue queue = store.queue("q");
        for (int i = 0; i < 60; i++) {
            queue.publish();
            store.round();
        }
        assertThat(disk.list()).anyMatch(FileNames::isSegment);
        CountDownLatch isReading = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        other.onRead = () -> {
            isReading.countDown();
            awaitUnchecked(mayGoOn);
        };
        other.log.read(List.of(0L));
        awaitUnchecked(isReading);

        queue.log.read(List.copyOf(LongStream.range(0, 60).boxed().toList()));
        queue.log.delete();
        store.messages.writer().round();
        mayGoOn.countDown();
        store.round();

        assertThat(store.messages.failure()).isNull();
        assertThat(queue.read).isEmpty();
        assertThat(other.readBody(0)).isEqualTo(other.body(0));
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Test
    void shouldGoOnWhenAQueueIsDeletedWhileOneOfItsSegmentsIsCopied() throws IOException {
        StoreFixture store = new StoreFixture(disk, StoreSettings.small(4096));
        TestQueue queue = store.queue("q");
        for (int i = 0; i < 60; i++) {
            queue.publish();
            store.round();
        }
        List<String> before = disk.list().stream().filter(FileNames::isSegment).toList();
        assertThat(before).isNotEmpty();
        boolean[] deleted = {false};
        disk.onCreating(name -> {
            if (FileNames.isSegment(name) && !deleted[0]) {
                deleted[0] = true;
                queue.log.delete();
            }
        });

        // Three quarters of each segment: the rest is worth a copy.
        for (long offset = 0; offset < 60; offset++) {
            if (offset % 8 != 0) {
                queue.settle(offset);
            }
        }
        queue.log.barrier();
        store.round();

        assertThat(deleted[0]).isTrue();
        assertThat(store.messages.failure()).isNull();
        assertThat(disk.list()).noneMatch(FileNames::isSegment);
    }

    @Test
    void shouldReadAMessageAtAnyTimeWhileItIsWrittenToTheLogAgain() throws IOException {
        StoreFixture store = new StoreFixture(disk, StoreSettings.small(4096));
        TestQueue queue = store.queue("q");
        queue.publish();
        store.round();
        int[] readAgain = {0};
        disk.onWriting(name -> {
            if (name.startsWith("wal-")) {
                queue.read.clear();
                store.read(queue, List.of(0L));
                readAgain[0] += queue.read.size();
            }
        });

        for (int i = 0; i < 150; i++) {
            queue.settle(queue.publish());
            store.round();
        }

        assertThat(store.messages.failure()).isNull();
        assertThat(disk.operations()).anyMatch(operation -> operation.startsWith("delete wal-"));
        assertThat(disk.list()).noneMatch(FileNames::isSegment);
        assertThat(readAgain[0]).isGreaterThanOrEqualTo(150);
    }

    @Test
    void shouldDropWhatNobodyOpens() throws IOException {
        StoreFixture first = new StoreFixture(disk, StoreSettings.small(4096));
        TestQueue kept = first.queue("kept");
        TestQueue dropped = first.queue("dropped");
        for (int i = 0; i < 60; i++) {
            kept.publish();
            dropped.publish();
            first.round();
        }
        first.close();
        StoreFixture second = new StoreFixture(disk, StoreSettings.small(4096));
        TestQueue opened = second.opened("kept");

        second.messages.dropUnopened();
        for (long offset : List.copyOf(opened.found.keySet())) {
            opened.settle(offset);
        }
        for (int i = 0; i < 60; i++) {
            opened.settle(opened.publish());
            second.round();
        }

        assertThat(second.messages.failure()).isNull();
        assertThat(disk.list()).hasSizeLessThan(8).noneMatch(FileNames::isSegment);
    }

    @Test
    void shouldRefuseToStartWhenForcedPlaceIsDamaged() throws IOException {
        StoreFixture store = open();
        TestQueue queue = store.queue("q");
        for (int i = 0; i < 3; i++) {
            queue.publish("xxxx", true, BackingQueue.NEVER, false);
            store.round();
        }
        byte[] bytes = disk.bytes("wal-0000000001.log");
        int first = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("xxxx");
        SimulatedDisk found = disk.afterCrash(SimulatedDisk.Loss.NOTHING, 0);
        bytes[first] = 'y';
        found.put("wal-0000000001.log", bytes);

        assertThatThrownBy(() -> new StoreFixture(found, StoreSettings.small(64 * 1024)))
                .isInstanceOf(DamagedStoreException.class)
                .hasMessageContaining("wal-0000000001.log is damaged at byte 80: the batch at byte")
                .hasMessageContaining("says that this place had been forced")
                .hasMessageContaining("Nothing was changed");
        assertThat(found.operations()).noneMatch(operation -> operation.contains("wal-"));
    }

    @Test
    void shouldCutWhenNobodySaysThatTheDamagedPlaceWasForced() throws IOException {
        StoreFixture store = open();
        TestQueue queue = store.queue("q");
        long kept = queue.publish("xxxx", true, BackingQueue.NEVER, false);
        store.round();
        queue.publish("zzzz", true, BackingQueue.NEVER, false);
        store.round();
        SimulatedDisk found = disk.afterCrash(SimulatedDisk.Loss.NOTHING, 0);
        found.damage("wal-0000000001.log", (byte) 'z');

        StoreFixture again = new StoreFixture(found, StoreSettings.small(64 * 1024));

        assertThat(again.opened("q").found.keySet()).containsExactly(kept);
        assertThat(again.stores.cutBytes()).isPositive();
    }

    @Test
    void shouldRefuseToStartWhenALogFileIsMissing() throws IOException {
        StoreFixture store = new StoreFixture(disk, new StoreSettings("test", 4096, 1 << 20, 2048, 0, 1 << 20, 0));
        TestQueue queue = store.queue("q");
        for (int i = 0; i < 40; i++) {
            queue.publish();
            store.round();
        }
        store.close();
        List<String> logs = disk.list().stream()
                .filter(name -> name.startsWith("wal-"))
                .sorted()
                .toList();
        assertThat(logs).hasSizeGreaterThan(2);
        disk.delete(logs.get(1));

        assertThatThrownBy(this::open)
                .isInstanceOf(DamagedStoreException.class)
                .hasMessageContaining(logs.get(1))
                .hasMessageContaining("the file is missing");
    }

    @Test
    void shouldRefuseToStartWhenVersionIsUnknown() throws IOException {
        StoreFixture store = open();
        store.queue("q").publish();
        store.round();
        store.close();
        byte[] bytes = disk.bytes("wal-0000000001.log");
        ByteBuffer header = ByteBuffer.allocate(FileHeader.BYTES);
        header.put(FileHeader.bytes(FileHeader.Kind.LOG, 1, 0));
        header.putInt(8, 3);
        CRC32C crc = new CRC32C();
        crc.update(header.array(), 0, 36);
        header.putInt(36, (int) crc.getValue());
        System.arraycopy(header.array(), 0, bytes, 0, FileHeader.BYTES);
        disk.put("wal-0000000001.log", bytes);

        assertThatThrownBy(this::open)
                .hasMessage(
                        "wal-0000000001.log was written in version 3 of the store; this broker knows version 2 only");
    }

    @Test
    void shouldGoOnWhenThereIsNoRoomToMoveMessages() throws IOException {
        StoreFixture store = new StoreFixture(disk, StoreSettings.small(4096));
        TestQueue queue = store.queue("q");
        disk.failForces(name -> name.startsWith("queue-"));
        for (int i = 0; i < 60; i++) {
            queue.publish();
            store.round();
        }
        assertThat(store.messages.failure()).isNull();
        assertThat(disk.list()).noneMatch(FileNames::isSegment);
        disk.failForces(name -> false);

        for (int i = 0; i < 60; i++) {
            queue.publish();
            store.round();
        }

        assertThat(disk.list()).anyMatch(FileNames::isSegment);
        assertThat(queue.log.safeOffset()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldTellWhenMoreIsHandedInThanWritten() throws IOException {
        StoreFixture store = new StoreFixture(disk, new StoreSettings("test", 1 << 20, 1 << 22, 1 << 18, 0, 10_000, 0));
        TestQueue queue = store.queue("q");

        for (int i = 0; i < 100; i++) {
            queue.publish();
        }
        assertThat(store.heard.said).containsExactly("behind");
        store.round();

        assertThat(store.heard.said).containsExactly("behind", "not behind");
    }

    @Test
    void shouldKeepSecondBrokerOutWhenDirectoryIsInUse() throws IOException {
        StoreFixture first = open();

        assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessage("locked");
        first.close();

        open().close();
    }

    @Test
    void shouldKeepTransientBodiesOnlyUntilRestart() throws IOException {
        StoreFixture store = open();
        TestQueue queue = store.queue("q");
        long kept = queue.publish();
        long gone = queue.publish("transient", false, BackingQueue.NEVER, true);
        store.round();
        assertThat(queue.stored).containsExactly(gone);
        store.read(queue, List.of(gone));
        assertThat(queue.readBody(gone)).isEqualTo("transient");
        store.close();

        TestQueue again = open().opened("q");

        assertThat(again.found.keySet()).containsExactly(kept);
    }

    @Test
    void shouldReadEveryBodyWhenMessagesWereMovedToSegments() throws IOException {
        StoreFixture store = new StoreFixture(disk, StoreSettings.small(4096));
        TestQueue queue = store.queue("q");
        for (int i = 0; i < 200; i++) {
            queue.publish();
            store.round();
        }
        assertThat(disk.list()).anyMatch(FileNames::isSegment);

        List<Long> all = new java.util.ArrayList<>();
        for (long offset = 0; offset < 200; offset++) {
            all.add(offset);
        }
        store.read(queue, all);

        assertThat(queue.read).hasSize(200);
        all.forEach(offset -> assertThat(queue.readBody(offset)).isEqualTo(queue.body(offset)));
    }

    @Test
    void shouldKeepFewFilesWhenEverythingIsConsumed() throws IOException {
        StoreFixture store = new StoreFixture(disk, StoreSettings.small(4096));
        TestQueue queue = store.queue("q");
        for (int i = 0; i < 300; i++) {
            long offset = queue.publish();
            if (offset >= 50) {
                queue.settle(offset - 50);
            }
            store.round();
        }
        for (long offset = 250; offset < 300; offset++) {
            queue.settle(offset);
        }
        queue.log.barrier();
        store.round();

        // Each log file costs 4 KiB, and segments that are settled are gone.
        assertThat(disk.list()).hasSizeLessThan(8).noneMatch(FileNames::isSegment);
    }

    @Test
    void shouldMarkWhatMayHaveBeenSeenOnly() throws IOException {
        StoreFixture store = open();
        TestQueue queue = store.queue("q");
        for (int i = 0; i < 10; i++) {
            queue.publish();
        }
        assertThat(queue.log.mayHandOut(0, 0, true)).isFalse();
        store.round();
        assertThat(queue.log.mayHandOut(0, 0, true)).isTrue();
        SimulatedDisk found = disk.afterCrash(SimulatedDisk.Loss.NOTHING, 0);

        TestQueue again = new StoreFixture(found, StoreSettings.small(64 * 1024)).opened("q");

        assertThat(again.found.get(0L)).isTrue();
        assertThat(again.found.get(1L)).isFalse();
        assertThat(again.found).hasSize(10);
    }
}
