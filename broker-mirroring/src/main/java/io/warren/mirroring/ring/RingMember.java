package io.warren.mirroring.ring;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One member of one group: takes frames, views, link and disk events in, and tells its {@link RingOutput} what follows.
 *
 * <p>The package's essay says what it guarantees and why it works; this class is that text in code. It has one owner at a time,
 * reads no clock and does nothing by itself. A process makes one for each group it may be a member of, from what its disk holds,
 * and a new one when it starts again or adopts another metadata log.
 *
 * <p>Invariants: base &lt;= delivered &lt;= last of the log; what is delivered is stable and counts in the view in which it
 * was delivered; the epoch never falls. Limits: see {@link RingOptions}.
 *
 * @param <P> type of the payload
 */
public final class RingMember<P> {
    private final Member self;
    private final long logId;
    private final RingOptions options;
    private final RingOutput<P> output;
    private final Log<P> log;
    private final Durability durability;
    private final Outbox<P> outbox;
    private final RightNeighbour<P> rightNeighbour;
    /** Nodes to which the link is up. */
    private final Set<String> links = new HashSet<>();

    private Phase phase = Phase.OUTSIDE;
    private @Nullable View view;
    /** Epoch of the view; 0 before the first. */
    private long epoch;

    private List<Member> ring = List.of();
    /** Own place in the ring; 0 is the master. Meaningless outside. */
    private int place;

    /** Up to here the log is known to equal the left's, in this view; of a master, its last. Nothing above it counts. */
    private long matched;
    /** The pair of the HELLO that waits for an answer, or null. */
    private @Nullable Position asked;
    /** Its log and the left's part below its base: what it holds is another history, of which nothing counts. */
    private boolean diverged;

    /** Known to be held by every in-sync member; falls only when a view says that the group carried on from disk. */
    private long stable;
    /** Up to here everything went to the application; never above stable. */
    private long delivered;
    /** Up to here nobody in the ring will ask again, as told in this view. */
    private long forget;

    private Holdings holdings = new Holdings(0);
    private boolean haveGrewForRight;
    private boolean haveGrewForMaster;

    /** Of a master, else null. */
    private @Nullable Reign<P> reign;

    /** Several inputs are being taken in; what follows from them goes out when the turn ends. */
    private boolean inTurn;

    /** Time of the last tick, and since when the oldest own broadcast has waited. */
    private long nowNs;

    private long oldestSinceNs;

    /**
     * A member as its process starts.
     *
     * @param self this node in this incarnation
     * @param logId metadata log whose views it will install
     * @param log what the disk holds; owned by the member from here on
     */
    public RingMember(Member self, long logId, RingOptions options, Log<P> log, RingOutput<P> output) {
        this.self = self;
        this.logId = logId;
        this.options = options;
        this.log = log;
        this.output = output;
        durability = new Durability(log);
        rightNeighbour = new RightNeighbour<>(logId, log, options, output);
        outbox = new Outbox<>(options.windowBytes());
        stable = log.base().offset();
        delivered = stable;
    }

    // ------------------------------------------------------------------------------------------------ questions

    public Phase phase() {
        return phase;
    }

    public long epoch() {
        return epoch;
    }

    public long stable() {
        return stable;
    }

    public long delivered() {
        return delivered;
    }

    public Position last() {
        return log.last();
    }

    /**
     * The last delivered entry that everyone in sync had to force: up to here a member that is {@link Phase#BEHIND} may take over
     * the state. Not further, or it could begin above what the others still have when they come back from their disks.
     */
    public Position firmPosition() {
        long offset = delivered;
        while (offset > log.base().offset() && !log.at(offset).persistent()) {
            offset--;
        }
        return log.position(offset);
    }

    /** The table of senders that goes with {@link #firmPosition}. */
    public Senders firmSenders() {
        return log.sendersAt(firmPosition().offset());
    }

    /** The last entry that is forgotten here: a store that keeps a state has to keep every entry behind it. */
    public Position base() {
        return log.base();
    }

    /** The table of senders that goes with {@link #base}. */
    public Senders baseSenders() {
        return log.sendersAt(log.base().offset());
    }

    /** Number of own broadcasts not delivered yet. */
    public int undelivered() {
        return outbox.size();
    }

    /** Bytes of own broadcasts not delivered yet: what {@link #broadcast} counts against the window. */
    public long undeliveredBytes() {
        return outbox.bytes();
    }

    /**
     * Whether the passing of time changes nothing: nothing that was broadcast here waits, and, at a master, every member holds all there is on
     * its disk. Ticks may be left out until some other input comes.
     */
    public boolean isAtRest() {
        return outbox.isEmpty() && (reign == null || reign.isAtRest());
    }

    // --------------------------------------------------------------------------------------------------- inputs

    /**
     * Until the turn ends, inputs are only taken in; then what follows from all of them goes out at once. A shell that finds
     * several inputs in its mailbox hands them over in one turn: a frame then carries what came together. Without a turn
     * every input is one by itself.
     */
    public void beginTurn() {
        inTurn = true;
    }

    public void endTurn() {
        inTurn = false;
        finish();
    }

    /**
     * Broadcasts to the group. It is delivered here when it is stable, or, if this process ends first, perhaps never.
     *
     * @param persistent whether it has to be on disk at every in-sync member before it is stable. In a group whose entries are
     *     never written, everything is persistent and the shell reports it durable at once
     * @param bytes its size
     * @return its sequence, from 1; 0 if there is no room because too much of what was broadcast here is not delivered yet
     */
    public long broadcast(P payload, boolean persistent, int bytes) {
        boolean first = outbox.isEmpty();
        long sequence = outbox.add(payload, persistent, bytes);
        if (sequence == 0) {
            return 0;
        }
        if (first) {
            oldestSinceNs = nowNs;
        }
        Member master = ring.isEmpty() ? null : ring.get(0);
        if (phase == Phase.FOLLOWING && master != null && links.contains(master.node())) {
            sendBroadcast(master.node(), sequence);
        }
        finish();
        return sequence;
    }

    /** The metadata has made a view. One that is not newer, or names another incarnation of this node, changes nothing. */
    public void onView(View newView) {
        if (newView.logId() != logId || newView.epoch() <= epoch) {
            return;
        }
        if (view == null || newView.recovered() != view.recovered()) {
            stable = Math.min(stable, log.base().offset());
        }
        view = newView;
        epoch = newView.epoch();
        ring = newView.ring();
        place = ring.indexOf(self);
        asked = null;
        holdings = new Holdings(ring.size());
        haveGrewForRight = false;
        haveGrewForMaster = false;
        matched = 0;
        forget = 0;
        rightNeighbour.onView(epoch, right());
        if (place < 0) {
            phase = Phase.OUTSIDE;
            reign = null;
        } else if (place == 0) {
            lead(newView);
        } else {
            phase = Phase.ASKING;
            reign = null;
            sayHello(log.last());
        }
        finish();
    }

    /** The link to this node is up: what either side sends from now on arrives in order, until it goes down. */
    public void onLinkUp(String node) {
        links.add(node);
        Member left = left();
        if (left != null && left.node().equals(node) && phase != Phase.BEHIND) {
            sayHello(log.last());
        }
        if (phase == Phase.FOLLOWING && ring.get(0).node().equals(node)) {
            haveGrewForMaster = true;
            sendOutbox();
        }
        finish();
    }

    /** The link to this node is down: what was sent lately may be lost. */
    public void onLinkDown(String node) {
        links.remove(node);
        Member right = right();
        rightNeighbour.onLinkDown(node, right != null && right.node().equals(node));
    }

    /** A frame from this node. One of another log or epoch changes nothing, save a HELLO that came early. */
    public void onFrame(String from, Frame<P> frame) {
        if (frame.logId() != logId) {
            return;
        }
        if (frame.epoch() != epoch) {
            if (frame instanceof Frame.Hello<P> hello && hello.epoch() > epoch) {
                rightNeighbour.onEarlyHello(from, hello.epoch(), hello.last());
            }
            return;
        }
        if (frame instanceof Frame.Hello<P> hello) {
            onHello(from, hello);
        } else if (frame instanceof Frame.Append<P> append) {
            onAppend(from, append);
        } else if (frame instanceof Frame.Have<P> have) {
            onHave(from, have);
        } else if (frame instanceof Frame.Broadcast<P> broadcast) {
            if (reign != null) {
                reign.order(broadcast);
            }
        }
        finish();
    }

    /**
     * Everything that was appended up to this offset, and every cut before it, is forced to disk. Only writes that were made after
     * the last cut of an offset speak for it.
     */
    public void onDurable(long offset) {
        durability.onForced(offset);
        finish();
    }

    /**
     * Whether the master's state up to this position helps: this member is {@link Phase#BEHIND}, and its own log ends further down or is
     * of another history, as after the promotion of a member that did not hold everything.
     */
    public boolean wants(Position base) {
        return phase == Phase.BEHIND && (diverged || base.isAbove(log.last()));
    }

    /** The application took over another member's state up to this position, and it is on disk. */
    public void onSynchronised(Position base, Senders senders) {
        if (!wants(base)) {
            return;
        }
        log.restart(base, senders);
        durability.onReplaced();
        stable = diverged ? base.offset() : Math.max(stable, base.offset());
        delivered = base.offset();
        outbox.onDelivered(senders.highest(self));
        phase = Phase.ASKING;
        sayHello(base);
    }

    /** Time has passed. */
    public void onTick(long nowNs) {
        this.nowNs = nowNs;
        if (reign != null) {
            reign.watchLag(nowNs);
        }
        if (!outbox.isEmpty() && nowNs - oldestSinceNs > options.resendNs()) {
            oldestSinceNs = nowNs;
            sendOutbox();
        }
        finish();
    }

    // --------------------------------------------------------------------------------------------------- a slave

    private void sayHello(Position last) {
        Member left = left();
        if (left != null && links.contains(left.node())) {
            asked = last;
            output.send(left.node(), new Frame.Hello<>(logId, epoch, last));
        }
    }

    private void onAppend(String from, Frame.Append<P> append) {
        Member left = left();
        if (left == null || !left.node().equals(from)) {
            return;
        }
        if (append.answer()) {
            if (asked == null || !onAnswer(append.previous(), asked)) {
                return;
            }
        } else if (asked != null
                || phase != Phase.FOLLOWING
                || append.previous().offset() > matched) {
            return;
        }
        for (Entry<P> entry : append.entries()) {
            if (!take(entry)) {
                return;
            }
        }
        raiseStable(append.stable());
        forget = Math.max(forget, append.forget());
    }

    /** Looks whether the answer names a common point; if not, asks again further down, or gives up. */
    private boolean onAnswer(Position previous, Position asking) {
        if (contradicts(previous, log.base())) {
            loseRing(previous, true);
            return false;
        }
        if (previous.offset() >= log.base().offset() && !log.holds(previous)) {
            if (previous.isAbove(asking)) {
                loseRing(previous, false);
            } else {
                sayHello(log.lastNotAbove(previous, log.lastOffset()));
            }
            return false;
        }
        asked = null;
        matched = Math.max(matched, previous.offset());
        if (phase == Phase.ASKING) {
            phase = Phase.FOLLOWING;
            haveGrewForMaster = true;
            sendOutbox();
        }
        return true;
    }

    /** Takes one entry served by the left; false if it contradicts what was forgotten here. */
    private boolean take(Entry<P> entry) {
        long offset = entry.offset();
        if (offset > log.base().offset()) {
            if (!log.holds(entry.position())) {
                if (offset <= log.lastOffset()) {
                    cut(offset);
                }
                log.append(entry);
                output.append(entry);
            }
        } else if (contradicts(entry.position(), log.base())) {
            loseRing(entry.position(), true);
            return false;
        }
        matched = Math.max(matched, offset);
        return true;
    }

    /** Whether no log that holds this entry can hold the base: there is another one at its place, or epochs would fall. */
    private static boolean contradicts(Position served, Position base) {
        if (served.offset() == base.offset()) {
            return !served.equals(base);
        }
        boolean isBelow = served.offset() < base.offset();
        return isBelow ? served.epoch() > base.epoch() : served.epoch() < base.epoch();
    }

    private void cut(long fromOffset) {
        Invariant.check(fromOffset > matched, "what counts in a view is not cut in it", fromOffset);
        log.cut(fromOffset);
        durability.onCut(fromOffset);
        delivered = Math.min(delivered, fromOffset - 1);
        output.cut(fromOffset);
    }

    private void loseRing(Position leftBegins, boolean otherHistory) {
        phase = Phase.BEHIND;
        diverged = otherHistory;
        asked = null;
        matched = 0;
        output.lost(leftBegins);
    }

    private void sendOutbox() {
        if (phase != Phase.FOLLOWING) {
            return;
        }
        String master = ring.get(0).node();
        if (links.contains(master)) {
            for (long sequence = outbox.firstSequence(); sequence <= outbox.lastSequence(); sequence++) {
                sendBroadcast(master, sequence);
            }
        }
    }

    private void sendBroadcast(String master, long sequence) {
        output.send(master, broadcastOf(sequence));
    }

    private Frame.Broadcast<P> broadcastOf(long sequence) {
        Outbox.Pending<P> pending = outbox.get(sequence);
        return new Frame.Broadcast<>(
                logId,
                epoch,
                self,
                sequence,
                outbox.firstSequence(),
                pending.persistent(),
                pending.bytes(),
                pending.payload());
    }

    // -------------------------------------------------------------------------------------------------- a master

    private void lead(View newView) {
        phase = Phase.LEADING;
        if (reign == null || reign.epoch() != newView.reign()) {
            reign = new Reign<>(newView, holdings, log, stable, options, output);
        } else {
            reign.onView(newView, holdings);
        }
        matched = log.lastOffset();
    }

    /** Orders and counts until nothing moves any more. */
    private void rule(Reign<P> leading) {
        boolean moved = true;
        while (moved) {
            moved = leading.orderOwn(outbox);
            matched = log.lastOffset();
            haveGrewForRight |= holdings.raise(0, matched, durability.durable());
            moved |= raiseStable(leading.countStable(stable));
            forget = leading.countForget(stable, forget);
        }
        leading.propose(stable);
    }

    // ---------------------------------------------------------------------------------------------------- everyone

    private void onHello(String from, Frame.Hello<P> hello) {
        Member right = right();
        if (right != null && right.node().equals(from)) {
            rightNeighbour.onHello(hello.last());
        }
    }

    private void onHave(String from, Frame.Have<P> have) {
        Member left = left();
        boolean fromLeft = left != null && left.node().equals(from);
        if (phase == Phase.LEADING) {
            holdings.raise(have);
        } else if (fromLeft) {
            onHaveGrew(holdings.raise(have));
        }
    }

    private void onHaveGrew(boolean grew) {
        haveGrewForRight |= grew;
        haveGrewForMaster |= grew;
    }

    private boolean raiseStable(long offset) {
        if (offset <= stable) {
            return false;
        }
        if (reign != null) {
            reign.onStable(stable, offset);
        }
        stable = offset;
        output.stable(stable);
        return true;
    }

    /** Ends every input: count, pass on, then deliver. Passing on comes first so that the ring never waits for the application. */
    private void finish() {
        if (inTurn || view == null || phase == Phase.OUTSIDE) {
            return;
        }
        if (reign != null) {
            rule(reign);
        } else if (counts()) {
            onHaveGrew(holdings.raise(place, matched, Math.min(durability.durable(), matched)));
        }
        Member right = right();
        if (right != null && counts()) {
            haveGrewForRight |= rightNeighbour.answer(right, epoch, matched, stable, forget);
            rightNeighbour.serve(right, epoch, matched, stable, forget);
        }
        sendHave(view);
        deliver();
        trim();
    }

    /**
     * Whether what this member holds may be reported, and served to its right. Below its base it cannot compare: its log may turn out to
     * be of another history, it takes over a state that ends further down, and what it had reported would be true no more.
     */
    private boolean counts() {
        return phase == Phase.LEADING
                || (phase == Phase.FOLLOWING && matched >= log.base().offset());
    }

    /** Hands on what everyone so far holds: to the right, and at the end of the in-sync members to the master. */
    private void sendHave(View current) {
        Member right = right();
        if (haveGrewForRight && right != null && rightNeighbour.isServed()) {
            haveGrewForRight = false;
            output.send(right.node(), new Frame.Have<>(logId, epoch, holdings.first(place + 1)));
        }
        boolean closes = phase == Phase.FOLLOWING && place >= current.inSync().size() - 1;
        String master = ring.get(0).node();
        if (haveGrewForMaster && closes && links.contains(master)) {
            haveGrewForMaster = false;
            output.send(master, new Frame.Have<>(logId, epoch, holdings.first(place + 1)));
        }
    }

    private void deliver() {
        long to = Math.min(stable, matched);
        while (delivered < to) {
            delivered++;
            Entry<P> entry = log.at(delivered);
            if (entry.view() != null) {
                output.viewInstalled(entry.view(), delivered);
                continue;
            }
            output.deliver(entry);
            if (entry.sender().equals(self)) {
                outbox.onDelivered(entry.sequence());
                oldestSinceNs = nowNs;
            }
        }
    }

    private void trim() {
        long to = Math.min(forget, delivered);
        if (to > log.base().offset()) {
            log.forget(to);
            output.forget(to);
        }
    }

    private @Nullable Member left() {
        return place > 0 ? ring.get(place - 1) : null;
    }

    private @Nullable Member right() {
        return place >= 0 && place + 1 < ring.size() ? ring.get(place + 1) : null;
    }
}
