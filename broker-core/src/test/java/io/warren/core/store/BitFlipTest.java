package io.warren.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.spi.BackingQueue;
import io.warren.core.store.StoreFixture.TestQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every byte of a small store is damaged, one at a time: nothing that was not published is ever delivered. */
class BitFlipTest {

    private static final StoreSettings SETTINGS = StoreSettings.small(1024);

    private static SimulatedDisk store(boolean cleanStop) throws IOException {
        SimulatedDisk disk = new SimulatedDisk();
        StoreFixture store = new StoreFixture(disk, SETTINGS);
        TestQueue queue = store.queue("q");
        for (int i = 0; i < 20; i++) {
            queue.publish();
            if (i % 4 == 3) {
                queue.settle(i / 2);
                queue.log.barrier();
            }
            store.round();
        }
        queue.log.purge(6, List.of(0L));
        queue.log.barrier();
        store.round();
        if (cleanStop) {
            store.close();
        }
        return disk.afterCrash(SimulatedDisk.Loss.NOTHING, 0);
    }

    private enum Found {
        /** The store does not start on it. */
        REFUSED,
        /** A torn tail was cut, and that was said. */
        CUT,
        /** It starts, and stops when the message is read. */
        REFUSED_WHEN_READ,
        /** The byte means nothing, or something that was replaced later. */
        HARMLESS
    }

    private static Map<Found, Integer> flipEveryByte(SimulatedDisk sound) throws IOException {
        StoreFixture whole = new StoreFixture(sound.afterCrash(SimulatedDisk.Loss.NOTHING, 0), SETTINGS);
        Map<Long, Boolean> expected = whole.opened("q").found;
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
        return outcomes;
    }

    private static Found found(SimulatedDisk damaged, String name, Map<Long, Boolean> expected) {
        StoreFixture store;
        TestQueue queue;
        try {
            store = new StoreFixture(damaged, SETTINGS);
            if (!store.hasQueue("q")) {
                assertThat(store.stores.cutBytes())
                        .as("queue is gone, %s", name)
                        .isPositive();
                return Found.CUT;
            }
            queue = store.opened("q");
        } catch (IOException | UncheckedIOException refusal) {
            assertThat(refusal.getMessage()).contains(name);
            return Found.REFUSED;
        }
        boolean isCut = store.stores.cutBytes() > 0;
        store.read(queue, List.copyOf(queue.found.keySet()));
        queue.read.keySet().forEach(offset -> assertThat(queue.readBody(offset)).isEqualTo(queue.body(offset)));
        if (isCut) {
            return Found.CUT;
        }
        store.round();
        if (store.heard.said.stream().anyMatch(said -> said.contains(name + " is damaged at byte"))) {
            return Found.REFUSED_WHEN_READ;
        }
        assertThat(queue.found).as("damage that nobody told, %s", name).isEqualTo(expected);
        assertThat(queue.read.keySet()).isEqualTo(expected.keySet());
        return Found.HARMLESS;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRefuseOrCutWhenAByteIsWrong(boolean cleanStop) throws IOException {
        SimulatedDisk disk = store(cleanStop);

        Map<Found, Integer> outcomes = flipEveryByte(disk);

        assertThat(outcomes.get(Found.REFUSED)).isGreaterThan(1_000);
        assertThat(outcomes.get(Found.REFUSED_WHEN_READ)).isPositive();
        System.out.println((cleanStop ? "flipped after a clean stop: " : "flipped after a crash: ") + outcomes);
    }

    @Test
    void shouldNeverDeliverWhenBodyIsDamagedWhileRunning() throws IOException {
        SimulatedDisk disk = new SimulatedDisk();
        StoreFixture store = new StoreFixture(disk, SETTINGS);
        TestQueue queue = store.queue("q");
        long offset = queue.publish("a body", true, BackingQueue.NEVER, true);
        store.round();
        disk.damage("wal-0000000001.log", (byte) 'y');

        store.read(queue, List.of(offset));
        store.round();

        assertThat(queue.read).isEmpty();
        assertThat(store.heard.said).singleElement().asString().contains("wal-0000000001.log is damaged at byte");
    }
}
