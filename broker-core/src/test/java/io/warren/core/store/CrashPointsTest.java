package io.warren.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Power is lost at every operation of a history that changes the disk, in every way a disk may lose it. */
class CrashPointsTest {

    private static final int ROUNDS = 60;
    private static final long SEED = 7;

    private static int operations() {
        SimulatedDisk disk = new SimulatedDisk();
        assertThat(new StoreHistory(SEED).run(disk, ROUNDS)).isFalse();
        return disk.operations().size();
    }

    @Test
    void shouldRollMoveCompactAndDeleteWhenHistoryIsLived() {
        SimulatedDisk disk = new SimulatedDisk();

        new StoreHistory(SEED).run(disk, ROUNDS);

        assertThat(disk.operations())
                .anyMatch(operation -> operation.startsWith("create wal-"))
                .anyMatch(operation -> operation.startsWith("create queue-"))
                .anyMatch(operation -> operation.startsWith("delete wal-"))
                .anyMatch(operation -> operation.startsWith("delete queue-"));
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
            history.run(disk, ROUNDS);
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
