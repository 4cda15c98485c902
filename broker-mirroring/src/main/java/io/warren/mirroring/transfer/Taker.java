package io.warren.mirroring.transfer;

import io.warren.mirroring.queue.HeldMessages;
import io.warren.mirroring.queue.MissingMessages;
import io.warren.mirroring.queue.SnapshotReader;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A member's end: it gets what the ring could not bring. The package says how.
 *
 * <p>Pure, owned by the queue's mailbox, one for a member as long as its process lives. Every view goes to it before the ring hears of it, what the
 * ring loses behind what it delivered before. It holds references to the messages that it had when it was lost, until nothing is missing.
 */
public final class Taker {
    /** How long an answer is waited for. */
    private static final long RETRY_NS = 5_000_000_000L;
    /** After how long it is tried again when the ring did not want what came. */
    private static final long UNWANTED_NS = 1_000_000_000L;
    /** Pieces that come before the giver is told; less than it may send without. */
    private static final int TELL_PIECES = Giver.PIECES_MAX / 4;

    private enum Phase {
        /** Nothing is missing, as far as is known. */
        COMPLETE,
        /** The ring has lost this member: tables are to be asked for, or are asked for. */
        TABLES_WANTED,
        /** Tables are coming. */
        TABLES_COME,
        /** They have come, and the ring is being told. */
        TABLES_TAKEN,
        /** Messages are to be asked for, or are asked for. */
        MESSAGES_WANTED,
        /** The master sends none for now. */
        MESSAGES_WAIT,
        /** Messages are coming. */
        MESSAGES_COME,
        /** All have come, or are settled, as of an entry that may not be here yet. */
        SETTLING,
        /** Nothing is missing, and that is being forced to disk. */
        KEPT_SOON
    }

    private final Member self;
    private final boolean isStored;
    private final TakerOutput output;
    private MissingMessages queue;
    private Phase phase;
    /** Messages that this member held when it was lost, by offset, and those that it was given since. */
    private final NavigableMap<Long, byte[]> former = new TreeMap<>();

    /** Publishes that the disk holds and the ring has not delivered again, and with which entry it will have. */
    private final Map<Long, byte[]> undelivered = new HashMap<>();

    private long undeliveredUpTo;

    /** Whether nothing was missing here before, or somebody has wanted that: then it need not be asked for again. */
    private boolean returns;

    private @Nullable Member master;
    private long reign;
    /** Whether this member stands behind a master in the ring. */
    private boolean follows;

    /** What was delivered when the ring lost this member: more comes only when it has found it again. */
    private long lostAt;

    private int attempt;
    /** Whether what is wanted is asked for, and since when. */
    private boolean asked;

    private long askedNs;
    private long nowNs;

    /** The entry behind which the member remembers what is settled. */
    private Position from = Position.START;
    /** What comes goes up to there. */
    private Position upTo = Position.START;

    private Map<Member, Long> senders = Map.of();
    /** Messages of the state whose tables come. */
    private int unsettled;

    private @Nullable SnapshotReader reader;
    private int untoldPieces;

    /**
     * An end of a member whose queue is in memory only.
     *
     * @param queue the member's, as its process starts
     */
    public Taker(Member self, MissingMessages queue, TakerOutput output) {
        this(self, queue, false, output);
    }

    /**
     * An end.
     *
     * @param queue the member's, as its process starts
     * @param isStored whether what it holds is on a disk, from which it may have to go on: then nobody hears that nothing is missing before {@link
     *     #onKept}
     */
    public Taker(Member self, MissingMessages queue, boolean isStored, TakerOutput output) {
        this.self = self;
        this.isStored = isStored;
        this.queue = queue;
        this.output = output;
        phase = queue.missingBelow() > 0 ? Phase.MESSAGES_WANTED : Phase.COMPLETE;
        returns = !queue.entriesBelow(queue.missingBelow()).isEmpty();
    }

    /**
     * The process begins with more than its queue: the ring's log has entries that it will deliver if it finds the ring again. Told before any view.
     *
     * @param publishes those among them that bring messages, by the messages' offsets
     * @param upTo the last entry
     */
    public void onFound(Map<Long, byte[]> publishes, long upTo) {
        returns |= phase == Phase.COMPLETE && upTo > 0;
        undelivered.putAll(publishes);
        undeliveredUpTo = upTo;
    }

    /** Whether messages may be missing, as far as is known here. */
    public boolean isComplete() {
        return phase == Phase.COMPLETE;
    }

    // --------------------------------------------------------------------------------------------------- inputs

    /** The metadata has made a view. */
    public void onView(View view) {
        Member leads = view.master();
        boolean isSame = leads != null && leads.equals(master) && view.reign() == reign;
        follows = view.ring().contains(self) && !self.equals(leads);
        if (!isSame || !follows) {
            interrupt();
        }
        master = leads;
        reign = view.reign();
        if (self.equals(leads)) {
            phase = Phase.COMPLETE;
            former.clear();
            return;
        }
        if (phase == Phase.COMPLETE && queue.missingBelow() > 0) {
            // It was to lead without it, and did not come to.
            phase = Phase.MESSAGES_WANTED;
        }
        if (!isSame || !asked) {
            askIfWanted();
        }
    }

    /** The ring cannot bring this member up to date. */
    public void onLost() {
        lostAt = queue.delivered();
        if (isLost()) {
            return;
        }
        interrupt();
        returns |= phase == Phase.COMPLETE && queue.delivered() > 0;
        former.putAll(undelivered);
        undelivered.clear();
        former.putAll(queue.entriesBelow(Long.MAX_VALUE));
        phase = Phase.TABLES_WANTED;
        askIfWanted();
    }

    /**
     * The ring was told of the tables.
     *
     * @param taken the queue that was made of them; null if the ring did not want them
     */
    public void onTaken(@Nullable MissingMessages taken) {
        if (taken != null) {
            queue = taken;
            if (taken.missingBelow() == 0) {
                keepOrComplete();
            } else {
                phase = Phase.MESSAGES_WANTED;
                askIfWanted();
            }
        } else if (phase == Phase.TABLES_TAKEN) {
            phase = Phase.TABLES_WANTED;
            asked = true;
            askedNs = nowNs - RETRY_NS + UNWANTED_NS;
        }
    }

    public void onLinkUp(String node) {
        if (isMaster(node)) {
            askIfWanted();
        }
    }

    public void onLinkDown(String node) {
        if (isMaster(node)) {
            interrupt();
        }
    }

    /** What was delivered together has been told to the queue. */
    public void onBatchEnd() {
        if (!undelivered.isEmpty() && queue.delivered() >= undeliveredUpTo) {
            undelivered.clear();
        }
        if (isLost() && queue.delivered() > lostAt) {
            // In a later view the ring could bring what was lacking after all.
            interrupt();
            phase = queue.missingBelow() > 0 ? Phase.MESSAGES_WANTED : Phase.COMPLETE;
            askIfWanted();
        }
        if (phase == Phase.SETTLING && queue.missingBelow() == 0) {
            keepOrComplete();
        }
    }

    private void keepOrComplete() {
        if (isStored) {
            phase = Phase.KEPT_SOON;
            output.keep();
        } else {
            completed();
        }
    }

    /** What {@link TakerOutput#keep} asked for is on disk. */
    public void onKept() {
        if (phase == Phase.KEPT_SOON) {
            completed();
        }
    }

    /** Time has passed. */
    public void onTick(long atNs) {
        nowNs = atNs;
        if (!asked || atNs - askedNs >= RETRY_NS) {
            askIfWanted();
        }
    }

    /** A frame from this node; one that is not the master's changes nothing. */
    public void onFrame(String node, TransferFrame.ToMember frame) {
        if (!follows || !isMaster(node)) {
            return;
        }
        if (frame instanceof TransferFrame.Piece piece) {
            onPiece(node, piece);
        } else if (frame instanceof TransferFrame.Tables tables) {
            if (phase == Phase.TABLES_WANTED && tables.attempt() == attempt) {
                senders = tables.senders();
                unsettled = tables.unsettled();
                begin(Phase.TABLES_COME, tables.upTo(), new SnapshotReader());
            }
        } else if (frame instanceof TransferFrame.Messages messages) {
            // A state from before would have what was settled here unremembered.
            if (isAwaited(messages.attempt()) && messages.upTo().compareTo(from) >= 0) {
                returns = true;
                begin(Phase.MESSAGES_COME, messages.upTo(), new SnapshotReader(former::get));
            }
        } else if (frame instanceof TransferFrame.Waits waits) {
            if (isAwaited(waits.attempt())) {
                phase = Phase.MESSAGES_WAIT;
            }
        } else if (frame instanceof TransferFrame.Stopped stopped) {
            // It may have begun, and been broken off before anything of that came here.
            if (stopped.attempt() == attempt && (phase == Phase.MESSAGES_COME || isAwaited(attempt))) {
                interrupt();
                askIfWanted();
            }
        } else if (frame instanceof TransferFrame.Refused refused) {
            // With the next tick, or in the next view.
            asked &= refused.attempt() != attempt;
        } else if (frame instanceof TransferFrame.HowFar question) {
            tellHowFar(question.reign());
        } else if (frame instanceof TransferFrame.Settled settled) {
            onSettled(settled);
        }
    }

    // -------------------------------------------------------------------------------------------------- asking

    private boolean isLost() {
        return phase == Phase.TABLES_WANTED || phase == Phase.TABLES_COME || phase == Phase.TABLES_TAKEN;
    }

    private boolean isMaster(String node) {
        return master != null && master.node().equals(node);
    }

    private boolean isAwaited(int answered) {
        return answered == attempt && (phase == Phase.MESSAGES_WANTED || phase == Phase.MESSAGES_WAIT);
    }

    private void askIfWanted() {
        Member leads = master;
        if (leads == null || !follows) {
            return;
        }
        if (phase == Phase.TABLES_WANTED) {
            ask(leads, new TransferFrame.AskTables(attempt + 1, reign));
        } else if (phase == Phase.MESSAGES_WANTED) {
            long below = queue.missingBelow();
            from = queue.rememberedFrom();
            former.putAll(queue.entriesBelow(below));
            List<HeldMessages> held =
                    HeldMessages.of(former.headMap(below, false).values());
            ask(leads, new TransferFrame.AskMessages(attempt + 1, reign, from, below, returns, held));
        }
    }

    private void ask(Member leads, TransferFrame.ToMaster question) {
        attempt++;
        asked = true;
        askedNs = nowNs;
        output.send(leads.node(), question);
    }

    /** What is under way is over, and wanted as before. What was put in stays. */
    private void interrupt() {
        reader = null;
        asked = false;
        untoldPieces = 0;
        if (phase == Phase.TABLES_COME) {
            phase = Phase.TABLES_WANTED;
        } else if (phase == Phase.MESSAGES_WANTED || phase == Phase.MESSAGES_WAIT || phase == Phase.MESSAGES_COME) {
            phase = Phase.MESSAGES_WANTED;
        }
    }

    // -------------------------------------------------------------------------------------------------- taking

    private void begin(Phase next, Position goesUpTo, SnapshotReader reads) {
        phase = next;
        upTo = goesUpTo;
        reader = reads;
        untoldPieces = 0;
    }

    private void onPiece(String node, TransferFrame.Piece piece) {
        SnapshotReader reads = reader;
        if (reads == null || piece.attempt() != attempt) {
            return;
        }
        try {
            reads.accept(piece.bytes());
        } catch (IllegalArgumentException malformed) {
            interrupt();
            asked = true;
            output.spoiled(String.valueOf(malformed.getMessage()));
            return;
        }
        untoldPieces++;
        if (untoldPieces == TELL_PIECES) {
            output.send(node, new TransferFrame.Received(attempt, untoldPieces));
            untoldPieces = 0;
        }
        if (phase == Phase.MESSAGES_COME) {
            queue.fill(reads.takeMessages());
            output.progress(reads.messagesRead(), reads.messageCount());
        }
        if (reads.isComplete()) {
            onAllPieces(reads);
        }
    }

    private void onAllPieces(SnapshotReader reads) {
        reader = null;
        if (phase == Phase.TABLES_COME) {
            phase = Phase.TABLES_TAKEN;
            output.takeTables(upTo, senders, reads.snapshot().lacking(unsettled));
        } else {
            settle(upTo);
        }
    }

    private void onSettled(TransferFrame.Settled settled) {
        boolean isMissing =
                phase == Phase.MESSAGES_WANTED || phase == Phase.MESSAGES_WAIT || phase == Phase.MESSAGES_COME;
        if (settled.reign() == reign && isMissing) {
            interrupt();
            settle(settled.upTo());
        }
    }

    private void settle(Position asOf) {
        phase = Phase.SETTLING;
        queue.onFilled(asOf.offset());
        onBatchEnd();
    }

    private void completed() {
        phase = Phase.COMPLETE;
        former.clear();
        output.complete();
        tellHowFar(reign);
    }

    private void tellHowFar(long askedReign) {
        Member leads = master;
        if (askedReign == reign && leads != null && follows) {
            long missingBelow =
                    switch (phase) {
                        case TABLES_WANTED, TABLES_COME, TABLES_TAKEN, KEPT_SOON -> Long.MAX_VALUE;
                        case COMPLETE, MESSAGES_WANTED, MESSAGES_WAIT, MESSAGES_COME, SETTLING -> queue.missingBelow();
                    };
            output.send(leads.node(), new TransferFrame.MissingBelow(reign, missingBelow));
        }
    }
}
