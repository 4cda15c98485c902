package io.warren.mirroring.group;

import io.warren.mirroring.link.Link;
import io.warren.mirroring.mailbox.Mailbox;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Log;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.RingMember;
import io.warren.mirroring.ring.RingOutput;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One node's member of one group, with its mailbox.
 *
 * <p>Any thread posts; the member has one owner at a time, the turn. The turn begins with all that waits, tells the disk's reports last,
 * and ends by giving back to the links what came over them.
 *
 * <p>When a peer's member does not take in what it is sent, its link refuses this group ({@link Link#send}). Then the group starts again
 * with that peer, as if their link alone had gone down: it says so by an empty message behind all that still waits, sends and takes
 * nothing, and the answer, which comes behind all that the peer had sent before, ends this at both ends.
 *
 * <p>Limits: own broadcasts that are not delivered, {@link io.warren.mirroring.ring.RingOptions#windowBytes}; beyond that {@link
 * #broadcast} refuses.
 *
 * @param <P> type of the payload
 */
public final class Group<P> {
    static final int TYPE_START_AGAIN = 254;
    static final int TYPE_STARTED_AGAIN = 255;

    /** Enough that what a turn costs by itself is little for each, few enough that the right has something to do meanwhile. */
    private static final int TURN_INPUTS_MAX = 64;

    private final String name;
    private final GroupOptions options;
    private final GroupOutput<P> output;
    private final RingMember<P> member;
    private final Mailbox<Group<P>> mailbox;

    /** Bytes of broadcasts that wait here or in the member. */
    private final AtomicLong undeliveredBytes = new AtomicLong();

    private volatile boolean stopped;

    /** Time of the last tick, whether or not the member was told. */
    private volatile long tickedNs;

    /** Whether the member has nothing to do with time until something else comes; written by the turn. */
    private volatile boolean isAtRest;

    // Owned by the turn.
    private final Map<String, Neighbour<P>> neighbours = new HashMap<>();
    private final List<Neighbour<P>> refused = new ArrayList<>();
    /** The first of this turn's inputs that is not taken in. */
    private Mailbox.@Nullable Input<Group<P>> rest;

    private long broadcastBytes;
    /** Highest offset that is durable and not told to the member; 0 if there is none. */
    private long durable;

    /** A node to which the link is up. */
    private static final class Neighbour<P> {
        final Link<P> link;
        /** Waits for the peer to start again too: nothing that is said meanwhile counts. */
        boolean isStartingAgain;

        int receivedBytes;
        /** The last HAVE of this turn: it says all that those before it did. */
        Frame.@Nullable Have<P> have;

        Neighbour(Link<P> link) {
            this.link = link;
        }
    }

    Group(
            String name,
            Member self,
            long logId,
            GroupOptions options,
            Log<P> log,
            GroupOutput<P> output,
            Executor executor) {
        this.name = name;
        this.options = options;
        this.output = output;
        member = new RingMember<>(self, logId, options.ring(), log, new Output());
        mailbox = new Mailbox<>(executor, TURN_INPUTS_MAX, this::turn);
    }

    public String name() {
        return name;
    }

    // --------------------------------------------------------------------------------------------------- inputs

    /**
     * Broadcasts to the group; it is delivered here when it is stable. Of one thread's broadcasts the order is kept.
     *
     * @param bytes its size; at most what a link takes at once, for otherwise the member fails when it passes it on
     * @return false if there is no room, because too much of what was broadcast here is not delivered yet, or the member has stopped
     */
    public boolean broadcast(P payload, boolean persistent, int bytes) {
        long before = undeliveredBytes.getAndAdd(bytes);
        if (stopped || (before > 0 && before + bytes > options.ring().windowBytes())) {
            undeliveredBytes.addAndGet(-bytes);
            return false;
        }
        mailbox.post(new Broadcast<>(payload, persistent, bytes));
        return true;
    }

    /** The metadata has made a view. */
    public void onView(View view) {
        post(ring -> ring.onView(view));
    }

    /** Everything appended up to this offset, and every cut before it, is forced to disk; see {@link RingMember#onDurable}. */
    public void onDurable(long offset) {
        mailbox.post(new Durable<>(offset));
    }

    /** Costs a member that is at rest nothing: a node has thousands of queues that nobody uses. */
    public void onTick(long nowNs) {
        tickedNs = nowNs;
        if (!isAtRest) {
            post(ring -> ring.onTick(nowNs));
        }
    }

    /** Lets somebody look at the member, or tell it something, in its turn. */
    public void post(Consumer<RingMember<P>> what) {
        mailbox.post(new Mailbox.Input<>() {
            @Override
            public void run(Group<P> owner) {
                what.accept(owner.member);
            }
        });
    }

    /** It takes in nothing any more, and sends nothing. */
    void stop() {
        stopped = true;
    }

    void onLinkUp(Link<P> link) {
        mailbox.post(new Mailbox.Input<>() {
            @Override
            public void run(Group<P> owner) {
                owner.neighbours.put(link.peer().node(), new Neighbour<>(link));
                owner.member.onLinkUp(link.peer().node());
            }
        });
    }

    void onLinkDown(Link<P> link) {
        mailbox.post(new Mailbox.Input<>() {
            @Override
            public void run(Group<P> owner) {
                owner.neighbours.remove(link.peer().node());
                owner.member.onLinkDown(link.peer().node());
            }
        });
    }

    void onFrame(Link<P> link, Frame<P> frame, int bytes) {
        mailbox.post(new Arrived<>(link, frame, bytes));
    }

    void onStartAgain(Link<P> link) {
        mailbox.post(new StartAgain<>(link));
    }

    void onStartedAgain(Link<P> link) {
        mailbox.post(new Mailbox.Input<>() {
            @Override
            public void run(Group<P> owner) {
                owner.finishStart(link);
            }
        });
    }

    private static final class StartAgain<P> extends Mailbox.Input<Group<P>> {
        private final Link<P> link;

        StartAgain(Link<P> link) {
            this.link = link;
        }

        @Override
        public void run(Group<P> owner) {
            owner.answerStart(link);
        }
    }

    private static final class Broadcast<P> extends Mailbox.Input<Group<P>> {
        private final P payload;
        private final boolean persistent;
        private final int bytes;

        Broadcast(P payload, boolean persistent, int bytes) {
            this.payload = payload;
            this.persistent = persistent;
            this.bytes = bytes;
        }

        @Override
        public void run(Group<P> owner) {
            owner.broadcastBytes += bytes;
            if (owner.member.broadcast(payload, persistent, bytes) == 0) {
                throw new IllegalStateException("a broadcast of " + bytes + " B was let in and has no room");
            }
        }
    }

    private static final class Durable<P> extends Mailbox.Input<Group<P>> {
        private final long offset;

        Durable(long offset) {
            this.offset = offset;
        }

        @Override
        public void run(Group<P> owner) {
            owner.durable = Math.max(owner.durable, offset);
        }
    }

    private static final class Arrived<P> extends Mailbox.Input<Group<P>> {
        private final Link<P> link;
        private final Frame<P> frame;
        private final int bytes;

        Arrived(Link<P> link, Frame<P> frame, int bytes) {
            this.link = link;
            this.frame = frame;
            this.bytes = bytes;
        }

        @Override
        public void run(Group<P> owner) {
            Neighbour<P> neighbour = owner.neighbourOver(link);
            if (neighbour == null) {
                return;
            }
            neighbour.receivedBytes += bytes;
            if (!neighbour.isStartingAgain) {
                owner.member.onFrame(link.peer().node(), frame);
            }
        }
    }

    // ---------------------------------------------------------------------------------------------------- a turn

    private void turn(Mailbox.@Nullable Input<Group<P>> first) {
        if (stopped) {
            discard(first);
            return;
        }
        try {
            long before = member.undeliveredBytes();
            broadcastBytes = 0;
            take(first);
            undeliveredBytes.addAndGet(member.undeliveredBytes() - before - broadcastBytes);
        } catch (RuntimeException | Error failure) {
            stopped = true;
            output.failed(failure);
            discard(rest);
        }
        giveBack();
    }

    private void take(Mailbox.@Nullable Input<Group<P>> first) {
        member.beginTurn();
        if (isAtRest) {
            isAtRest = false;
            // What begins now begins at this time, and not when it was told of the time last.
            member.onTick(tickedNs);
        }
        rest = first;
        for (Mailbox.Input<Group<P>> input = rest; input != null; input = rest) {
            rest = Mailbox.after(input);
            input.run(this);
        }
        tellDurable();
        member.endTurn();
        boolean moved = true;
        while (moved) {
            // What the end of the turn has appended is durable at once where nothing is stored.
            moved = tellDurable() || sendHaves() || startAgain();
        }
        isAtRest = member.isAtRest();
    }

    /** Nobody takes in what came; its senders must not wait for that. */
    private void discard(Mailbox.@Nullable Input<Group<P>> first) {
        for (Mailbox.Input<Group<P>> next = first; next != null; next = Mailbox.after(next)) {
            if (next instanceof Arrived<P> arrived) {
                arrived.link.giveBack(name, arrived.bytes);
            } else if (next instanceof StartAgain<P> start) {
                sayStartedAgain(start.link, name);
            }
        }
    }

    private boolean tellDurable() {
        if (durable == 0) {
            return false;
        }
        long offset = durable;
        durable = 0;
        member.onDurable(offset);
        return true;
    }

    private void giveBack() {
        for (Neighbour<P> neighbour : neighbours.values()) {
            if (neighbour.receivedBytes > 0) {
                neighbour.link.giveBack(name, neighbour.receivedBytes);
                neighbour.receivedBytes = 0;
            }
        }
    }

    /** Links have refused this group in the turn: its member learns that nothing goes to those nodes for now. */
    private boolean startAgain() {
        if (refused.isEmpty()) {
            return false;
        }
        List<Neighbour<P>> those = List.copyOf(refused);
        refused.clear();
        for (Neighbour<P> neighbour : those) {
            // The next link may have come up in this turn: the member knows of it, and it refuses nothing.
            if (neighbourOver(neighbour.link) == neighbour) {
                member.onLinkDown(neighbour.link.peer().node());
            }
        }
        return true;
    }

    /** Who is at the other end of a link, unless that link is not the present one any more. */
    private @Nullable Neighbour<P> neighbourOver(Link<P> link) {
        Neighbour<P> neighbour = neighbours.get(link.peer().node());
        return neighbour != null && neighbour.link == link ? neighbour : null;
    }

    private void answerStart(Link<P> link) {
        Neighbour<P> neighbour = neighbourOver(link);
        if (neighbour == null) {
            return;
        }
        String node = link.peer().node();
        if (!neighbour.isStartingAgain) {
            member.onLinkDown(node);
        }
        sayStartedAgain(neighbour.link, name);
        if (!neighbour.isStartingAgain) {
            member.onLinkUp(node);
        }
    }

    /** Whoever starts again is answered, by a group that is not open too: it may be, later, over the same link. */
    static void sayStartedAgain(Link<?> link, String name) {
        link.send(name, TYPE_STARTED_AGAIN, new byte[0]);
    }

    private void finishStart(Link<P> link) {
        Neighbour<P> neighbour = neighbourOver(link);
        if (neighbour != null && neighbour.isStartingAgain) {
            neighbour.isStartingAgain = false;
            member.onLinkUp(link.peer().node());
        }
    }

    private void send(String node, Frame<P> frame) {
        Neighbour<P> neighbour = neighbours.get(node);
        if (neighbour == null || neighbour.isStartingAgain) {
            return;
        }
        if (frame instanceof Frame.Have<P> have) {
            neighbour.have = have;
        } else if (!neighbour.link.send(name, frame)) {
            startAgain(neighbour);
        }
    }

    /** Sends what members hold as it is at the end of the turn; true if there was anything. */
    private boolean sendHaves() {
        boolean any = false;
        for (Neighbour<P> neighbour : neighbours.values()) {
            Frame.Have<P> have = neighbour.have;
            if (have != null) {
                neighbour.have = null;
                any = true;
                if (!neighbour.isStartingAgain && !neighbour.link.send(name, have)) {
                    startAgain(neighbour);
                }
            }
        }
        return any;
    }

    private void startAgain(Neighbour<P> neighbour) {
        neighbour.isStartingAgain = true;
        refused.add(neighbour);
        neighbour.link.send(name, TYPE_START_AGAIN, new byte[0]);
    }

    @Override
    public String toString() {
        return "group " + name;
    }

    private final class Output implements RingOutput<P> {
        @Override
        public void send(String node, Frame<P> frame) {
            Group.this.send(node, frame);
        }

        @Override
        public void append(Entry<P> entry) {
            if (!options.stored()) {
                durable = entry.offset();
            }
            output.append(entry);
        }

        @Override
        public void cut(long fromOffset) {
            if (!options.stored()) {
                durable = Math.min(durable, fromOffset - 1);
            }
            output.cut(fromOffset);
        }

        @Override
        public void deliver(Entry<P> entry) {
            output.deliver(entry);
        }

        @Override
        public void viewInstalled(View view, long offset) {
            output.viewInstalled(view, offset);
        }

        @Override
        public void stable(long offset) {
            output.stable(offset);
        }

        @Override
        public void forget(long offset) {
            output.forget(offset);
        }

        @Override
        public void proposeInSync(long epoch, Member proposed) {
            output.proposeInSync(epoch, proposed);
        }

        @Override
        public void proposeLagging(long epoch, Member lagging) {
            output.proposeLagging(epoch, lagging);
        }

        @Override
        public void lost(Position leftBegins) {
            output.lost(leftBegins);
        }
    }
}
