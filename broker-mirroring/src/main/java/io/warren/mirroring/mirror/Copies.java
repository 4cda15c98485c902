package io.warren.mirroring.mirror;

import io.warren.core.store.DiskFiles;
import io.warren.mirroring.entrylog.Copy;
import io.warren.mirroring.entrylog.EntryLog;
import io.warren.mirroring.entrylog.EntryLogSettings;
import io.warren.mirroring.entrylog.FoundCopy;
import io.warren.mirroring.entrylog.SetAside;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a node keeps its copies of durable mirrored queues: on its disk, or in memory only. Thread-safe.
 *
 * <p>Each of the node's processes begins from what the disk holds, also where the node was declared down and goes on in the same JVM.
 */
public final class Copies {
    private static final Logger LOG = LoggerFactory.getLogger("io.warren.mirroring.mirror");

    private final @Nullable Path directory;
    private final String node;
    private @Nullable EntryLog log;

    private Copies(@Nullable Path directory, String node) {
        this.directory = directory;
        this.node = node;
    }

    /** Copies end with their process. */
    public static Copies inMemory() {
        return new Copies(null, "");
    }

    /**
     * Copies are kept in a directory of their own.
     *
     * @param node its name, for threads
     */
    public static Copies at(Path directory, String node) {
        return new Copies(directory, node);
    }

    /** What is known of a queue when it is to be decided what becomes of its copy. */
    record Known(boolean exists, @Nullable View view) {}

    /**
     * A process of the node begins, with what the one before has left.
     *
     * @throws UncheckedIOException if the directory cannot be used, or what is in it is damaged
     */
    synchronized void onProcess() {
        if (directory == null) {
            return;
        }
        close();
        try {
            log = EntryLog.open(
                    new DiskFiles(directory),
                    EntryLogSettings.defaults(node),
                    failure -> LOG.error("node '{}' keeps no copies of mirrored queues any more", node, failure));
        } catch (IOException unusable) {
            throw new UncheckedIOException(
                    "node '" + node + "' cannot read its copies of mirrored queues: " + unusable.getMessage(),
                    unusable);
        }
    }

    /**
     * The copy with which a member begins.
     *
     * @param view the present one, which has the member in its ring
     * @return null if there is no disk
     */
    synchronized @Nullable Copy open(long queueId, View view, Member member) {
        EntryLog present = log;
        if (present == null) {
            return null;
        }
        FoundCopy found = present.found(queueId);
        if (found != null && found.logId() != view.logId() && !holdsEverything(view, member)) {
            setAside(present, found, "another metadata log is followed now, in which this node holds nothing of it");
            found = null;
        }
        if (found != null && isLeftBehind(found, view) && !holdsEverything(view, member)) {
            setAside(present, found, "the queue goes on from a copy that did not hold everything");
            found = null;
        }
        return found == null ? present.begin(queueId, view.logId()) : present.goOn(found, view.logId());
    }

    /** A log that was founded goes on with what its founder holds. */
    private static boolean holdsEverything(View view, Member member) {
        return view.inSync().contains(member) || view.kept().contains(member.node());
    }

    /** Whether it ends before a member was promoted that did not hold everything: it may have what was lost then. */
    private static boolean isLeftBehind(FoundCopy copy, View view) {
        return copy.end().epoch() < view.unsynchronised() && copy.hasMessages();
    }

    private static void setAside(EntryLog log, FoundCopy copy, String why) {
        try {
            String where = log.setAside(copy);
            LOG.warn(
                    "what this node held of queue {} was set aside in {}: {}. It has {} messages",
                    copy.queueId(),
                    where,
                    why,
                    copy.snapshot().messageCount());
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot set the copy of queue " + copy.queueId() + " aside", failed);
        }
    }

    /** What was set aside and neither put back nor deleted, sorted by name. */
    public synchronized List<SetAside> setAside() throws IOException {
        EntryLog present = log;
        if (present == null) {
            return List.of();
        }
        List<SetAside> all = new ArrayList<>();
        for (String name : present.setAside()) {
            all.add(present.readAside(name));
        }
        return all;
    }

    /**
     * Deletes what was set aside under a name.
     *
     * @throws FileNotFoundException if there is nothing of this name
     */
    public synchronized void deleteAside(String name) throws IOException {
        if (log == null) {
            throw new FileNotFoundException("'" + name + "': this node keeps no copies on disk");
        }
        log.deleteAside(name);
    }

    /** A queue was deleted. */
    synchronized void drop(long queueId) {
        if (log != null) {
            log.drop(queueId);
        }
    }

    /** Whether something was found of a queue that no member has taken. */
    synchronized boolean isFound(long queueId) {
        return log != null && log.found(queueId) != null;
    }

    /** Queues of which something was found that no member has taken. */
    synchronized List<Long> untaken() {
        return log == null
                ? List.of()
                : log.found().stream().map(FoundCopy::queueId).toList();
    }

    /**
     * The process is registered, and what was found can be looked at: what nobody will ask for goes, and what another metadata log knows nothing of is
     * set aside.
     *
     * @param known of each queue that something was found of
     */
    synchronized void sweep(Map<Long, Known> known, long logId, Member process) {
        EntryLog present = log;
        if (present == null) {
            return;
        }
        known.forEach((queueId, its) -> {
            FoundCopy copy = present.found(queueId);
            if (copy == null) {
                return;
            }
            View view = its.view;
            boolean isOfThisLog = copy.logId() == logId;
            boolean isOthers = view != null
                    && view.up()
                    && view.kept().isEmpty()
                    && !view.ring().contains(process);
            if (!its.exists && !isOfThisLog) {
                setAside(present, copy, "the metadata log that is followed now does not know the queue");
            } else if (!its.exists) {
                LOG.info("queue {} was deleted while this node was down; its copy goes", queueId);
                present.drop(queueId);
            } else if (isOthers && !isOfThisLog) {
                setAside(present, copy, "another metadata log is followed now, in which other nodes hold it");
            } else if (isOthers) {
                LOG.info("queue {} is mirrored at other nodes now; the copy here goes", queueId);
                present.drop(queueId);
            }
        });
    }

    /** All that was handed in is on the disk when this returns. */
    synchronized void close() {
        EntryLog over = log;
        log = null;
        if (over != null) {
            try {
                over.close();
            } catch (IOException failed) {
                throw new UncheckedIOException("node '" + node + "' cannot close its copies", failed);
            }
        }
    }

    /** Ends as a process that is killed. */
    synchronized void abandon() {
        EntryLog over = log;
        log = null;
        if (over != null) {
            try {
                over.abandon();
            } catch (IOException failed) {
                throw new UncheckedIOException("node '" + node + "' cannot leave its copies", failed);
            }
        }
    }
}
