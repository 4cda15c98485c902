package io.warren.core.store;

import io.warren.core.store.format.Segment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what goes: log files in which nothing waits, segments that are settled or sparse. Owned by the writer.
 *
 * <p>Nothing is deleted before a forced record says that it is not needed. At most one copy is under way.
 */
final class Reclaiming {

    private static final Logger LOG = LoggerFactory.getLogger("io.warren.core.store");

    private final StoreFiles files;
    private final StoreSettings settings;
    private final WalFiles wal;
    private final LogWriter writer;
    private final Mover mover;

    /** Files to delete when their queue's state without them is forced. */
    private final Map<DurableQueueLog, List<String>> emptied = new LinkedHashMap<>();

    /** Files of queues that are gone, which nothing needs. */
    private final List<String> orphans = new ArrayList<>();

    private final Set<DurableQueueLog> sparse = new LinkedHashSet<>();
    private boolean checkWanted = true;
    private boolean copying;

    Reclaiming(StoreFiles files, StoreSettings settings, WalFiles wal, LogWriter writer, Mover mover) {
        this.files = files;
        this.settings = settings;
        this.wal = wal;
        this.writer = writer;
        this.mover = mover;
    }

    /** A log file is finished. */
    void onRolled() {
        checkWanted = true;
    }

    /** A message in a segment is settled; called under the lock of the queue's table. */
    void onSettledInSegment(DurableQueueLog queue, Segment segment) {
        if (segment.unsettled().size() == 0) {
            queue.table().removeSegment(segment);
            onReplaced(queue, segment);
        } else if (segment.isSparse()) {
            sparse.add(queue);
        }
    }

    /** A segment is not in its queue's table any more. */
    void onReplaced(DurableQueueLog queue, Segment segment) {
        emptied.computeIfAbsent(queue, key -> new ArrayList<>()).add(FileNames.segment(queue.id(), segment.number()));
    }

    /** @param segments those it had */
    void onQueueGone(DurableQueueLog queue, List<Segment> segments) {
        sparse.remove(queue);
        List<String> waiting = emptied.remove(queue);
        if (waiting != null) {
            orphans.addAll(waiting);
        }
        segments.forEach(segment -> orphans.add(FileNames.segment(queue.id(), segment.number())));
    }

    /** What was recovered of a queue that nobody has opened, for it was deleted meanwhile. */
    void onNobodys(RecoveredQueue queue) {
        queue.table().forEachPlace((offset, place) -> wal.left(place));
        queue.table().segments().forEach(segment -> orphans.add(FileNames.segment(queue.id(), segment.number())));
        queue.emptied().forEach(segment -> orphans.add(FileNames.segment(queue.id(), segment.number())));
    }

    /** A copy has ended, and what came of it is in the tables. */
    void onCopied() {
        copying = false;
        checkWanted = true;
    }

    /** A copy was given up: the next full log file is the time to try again. */
    void onAbandoned() {
        copying = false;
    }

    /** The round is written: now there is time. */
    void afterRound() throws IOException {
        deleteEmptied();
        orphans.forEach(this::deleteSegment);
        orphans.clear();
        if (checkWanted) {
            checkWanted = false;
            check();
        }
        if (!copying && !sparse.isEmpty()) {
            DurableQueueLog queue = sparse.iterator().next();
            sparse.remove(queue);
            copying = true;
            mover.compact(queue);
        }
    }

    private void deleteEmptied() throws IOException {
        if (emptied.isEmpty()) {
            return;
        }
        Map<DurableQueueLog, List<String>> going = new LinkedHashMap<>(emptied);
        emptied.clear();
        for (DurableQueueLog queue : going.keySet()) {
            queue.writeState(writer, wal.oldestNumber() - 1);
        }
        writer.flush();
        writer.force();
        for (List<String> names : going.values()) {
            names.forEach(this::deleteSegment);
        }
    }

    /** One that cannot go, because somebody else has it open, harms nobody: no record names it. */
    private void deleteSegment(String name) {
        try {
            files.delete(name);
        } catch (IOException refused) {
            LOG.warn("{} cannot be deleted; the next start removes it", files.location(name), refused);
        }
    }

    private void check() throws IOException {
        boolean mayGoOn = deleteIdle();
        WalFiles.WalFile oldest = wal.oldestFinished();
        if (mayGoOn && oldest != null && !copying && wal.finishedBytes() > settings.walBytesMax()) {
            copying = true;
            mover.move(oldest);
        }
    }

    /** Log files at the old end in which nothing waits; false if one of them cannot go, which the next full log file tries again. */
    private boolean deleteIdle() throws IOException {
        List<WalFiles.WalFile> idle = wal.idleFromOldest();
        if (idle.isEmpty() || copying) {
            return true;
        }
        long upTo = idle.get(idle.size() - 1).number;
        LOG.debug("log files up to {} go", upTo);
        for (DurableQueueLog queue : wal.queues()) {
            if (queue.needsStateFor(upTo)) {
                queue.writeState(writer, upTo);
            }
        }
        writer.flush();
        writer.force();
        for (WalFiles.WalFile file : idle) {
            try {
                wal.deleteOldest(file);
            } catch (IOException refused) {
                // They go in order, so the younger ones wait for it too.
                LOG.warn("log file {} cannot be deleted; it is tried again later", file.number, refused);
                return false;
            }
        }
        LOG.debug("log files up to {} are gone", upTo);
        return true;
    }
}
