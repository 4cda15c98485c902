package io.warren.mirroring.queue;

import io.warren.core.queue.LocalBackingQueue;
import io.warren.core.spi.BackingQueueListener;
import io.warren.core.spi.MemoryBudget;
import io.warren.core.spi.Ticker;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One member of a mirrored queue: a replica always, and a backing queue above it while this member is the master.
 *
 * <p>The essay of the package says why it works. Its shell tells it each view before the ring member hears of it, and then what the ring
 * member puts out, in order; it is owned by the queue's mailbox, which is another one than the ring member's, so what it broadcasts may reach a
 * ring that has gone on to another view. That is harmless: the entry names the reign it was decided in.
 *
 * <p>Invariant: the backing queue is there only from the delivery of its reign's first entry until a view of another reign.
 */
public final class MirroredQueue implements MissingMessages, AppliedState {
    /** Messages that leave memory with each batch while it is short: several times what a batch brings. */
    private static final int PAGED_PER_BATCH = 1_024;

    private final Member self;
    private final QueueSetup setup;
    private final Ticker ticker;
    private final MemoryBudget memory;
    private final BackingQueueListener listener;
    private final MirroredQueueOutput output;
    private final Replica replica;
    /** Whether a disk has all that is applied. */
    private final boolean isStored;

    /** Whether bytes of messages are to be on the disk only. */
    private boolean isLazy;

    /** Bytes of the replica that were reported as held. */
    private long chargedBytes;

    private @Nullable View view;
    private @Nullable MirroredBackingQueue backing;
    /** In some view fewer members were in sync than there have to be: what was handed out then no limit may cover. */
    private boolean wasBelowLimit;

    /** A member that has no disk: it keeps everything in memory, and tells of nothing but its backing queue. */
    public MirroredQueue(
            Member self,
            QueueSetup setup,
            Ticker ticker,
            MemoryBudget memory,
            BackingQueueListener listener,
            MirroredQueueOutput output,
            ReplicaSnapshot snapshot,
            Position upTo) {
        this(self, setup, ticker, memory, listener, output, snapshot, upTo, false);
    }

    /**
     * A member as its process starts, or when it has taken over another member's state.
     *
     * @param ticker the broker's clocks
     * @param memory told of what the backing queue holds, and the replica where it has a disk; says whether that is too much
     * @param listener of the backing queue; one for all reigns
     * @param snapshot what is known of the queue up to an entry
     * @param upTo that entry: the base of the ring's log
     * @param isStored whether a disk has what is known, and gets all that comes before it comes here: then messages can be read again
     */
    public MirroredQueue(
            Member self,
            QueueSetup setup,
            Ticker ticker,
            MemoryBudget memory,
            BackingQueueListener listener,
            MirroredQueueOutput output,
            ReplicaSnapshot snapshot,
            Position upTo,
            boolean isStored) {
        this.self = self;
        this.setup = setup;
        this.ticker = ticker;
        this.memory = memory;
        this.listener = listener;
        this.output = output;
        this.replica = new Replica(snapshot, upTo);
        this.isStored = isStored;
        pageIfDue();
    }

    // ------------------------------------------------------------------------------------------------ questions

    /** What the queue above works on while this member is the master, else null. */
    public @Nullable MirroredBackingQueue backing() {
        return backing;
    }

    /** Whether enough members are in sync for publishes to be confirmed; while not, they are to be refused. */
    public boolean takesPublishes() {
        return backing != null && view != null && view.isAtLimit();
    }

    @Override
    public long delivered() {
        return replica.delivered();
    }

    /** Bytes in memory of unsettled messages, as far as what was delivered is applied. */
    public long heldBytes() {
        return replica.state().bytes();
    }

    // --------------------------------------------------------------------------------------------------- memory

    /** Whether bytes of messages are to be on the disk only, where there is one. */
    public void lazy(boolean lazy) {
        isLazy = lazy;
        pageIfDue();
    }

    /** Bytes that were reported as held, but for those of the backing queue. */
    public long chargedBytes() {
        return chargedBytes;
    }

    private boolean mustPage() {
        return isStored && (isLazy || memory.mustPage());
    }

    /** What is applied came to the disk before: it can be read behind what the disk has to do by now. */
    private void pageIfDue() {
        if (isStored) {
            charge();
            if (mustPage()) {
                replica.state().page(isLazy ? Integer.MAX_VALUE : PAGED_PER_BATCH);
                charge();
            }
        }
    }

    private void charge() {
        long bytes = replica.state().bytes();
        memory.held(bytes - chargedBytes);
        chargedBytes = bytes;
    }

    /**
     * All that is known up to a firm entry, which must not lie below the last one applied: the ring's firm position never does.
     */
    public ReplicaSnapshot snapshotUpTo(long offset) {
        Invariant.check(
                offset >= replica.applied().offset() && offset <= replica.delivered(),
                "a state is of an entry from " + replica.applied() + " to " + replica.delivered(),
                offset);
        replica.applyUpTo(offset);
        pageIfDue();
        return replica.state().snapshot();
    }

    // ------------------------------------------------------------------------------------------ what is missing

    @Override
    public long missingBelow() {
        return replica.state().missingBelow();
    }

    @Override
    public Map<Long, byte[]> entriesBelow(long offset) {
        return replica.state().entriesBelow(offset);
    }

    @Override
    public Position rememberedFrom() {
        return replica.beginning();
    }

    @Override
    public void fill(List<byte[]> entries) {
        boolean page = mustPage();
        List<byte[]> put = new ArrayList<>();
        for (byte[] entry : entries) {
            if (replica.state().fill(entry, page)) {
                put.add(entry);
            }
        }
        if (isStored && !put.isEmpty()) {
            output.filled(put);
            charge();
        }
    }

    @Override
    public void onFilled(long firmOffset) {
        replica.onFilled(firmOffset);
    }

    @Override
    public Position applyFirm() {
        replica.applyFirm();
        pageIfDue();
        return replica.applied();
    }

    @Override
    public long oldest() {
        return replica.state().oldest();
    }

    // --------------------------------------------------------------------------------------------------- inputs

    /** The metadata has made a view; told before anything that the ring delivers in it. */
    public void onView(View next) {
        view = next;
        boolean isBelowLimit = next.up() && !next.isAtLimit();
        wasBelowLimit |= isBelowLimit;
        MirroredBackingQueue leading = backing;
        if (leading != null && !(self.equals(next.master()) && next.reign() == leading.reign())) {
            backing = null;
            output.demoted();
        } else if (leading != null) {
            leading.log().isBelowLimit(isBelowLimit);
        }
    }

    /** A payload entry is stable. */
    public void onDelivered(Entry<byte[]> entry) {
        byte[] payload = entry.payload();
        if (payload == null) {
            throw new IllegalArgumentException("entry=" + entry + " has no payload; views have their own input");
        }
        replica.onDelivered(entry);
        MirroredBackingQueue leading = backing;
        if (leading != null && entry.epoch() == leading.reign() && Replica.counts(entry, payload)) {
            leading.log().onStable(QueueEntryCodec.decode(payload));
        }
    }

    /** The entry that opened this view's reign is stable: everything before it is delivered. */
    public void onViewInstalled(View opening, long offset) {
        replica.onView(new Position(opening.reign(), offset));
        View latest = view;
        if (latest != null && self.equals(latest.master()) && latest.reign() == opening.reign()) {
            promote(opening, offset);
        }
    }

    private void promote(View opening, long offset) {
        replica.applyUpTo(offset);
        ReplicaState state = replica.state();
        long lost = replica.isEmpty() ? -1 : state.missingCount();
        state.giveUpMissing();
        if (opening.unsynchronised() == opening.reign()) {
            output.gaveUp(lost);
        }
        boolean fromDisk = opening.recovered() == opening.reign();
        boolean marksAll = wasBelowLimit || (fromDisk && opening.minInSync() > 1);
        wasBelowLimit = view != null && !view.isAtLimit();
        MirroredQueueLog log = new MirroredQueueLog(setup, opening.reign(), fromDisk, marksAll, state, ticker, output);
        log.isBelowLimit(wasBelowLimit);
        MirroredBackingQueue leading =
                new MirroredBackingQueue(setup.priorityMax(), opening.reign(), log, memory, listener);
        backing = leading;
        pageIfDue();
        output.promoted(leading);
        log.finishDying();
    }

    /** What was delivered together has been told: now what follows from it. */
    public void onBatchEnd() {
        replica.onBatchEnd();
        pageIfDue();
        MirroredBackingQueue leading = backing;
        if (leading != null) {
            leading.log().onRoom();
            leading.log().tellStored(leading.local());
            tellStable(leading.local());
        }
    }

    /** The answers of a log: the local queue passes them on to the one above. */
    private static void tellStable(LocalBackingQueue local) {
        local.onSafe();
        local.onHandOutAllowed();
    }

    /** The turn in which {@link MirroredQueueOutput#wakeSoon} was said is over. */
    public void onWake() {
        MirroredBackingQueue leading = backing;
        if (leading != null) {
            leading.log().onWake(leading.local());
        }
    }

    /**
     * Publishes that {@link MirroredQueueOutput#read} asked for.
     *
     * @param asked all that was asked for then
     * @param entries those among them that the disk needs still; others are settled
     */
    public void onRead(long reign, List<Long> asked, Map<Long, byte[]> entries) {
        MirroredBackingQueue leading = backing;
        if (leading != null && leading.reign() == reign) {
            leading.log().onRead(asked, entries, leading.local());
        }
    }

    /** Time has passed: what the ring had no room for is tried again. */
    public void onTick() {
        MirroredBackingQueue leading = backing;
        if (leading != null) {
            leading.log().onRoom();
        }
    }

    /**
     * The ring takes back what it delivered from there on.
     *
     * @return false if what is applied cannot be taken back: this member's state is void, and another one is to be made of what is left
     */
    public boolean onCut(long fromOffset) {
        return replica.cut(fromOffset);
    }
}
