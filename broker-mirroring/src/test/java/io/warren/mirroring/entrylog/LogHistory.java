package io.warren.mirroring.entrylog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.store.SimulatedDisk;
import io.warren.core.store.StoreTasks;
import io.warren.mirroring.queue.SnapshotReader;
import io.warren.mirroring.queue.StoredEntry;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Three copies in one log, by chance: what they do is the same for a seed, whatever becomes of the disk. */
final class LogHistory {
    static final EntryLogSettings SETTINGS = new EntryLogSettings("test", 2_048, 8_192, 0);

    private final SplittableRandom random;
    private final List<CopyModel> copies = new ArrayList<>();
    private final ArrayDeque<Runnable> rounds = new ArrayDeque<>();
    private Throwable stopped;

    LogHistory(long seed) {
        random = new SplittableRandom(seed);
        for (int i = 1; i <= 3; i++) {
            copies.add(new CopyModel(i, seed * 31 + i));
        }
    }

    /** Lives so many times on a disk; false if that came to its end. */
    boolean run(SimulatedDisk disk, int lives, int steps) throws IOException {
        for (int life = 0; life < lives; life++) {
            if (!live(disk, steps)) {
                return false;
            }
        }
        return true;
    }

    private boolean live(SimulatedDisk disk, int steps) throws IOException {
        EntryLog log;
        try {
            log = open(disk);
        } catch (SimulatedDisk.PowerLost lost) {
            return false;
        }
        copies.forEach(copy -> copy.open(log));
        runRounds();
        for (int step = 0; step < steps && stopped == null; step++) {
            copies.get(random.nextInt(copies.size())).step(log);
            if (random.nextInt(3) == 0) {
                runRounds();
            }
        }
        runRounds();
        if (stopped == null) {
            try {
                log.close();
            } catch (SimulatedDisk.PowerLost lost) {
                return false;
            }
        }
        return stopped == null;
    }

    private EntryLog open(SimulatedDisk disk) throws IOException {
        return EntryLog.open(disk, SETTINGS, failure -> stopped = failure, StoreTasks.named("copies"), rounds::add);
    }

    private void runRounds() {
        for (Runnable round = rounds.poll(); round != null; round = rounds.poll()) {
            round.run();
        }
        if (stopped != null && !(stopped instanceof SimulatedDisk.PowerLost)) {
            throw new AssertionError("the log has stopped for another reason than the power", stopped);
        }
    }

    /** What is found after a crash has to be what was there. */
    void check(SimulatedDisk found) throws IOException {
        EntryLog log = open(found);
        for (CopyModel copy : copies) {
            FoundCopy there = log.found(copy.queueId);
            if (there != null || !copy.mayBeNothing()) {
                assertThat(copy.wrong(there)).isNull();
            }
            if (there != null) {
                checkBodies(found, log, there);
            }
        }
        log.abandon();
    }

    /** Messages are on the disk only: what stands there has to be what was published. */
    private static void checkBodies(SimulatedDisk found, EntryLog log, FoundCopy copy) throws IOException {
        String aside = log.setAside(copy);
        for (byte[] publish : SnapshotReader.read(found.bytes(aside)).messagesFrom(0)) {
            assertThat(new String(publish, ISO_8859_1))
                    .contains("queue " + copy.queueId() + " message " + StoredEntry.offset(publish) + " of ");
        }
    }
}
