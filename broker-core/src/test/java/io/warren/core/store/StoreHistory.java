package io.warren.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.spi.BackingQueue;
import io.warren.core.store.StoreFixture.TestQueue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A scripted life of a store, the same for each seed: queues come and go, messages are published, handed out, settled,
 * purged, kept on disk; log files fill up and are moved. Beside it stands what must, may and must not be found again.
 */
final class StoreHistory {

    /** What is known of a queue's messages, whatever the store says. */
    private static final class Expected {
        final String name;

        /** Forced as published, and not settled by anything that was forced. */
        final TreeMap<Long, String> forced = new TreeMap<>();

        /** Published since the last force. */
        final TreeMap<Long, String> pending = new TreeMap<>();

        /** Settled since the last force. */
        final Set<Long> pendingSettled = new HashSet<>();

        /** Given to a consumer. */
        final Set<Long> seen = new HashSet<>();

        Expected(String name) {
            this.name = name;
        }

        void force() {
            forced.putAll(pending);
            pending.clear();
            pendingSettled.forEach(forced::remove);
            pendingSettled.clear();
        }

        List<Long> waiting() {
            List<Long> waiting = new ArrayList<>(forced.keySet());
            waiting.addAll(pending.keySet());
            waiting.removeAll(pendingSettled);
            return waiting;
        }
    }

    static final StoreSettings SETTINGS = StoreSettings.small(4096);

    private final SplittableRandom random;
    private final Map<String, Expected> expected = new LinkedHashMap<>();
    private final Map<String, TestQueue> queues = new HashMap<>();

    /** Queues whose declaration or deletion was under way. */
    private final Set<String> uncertain = new HashSet<>();

    StoreHistory(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** Lives on that disk, stopped in order and started again in between, until it is over or the power is lost; true if it was lost. */
    boolean run(SimulatedDisk disk, int lives, int rounds) {
        try {
            for (int life = 0; life < lives; life++) {
                StoreFixture store = new StoreFixture(disk, SETTINGS);
                queues.replaceAll((name, before) -> store.opened(name));
                lastBarrier.replaceAll((name, before) -> 0L);
                boolean lost = live(store, rounds);
                store.close();
                if (lost || store.messages.failure() != null) {
                    return true;
                }
                expected.values().forEach(Expected::force);
            }
            return false;
        } catch (IOException | RuntimeException failure) {
            if (StoreFixture.isPowerLoss(failure)) {
                return true;
            }
            throw new IllegalStateException(failure);
        }
    }

    private boolean live(StoreFixture store, int rounds) {
        for (int i = 0; i < rounds; i++) {
            try {
                operations(store);
            } catch (RuntimeException failure) {
                if (StoreFixture.isPowerLoss(failure)) {
                    return true;
                }
                throw failure;
            }
            store.round();
            // Who was told that it is safe relies on it, whatever happened in the same round.
            forcedIfTold();
            if (store.messages.failure() != null) {
                return true;
            }
        }
        return false;
    }

    private void forcedIfTold() {
        queues.forEach((name, queue) -> {
            if (queue.log.safeOffset() == Long.MAX_VALUE && queue.log.passedBarrier() >= lastBarrier.get(name)) {
                expected.get(name).force();
            }
        });
    }

    private final Map<String, Long> lastBarrier = new HashMap<>();

    private void operations(StoreFixture store) {
        String name = "q" + random.nextInt(3);
        if (!queues.containsKey(name)) {
            declare(store, name);
            return;
        }
        TestQueue queue = queues.get(name);
        Expected of = expected.get(name);
        int choice = random.nextInt(100);
        if (choice < 55) {
            publish(queue, of);
        } else if (choice < 85) {
            settle(queue, of);
        } else if (choice < 90) {
            handOut(queue, of);
        } else if (choice < 94) {
            purge(queue, of);
        } else if (choice < 97) {
            queue.publish("transient", false, BackingQueue.NEVER, true);
        } else {
            delete(store, name);
            return;
        }
        lastBarrier.put(name, queue.log.barrier());
    }

    private void declare(StoreFixture store, String name) {
        uncertain.add(name);
        queues.put(name, store.queue(name));
        uncertain.remove(name);
        expected.put(name, new Expected(name));
        lastBarrier.put(name, 0L);
    }

    private void delete(StoreFixture store, String name) {
        uncertain.add(name);
        store.delete(queues.get(name));
        uncertain.remove(name);
        queues.remove(name);
        expected.remove(name);
    }

    private void publish(TestQueue queue, Expected of) {
        int count = random.nextInt(1, 12);
        for (int i = 0; i < count; i++) {
            String body = queue.body(queue.nextOffset);
            of.pending.put(queue.publish(), body);
        }
    }

    private void settle(TestQueue queue, Expected of) {
        List<Long> waiting = of.waiting();
        boolean inOrder = random.nextInt(4) > 0;
        int count = Math.min(waiting.size(), random.nextInt(14));
        for (int i = 0; i < count; i++) {
            long offset = waiting.remove(inOrder ? 0 : random.nextInt(waiting.size()));
            queue.settle(offset);
            of.pendingSettled.add(offset);
        }
    }

    private void handOut(TestQueue queue, Expected of) {
        for (long offset : of.waiting()) {
            if (!queue.log.mayHandOut(0, offset, true)) {
                return;
            }
            of.seen.add(offset);
        }
    }

    private void purge(TestQueue queue, Expected of) {
        List<Long> waiting = of.waiting();
        List<Long> kept = waiting.isEmpty() ? List.of() : List.of(waiting.get(0));
        queue.log.purge(queue.nextOffset, kept);
        of.pendingSettled.addAll(waiting);
        of.pendingSettled.removeAll(kept);
    }

    // ---- what is found again

    /** Opens what a crash left, compares, goes on, stops, and compares once more. */
    void check(SimulatedDisk found, SimulatedDisk.Loss loss) throws IOException {
        StoreFixture store = new StoreFixture(found, SETTINGS);
        Map<String, Set<Long>> first = new HashMap<>();
        expected.forEach((name, of) -> {
            if (!uncertain.contains(name)) {
                assertThat(store.hasQueue(name)).as("queue %s", name).isTrue();
            }
        });
        for (int i = 0; i < 3; i++) {
            String name = "q" + i;
            if (!store.hasQueue(name)) {
                continue;
            }
            assertThat(expected.containsKey(name) || uncertain.contains(name))
                    .as("queue %s was deleted", name)
                    .isTrue();
            TestQueue queue = store.opened(name);
            compare(queue, expected.getOrDefault(name, new Expected(name)), loss);
            store.read(queue, List.copyOf(queue.found.keySet()));
            queue.found.keySet().forEach(offset -> assertThat(queue.readBody(offset))
                    .isEqualTo(queue.body(offset)));
            long further = queue.publish();
            Set<Long> offsets = new TreeSet<>(queue.found.keySet());
            offsets.add(further);
            first.put(name, offsets);
        }
        store.round();
        assertThat(store.messages.failure()).isNull();
        store.close();
        again(found, first);
    }

    private static void compare(TestQueue queue, Expected of, SimulatedDisk.Loss loss) {
        Set<Long> must = new TreeSet<>(of.forced.keySet());
        must.removeAll(of.pendingSettled);
        assertThat(queue.found.keySet()).as("forced and waiting in %s", of.name).containsAll(must);
        Set<Long> may = new TreeSet<>(of.forced.keySet());
        may.addAll(of.pending.keySet());
        assertThat(may).as("known and not settled in %s", of.name).containsAll(queue.found.keySet());
        if (loss == SimulatedDisk.Loss.NOTHING) {
            queue.found.forEach((offset, redelivered) -> {
                if (of.seen.contains(offset)) {
                    assertThat(redelivered)
                            .as("mark of %s in %s", offset, of.name)
                            .isTrue();
                }
            });
        }
        // Of what was not forced a beginning is found: never one behind one that is lost.
        boolean lost = false;
        for (long offset : of.pending.keySet()) {
            if (!of.pendingSettled.contains(offset)) {
                boolean isFound = queue.found.containsKey(offset);
                assertThat(isFound && lost)
                        .as("%s behind a lost one in %s", offset, of.name)
                        .isFalse();
                lost |= !isFound;
            }
        }
    }

    private static void again(SimulatedDisk disk, Map<String, Set<Long>> first) throws IOException {
        StoreFixture store = new StoreFixture(disk, SETTINGS);
        for (Map.Entry<String, Set<Long>> queue : first.entrySet()) {
            TestQueue opened = store.opened(queue.getKey());
            assertThat(opened.found.keySet()).isEqualTo(queue.getValue());
        }
        store.close();
    }
}
