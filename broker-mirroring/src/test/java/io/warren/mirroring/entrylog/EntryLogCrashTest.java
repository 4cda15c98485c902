package io.warren.mirroring.entrylog;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.store.SimulatedDisk;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Power is lost at every operation of a history that changes the disk, in every way a disk may lose it. */
class EntryLogCrashTest {
    private static final int LIVES = 2;
    private static final int STEPS = 200;
    private static final long SEED = 11;

    private static int operations() throws IOException {
        SimulatedDisk disk = new SimulatedDisk();
        assertThat(new LogHistory(SEED).run(disk, LIVES, STEPS)).isTrue();
        return disk.operations().size();
    }

    @Test
    void shouldRollAndReclaimWhenTheHistoryIsLived() throws IOException {
        SimulatedDisk disk = new SimulatedDisk();

        new LogHistory(SEED).run(disk, LIVES, STEPS);

        assertThat(disk.operations().stream().filter(operation -> operation.startsWith("delete entries-")))
                .hasSizeGreaterThan(5);
    }

    @ParameterizedTest
    @EnumSource(SimulatedDisk.Loss.class)
    void shouldFindWhatWasForcedWhenPowerIsLostAnywhere(SimulatedDisk.Loss loss) throws IOException {
        int operations = operations();

        for (int point = 1; point <= operations; point++) {
            SimulatedDisk disk = new SimulatedDisk();
            disk.crashAt(point);
            LogHistory history = new LogHistory(SEED);
            history.run(disk, LIVES, STEPS);
            try {
                history.check(disk.afterCrash(loss, point));
            } catch (AssertionError | RuntimeException | IOException wrong) {
                throw new AssertionError(
                        "power lost at operation " + point + ": "
                                + disk.operations().get(disk.operations().size() - 1) + ", loss " + loss,
                        wrong);
            }
        }
    }

    /** Many short lives, each found as the one before left it. */
    @Test
    void shouldFindEverythingWhenManyHistoriesEndOrderly() throws IOException {
        for (long seed = 0; seed < 60; seed++) {
            SimulatedDisk disk = new SimulatedDisk();
            LogHistory history = new LogHistory(seed);

            assertThat(history.run(disk, 3, 150)).as("seed %s", seed).isTrue();

            history.check(disk.afterCrash(SimulatedDisk.Loss.ALL, seed));
        }
    }
}
