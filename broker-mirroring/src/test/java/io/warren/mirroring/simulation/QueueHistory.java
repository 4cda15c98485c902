package io.warren.mirroring.simulation;

import io.warren.mirroring.queue.ChannelId;
import io.warren.mirroring.queue.OffsetRange;
import io.warren.mirroring.queue.QueueEntry;
import io.warren.mirroring.queue.QueueEntryCodec;
import io.warren.mirroring.queue.SettleReason;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What clients of one queue did and were told, and what the sequence says: lemmas 6, 9 and 10, and that what was seen is marked.
 *
 * <p>It reads the sequence by itself: what an entry changes is worked out here once more, a message at a time.
 */
final class QueueHistory {
    private final Simulation world;
    private final String group;
    private final Map<Integer, Published> published = new HashMap<>();
    private final Set<Integer> confirmed = new HashSet<>();
    private final Set<Integer> refused = new HashSet<>();
    private final Set<Integer> handedOut = new HashSet<>();
    private final Set<Integer> acknowledged = new HashSet<>();
    private final Set<Integer> rejected = new HashSet<>();
    private final Set<Integer> safelySettled = new HashSet<>();

    // ---- the sequence, as far as it was read

    private final List<Entry<Integer>> read = new ArrayList<>();
    private final TreeMap<Long, Integer> unsettled = new TreeMap<>();
    private final Map<Integer, SettleReason> settled = new HashMap<>();
    private final Map<ChannelId, Long> highest = new HashMap<>();
    private final Set<Integer> taken = new HashSet<>();
    private long nextOffset;

    /** One publish of a client. */
    private record Published(boolean persistent, long atNs) {}

    QueueHistory(Simulation world, String group) {
        this.world = world;
        this.group = group;
    }

    private void require(boolean holds, int lemma, String what) {
        world.countLemma(holds, lemma, () -> group + ": " + what);
    }

    // ------------------------------------------------------------------------------------------ what clients did

    void onPublished(int id, boolean persistent) {
        published.put(id, new Published(persistent, world.nowNs()));
        world.queues().happened(Happening.PUBLISHED);
    }

    void onAnswered(int id, boolean isConfirmed) {
        (isConfirmed ? confirmed : refused).add(id);
        world.queues().happened(isConfirmed ? Happening.CONFIRMED : Happening.REFUSED);
    }

    /** A consumer was told that its settlements are safe. */
    void onSafelySettled(List<Integer> ids) {
        safelySettled.addAll(ids);
        world.queues().happened(Happening.BARRIER_PASSED);
    }

    /** A message goes to a consumer: it cannot vanish, and says so if somebody may have seen it. */
    void onHandedOut(int id, boolean redelivered, long reign) {
        catchUp();
        // A master that all in-sync processes have outlived knows of transient messages that are gone, until it hears
        // of it.
        boolean isPresent = committed().recovered() <= reign;
        require(taken.contains(id) || !isPresent, 6, "handed out and not stable: " + id);
        // Who leads no more by a command, and has not heard of it, does not know what the next one hands out.
        boolean leads = committed().reign() <= reign;
        require(redelivered || !leads || !handedOut.contains(id), 10, "handed out again and not marked: " + id);
        require(!leads || !safelySettled.contains(id), 10, "handed out again though its settlement was safe: " + id);
        if (taken.contains(id)) {
            handedOut.add(id);
        }
        world.queues().happened(redelivered ? Happening.REDELIVERED : Happening.HANDED_OUT);
    }

    /** The master took a client's settlement: the message is the one that the client had. */
    void onSettled(int id, int idAtMaster, boolean acknowledges) {
        require(id == idAtMaster, 10, "settled " + idAtMaster + " where the client had " + id);
        (acknowledges ? acknowledged : rejected).add(id);
    }

    // ---------------------------------------------------------------------------------------------- the sequence

    private View committed() {
        return world.lemmas(group).ledger(world.newestStore().logId().id()).committed;
    }

    /** Reads what the sequence has become since; what was lost with all in-sync processes is unread. */
    void catchUp() {
        List<Entry<Integer>> sequence =
                world.lemmas(group).ledger(world.newestStore().logId().id()).stable;
        int common = read.size();
        boolean isLonger = sequence.size() >= common
                && (common == 0 || sequence.get(common - 1).equals(read.get(common - 1)));
        if (!isLonger) {
            read.clear();
            unsettled.clear();
            settled.clear();
            highest.clear();
            taken.clear();
            nextOffset = 0;
        }
        while (read.size() < sequence.size()) {
            Entry<Integer> entry = sequence.get(read.size());
            read.add(entry);
            if (entry.view() == null) {
                byte[] payload = world.queues().bytes(entry.payload());
                QueueEntry said = QueueEntryCodec.decode(payload);
                if (said.reign() == entry.epoch()) {
                    apply(said);
                }
            }
        }
        if (!isLonger) {
            // Who published what was lost with all processes publishes it again, and to the queue it is new.
            handedOut.retainAll(taken);
        }
    }

    private void apply(QueueEntry said) {
        if (said instanceof QueueEntry.Publish publish) {
            onPublish(publish);
        } else if (said instanceof QueueEntry.Settle settle) {
            for (OffsetRange range : settle.ranges()) {
                Map<Long, Integer> gone = unsettled.subMap(range.first(), true, range.last(), true);
                gone.values().forEach(id -> onSettle(id, settle.reason()));
                gone.clear();
            }
        } else if (said instanceof QueueEntry.ChannelGone gone) {
            highest.remove(gone.channel());
        }
    }

    private void onPublish(QueueEntry.Publish publish) {
        int id = QueueClients.id(publish.message());
        require(publish.offset() == nextOffset, 9, "offset " + publish.offset() + " after " + nextOffset);
        nextOffset = publish.offset() + 1;
        require(taken.add(id), 9, "doubled: " + id + " by " + publish);
        ChannelId channel = publish.channel();
        if (channel != null) {
            long before = highest.getOrDefault(channel, 0L);
            require(publish.sequence() > before, 9, "reordered: " + publish + " after #" + before);
            highest.put(channel, publish.sequence());
        }
        unsettled.put(publish.offset(), id);
    }

    private void onSettle(int id, SettleReason reason) {
        require(settled.put(id, reason) == null, 10, "settled twice: " + id);
        require(
                reason != SettleReason.ACKNOWLEDGED || acknowledged.contains(id),
                10,
                "settled as acknowledged, by nobody: " + id);
        require(reason != SettleReason.REJECTED || rejected.contains(id), 10, "settled as rejected, by nobody: " + id);
        QueueWorld queues = world.queues();
        Published one = published.get(id);
        require(
                reason != SettleReason.EXPIRED || one == null || queues.mayExpire(group, one.atNs),
                10,
                "expired before its time: " + id);
        require(
                reason != SettleReason.MAXLEN || queues.wasLimited(group),
                10,
                "dropped from a queue without a limit: " + id);
    }

    private static Happening happening(SettleReason reason) {
        return switch (reason) {
            case ACKNOWLEDGED -> Happening.ACKNOWLEDGED;
            case REJECTED -> Happening.REJECTED;
            case EXPIRED -> Happening.EXPIRED;
            case MAXLEN -> Happening.DROPPED;
            case PURGED -> Happening.PURGED;
            case DEAD_LETTERED -> Happening.DEAD_LETTERED;
            case NOT_KEPT -> Happening.NOT_KEPT;
        };
    }

    /** In the end: what was confirmed is there or settled, what was refused is not there. */
    void finish(boolean cameBackFromDisk) {
        catchUp();
        settled.values().forEach(reason -> world.queues().happened(happening(reason)));
        published.forEach((id, one) -> {
            boolean hadToStay = confirmed.contains(id) && (one.persistent || !cameBackFromDisk);
            require(!hadToStay || taken.contains(id), 9, "lost: " + id + ", which was confirmed");
            boolean isThere = taken.contains(id) && settled.get(id) != SettleReason.NOT_KEPT;
            require(!refused.contains(id) || !isThere, 9, "refused and taken: " + id);
        });
        settled.forEach((id, reason) -> require(
                reason != SettleReason.NOT_KEPT || (cameBackFromDisk && isTransient(id)),
                6,
                "given up and yet had to be kept: " + id));
    }

    private boolean isTransient(int id) {
        Published one = published.get(id);
        return one == null || !one.persistent;
    }

    /** What was settled as dead-lettered is, or was, in the queue it went to. */
    void requireDeadLettersIn(QueueHistory target, boolean mayMissTransient) {
        settled.forEach((id, reason) -> require(
                reason != SettleReason.DEAD_LETTERED
                        || target.taken.contains(id)
                        || (mayMissTransient && isTransient(id)),
                9,
                "dead-lettered and nowhere: " + id));
    }

    /** Messages that were settled for this reason. */
    long count(SettleReason reason) {
        return settled.values().stream().filter(each -> each == reason).count();
    }
}
