package io.warren.mirroring.entrylog;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.store.SimulatedDisk;
import io.warren.core.store.StoreTasks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every byte of a small log is damaged, one at a time: nothing that was not written is ever found. */
class EntryLogDamageTest {

    private enum Found {
        /** The log does not open on it. */
        REFUSED,
        /** A torn tail was cut, and that was said. */
        CUT,
        /** The byte means nothing, or something that is not needed any more. */
        HARMLESS
    }

    private static EntryLog open(SimulatedDisk disk) throws IOException {
        return EntryLog.open(
                disk, LogHistory.SETTINGS, failure -> {}, StoreTasks.named("copies"), new ArrayList<Runnable>()::add);
    }

    private static List<String> copies(EntryLog log) {
        return log.found().stream().map(FoundCopy::toString).sorted().toList();
    }

    private static Found found(SimulatedDisk damaged, String name, List<String> expected) throws IOException {
        EntryLog log;
        try {
            log = open(damaged);
        } catch (IOException refusal) {
            assertThat(refusal).hasMessageContaining(name).hasMessageContaining("Nothing was changed");
            return Found.REFUSED;
        }
        try (log) {
            if (log.cutBytes() > 0) {
                return Found.CUT;
            }
            assertThat(copies(log)).as("damage that nobody told, %s", name).isEqualTo(expected);
            return Found.HARMLESS;
        }
    }

    @Test
    void shouldRefuseOrCutWhenAByteIsWrong() throws IOException {
        SimulatedDisk disk = new SimulatedDisk();
        disk.crashAt(240);
        assertThat(new LogHistory(5).run(disk, 1, 400)).isFalse();
        SimulatedDisk sound = disk.afterCrash(SimulatedDisk.Loss.NOTHING, 0);
        List<String> expected;
        try (EntryLog log = open(sound.afterCrash(SimulatedDisk.Loss.NOTHING, 0))) {
            expected = copies(log);
        }
        assertThat(expected).isNotEmpty();

        Map<Found, Integer> outcomes = new EnumMap<>(Found.class);
        for (String name : sound.list()) {
            byte[] bytes = sound.bytes(name);
            for (int i = 0; i < bytes.length; i++) {
                byte[] flipped = bytes.clone();
                flipped[i] ^= (byte) (1 << (i % 8));
                SimulatedDisk damaged = sound.afterCrash(SimulatedDisk.Loss.NOTHING, 0);
                damaged.put(name, flipped);
                outcomes.merge(found(damaged, name, expected), 1, Integer::sum);
            }
        }

        assertThat(outcomes.get(Found.REFUSED)).isGreaterThan(1_000);
        assertThat(outcomes.get(Found.CUT)).isPositive();
    }
}
