package io.warren.mirroring.node;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The ends at mirrored queues, by queue: of channels here, whose queue moves, and of queues that this node does not lead yet. One row for each
 * such queue that is used, or waited for. Any thread.
 */
final class MirroredEnds {
    private final Map<Long, Set<ChannelEndShell>> moving = new ConcurrentHashMap<>();
    private final Map<Long, Set<QueueEndShell>> unled = new ConcurrentHashMap<>();

    // ---- channels here

    void add(ChannelEndShell end) {
        add(moving, end.queueId(), end);
    }

    void remove(ChannelEndShell end) {
        remove(moving, end.queueId(), end);
    }

    void forEachAt(long queueId, Consumer<ChannelEndShell> what) {
        moving.getOrDefault(queueId, Set.of()).forEach(what);
    }

    /** Those that a queue has let go of, and that may try again. */
    Stream<ChannelEndShell> wantingRetry() {
        return moving.values().stream().flatMap(Set::stream).filter(ChannelEndShell::wantsRetry);
    }

    // ---- queues here

    /** A channel wants to attach in a reign that may begin later. */
    void waits(long queueId, QueueEndShell end) {
        add(unled, queueId, end);
    }

    void waitsNoMore(long queueId, QueueEndShell end) {
        remove(unled, queueId, end);
    }

    /** This node leads the queue: whoever waits tries again. */
    void onLeads(long queueId) {
        unled.getOrDefault(queueId, Set.of()).forEach(QueueEndShell::retryEarly);
    }

    private static <E> void add(Map<Long, Set<E>> ends, long queueId, E end) {
        ends.compute(queueId, (id, known) -> {
            Set<E> all = known == null ? ConcurrentHashMap.newKeySet() : known;
            all.add(end);
            return all;
        });
    }

    private static <E> void remove(Map<Long, Set<E>> ends, long queueId, E end) {
        ends.computeIfPresent(queueId, (id, all) -> {
            all.remove(end);
            return all.isEmpty() ? null : all;
        });
    }
}
