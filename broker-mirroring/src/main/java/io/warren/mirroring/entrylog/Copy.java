package io.warren.mirroring.entrylog;

import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.Senders;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One member's copy of a queue, as its shell writes it: what the ring puts out, in its turns, and now and then a state.
 *
 * <p>A state is told in two steps, for the ring and the queue have a turn each: in the ring's turn {@link #capture}, and then, when the queue has been
 * told all that the ring had delivered by then, {@link #state}.
 */
public final class Copy {
    private final CopyWriter writer;
    private final long queueId;
    private final long logId;
    private final AtomicInteger generations;
    private final FoundCopy from;

    // Owned by the ring's turn.
    private int generation;
    private long cuts;

    private volatile boolean isClosed;

    // Guarded by this.
    private @Nullable CopyListener listener;
    private boolean isStateWanted;
    private long forcedUpTo;

    /** What the ring said of itself for a state. */
    public static final class Captured {
        private final int generation;
        private final Position base;
        private final Map<Member, Long> senders;

        private Captured(int generation, Position base, Map<Member, Long> senders) {
            this.generation = generation;
            this.base = base;
            this.senders = senders;
        }
    }

    Copy(CopyWriter writer, FoundCopy from, long logId, AtomicInteger generations, int generation) {
        this.writer = writer;
        this.queueId = from.queueId();
        this.logId = logId;
        this.generations = generations;
        this.generation = generation;
        this.from = from;
        forcedUpTo = from.last();
    }

    long queueId() {
        return queueId;
    }

    /** What it began with in this process. */
    public FoundCopy from() {
        return from;
    }

    /** Who hears of it from now on, what was forced before first. */
    public void begin(CopyListener hears) {
        boolean wanted;
        long forced;
        synchronized (this) {
            listener = hears;
            wanted = isStateWanted;
            isStateWanted = false;
            forced = forcedUpTo;
        }
        if (forced > 0) {
            hears.onDurable(forced, 0);
        }
        if (wanted) {
            hears.onStateWanted();
        }
    }

    /** Its member has ended: nothing more is written. What was stays. Any thread. */
    public void close() {
        if (!isClosed) {
            isClosed = true;
            synchronized (this) {
                listener = null;
            }
            writer.post(rounds -> rounds.detach(this));
        }
    }

    // ---- in the ring's turn

    public void append(Entry<byte[]> entry) {
        if (!isClosed) {
            writer.post(new CopyWriter.Append(this, entry, cuts));
        }
    }

    public void cut(long fromOffset) {
        cuts++;
        long now = cuts;
        post(rounds -> rounds.cut(this, fromOffset, now));
    }

    public void forget(long toOffset) {
        post(rounds -> rounds.forget(this, toOffset));
    }

    /** Whether a report with that number of cuts speaks of what is there now. */
    public boolean isCurrent(long cutsOfReport) {
        return cuts == cutsOfReport;
    }

    /** Remembers what the ring has forgotten, for a state. */
    public Captured capture(Position base, Senders senders) {
        post(rounds -> rounds.hold(this));
        return new Captured(generation, base, senders.rows());
    }

    /**
     * The copy begins anew: whatever was written is replaced by this state as soon as that is forced.
     *
     * @param upTo the entry up to which the state goes; the ring's log begins behind it
     * @param whenForced run by the log's thread
     * @return the generation that begins
     */
    public int restart(Position upTo, Map<Member, Long> senders, ReplicaSnapshot snapshot, Runnable whenForced) {
        cuts++;
        generation = generations.incrementAndGet();
        int begun = generation;
        long now = cuts;
        CopyState state = CopyState.of(logId, upTo, senders, upTo, snapshot);
        List<byte[]> kept = CopyState.kept(snapshot);
        post(rounds -> rounds.restart(this, begun, now, state, kept, whenForced));
        return begun;
    }

    /** The one that goes on. */
    public int generation() {
        return generation;
    }

    // ---- in the queue's turn

    /**
     * The state as of an entry that was delivered and is firm. If the copy has begun anew meanwhile, this says nothing, and nothing follows.
     *
     * @param snapshot as of there
     * @param whenForced run by the log's thread
     */
    public void state(Captured captured, Position applied, ReplicaSnapshot snapshot, Runnable whenForced) {
        CopyState state = CopyState.of(logId, captured.base, captured.senders, applied, snapshot);
        List<byte[]> kept = CopyState.kept(snapshot);
        post(rounds -> rounds.state(this, captured.generation, state, kept, whenForced));
    }

    /**
     * Messages were put in where some were missing: they are written behind all that was handed in. Those of which the copy has the bytes already, of
     * a generation of before, come without them. No state names them before nothing is missing.
     */
    public void fill(int itsGeneration, List<byte[]> publishes) {
        post(rounds -> rounds.fill(this, itsGeneration, publishes));
    }

    /**
     * Reads publishes that were handed in before. If the copy has begun anew meanwhile, or ends, nothing follows.
     *
     * @param then given those that are not settled and forgotten, by the messages' offsets; run by a thread of the log
     */
    public void read(int itsGeneration, List<Long> messages, Consumer<Map<Long, byte[]>> then) {
        post(rounds -> rounds.read(this, itsGeneration, messages, then));
    }

    /** Runs something, on the log's thread, when all that was handed in before has been written, whether forced or not. */
    public void whenWritten(Runnable then) {
        post(rounds -> then.run());
    }

    private void post(CopyWriter.Task task) {
        if (!isClosed) {
            writer.post(task);
        }
    }

    // ---- on the log's thread

    boolean isClosed() {
        return isClosed;
    }

    void onForced(long offset, long cutsThen) {
        CopyListener hears;
        synchronized (this) {
            hears = listener;
            if (hears == null && cutsThen == 0) {
                forcedUpTo = offset;
            }
        }
        if (hears != null) {
            hears.onDurable(offset, cutsThen);
        }
    }

    void askForState() {
        CopyListener hears;
        synchronized (this) {
            hears = listener;
            isStateWanted = hears == null;
        }
        if (hears != null) {
            hears.onStateWanted();
        }
    }

    void onFailed(Throwable failure) {
        CopyListener hears;
        synchronized (this) {
            hears = listener;
        }
        if (hears != null) {
            hears.onFailed(failure);
        }
    }
}
