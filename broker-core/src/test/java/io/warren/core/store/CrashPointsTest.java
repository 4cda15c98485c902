package io.warren.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.store.StoreFixture.TestQueue;
import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Power is lost at every operation of a history that changes the disk, in every way a disk may lose it. */
class CrashPointsTest {

    /** A second life meets what the first has named and deleted. */
    private static final int LIVES = 2;

    private static final int ROUNDS = 30;
    private static final long SEED = 7;

    private static int operations() {
        SimulatedDisk disk = new SimulatedDisk();
        assertThat(new StoreHistory(SEED).run(disk, LIVES, ROUNDS)).isFalse();
        return disk.operations().size();
    }

    @Test
    void shouldRollMoveCompactAndDeleteWhenHistoryIsLived() {
        SimulatedDisk disk = new SimulatedDisk();

        new StoreHistory(SEED).run(disk, LIVES, ROUNDS);

        assertThat(disk.operations())
                .anyMatch(operation -> operation.startsWith("create wal-"))
                .anyMatch(operation -> operation.startsWith("create queue-"))
                .anyMatch(operation -> operation.startsWith("delete wal-"))
                .anyMatch(operation -> operation.startsWith("delete queue-"));
    }

    /**
     * The records of a first life name a segment that is gone. The second life must not make another of that number: what the records
     * say would be taken to be said of it.
     */
    @Test
    void shouldFindWhatWaitsInTheLogWhenASecondLifeMovesIt() throws IOException {
        SimulatedDisk whole = new SimulatedDisk();
        int firstLife = firstLife(whole);
        assertThat(secondLife(whole)).isFalse();
        int operations = whole.operations().size();
        assertThat(whole.operations().subList(firstLife, operations))
                .anyMatch(operation -> operation.startsWith("create queue-"));

        for (int point = firstLife + 1; point <= operations; point++) {
            SimulatedDisk disk = new SimulatedDisk();
            disk.crashAt(point);
            firstLife(disk);
            secondLife(disk);
            StoreFixture third =
                    new StoreFixture(disk.afterCrash(SimulatedDisk.Loss.NOTHING, 0), StoreHistory.SETTINGS);

            assertThat(third.opened("q").found.keySet())
                    .as("power lost at operation %s", whole.operations().get(point - 1))
                    .containsAll(WAITING);
        }
    }

    private static final int MOVED = 60;
    private static final List<Long> WAITING =
            LongStream.range(MOVED, MOVED + 5).boxed().toList();

    /** Messages are moved to a segment, others come to the log, and the segment goes; returns the operations that took. */
    private static int firstLife(SimulatedDisk disk) throws IOException {
        StoreFixture store = new StoreFixture(disk, StoreHistory.SETTINGS);
        TestQueue queue = store.queue("q");
        for (int i = 0; i < MOVED; i++) {
            queue.publish();
            store.round();
        }
        WAITING.forEach(offset -> queue.publish());
        store.round();
        for (long offset = 0; offset < MOVED; offset++) {
            queue.settle(offset);
        }
        queue.log.barrier();
        store.round();
        store.close();
        assertThat(disk.operations()).anyMatch(operation -> operation.startsWith("delete queue-"));
        return disk.operations().size();
    }

    /** What waits in the log is moved, because other messages come; true if the power was lost. */
    private static boolean secondLife(SimulatedDisk disk) throws IOException {
        try {
            StoreFixture store = new StoreFixture(disk, StoreHistory.SETTINGS);
            TestQueue queue = store.opened("q");
            for (int i = 0; i < MOVED; i++) {
                queue.publish();
                store.round();
            }
            return store.messages.failure() != null;
        } catch (IOException | RuntimeException failure) {
            if (StoreFixture.isPowerLoss(failure)) {
                return true;
            }
            throw failure;
        }
    }

    @ParameterizedTest
    @EnumSource(SimulatedDisk.Loss.class)
    void shouldFindWhatWasForcedWhenPowerIsLostAnywhere(SimulatedDisk.Loss loss) throws IOException {
        int operations = operations();
        assertThat(operations).isGreaterThan(150);

        for (int point = 1; point <= operations; point++) {
            SimulatedDisk disk = new SimulatedDisk();
            disk.crashAt(point);
            StoreHistory history = new StoreHistory(SEED);
            history.run(disk, LIVES, ROUNDS);
            try {
                history.check(disk.afterCrash(loss, point), loss);
            } catch (AssertionError | RuntimeException | IOException wrong) {
                throw new AssertionError(
                        "power lost at operation " + point + ": "
                                + disk.operations().get(disk.operations().size() - 1) + ", loss " + loss
                                + ", after " + disk.operations(),
                        wrong);
            }
        }
    }
}
