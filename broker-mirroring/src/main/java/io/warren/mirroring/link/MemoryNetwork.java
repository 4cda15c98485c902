package io.warren.mirroring.link;

import io.warren.core.spi.Scheduler;
import io.warren.core.spi.Ticker;
import io.warren.mirroring.ring.Member;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The links of a cluster whose nodes all live in one JVM, and the faults that tests put upon them.
 *
 * <p>Nothing is encoded: a frame is handed to the receiver's executor, in the call that sends it. What is under way in a direction that
 * is cut is held until that is healed, or lost when the link goes down, as between machines. An executor that runs what it is given
 * in an order of its own choice, and a manual clock, make a run repeat itself.
 *
 * <p>A node's address is its name. Thread-safe.
 *
 * @param <P> payload of the ring's entries
 */
public final class MemoryNetwork<P> {
    private static final int MISSED_MAX = 4;

    private final Ticker ticker;
    private final Scheduler scheduler;
    private final long heartbeatNs;

    /** Guards what follows, and is taken before any node's inbox, never after. */
    private final Object lock = new Object();

    private final Map<String, MemoryLinks<P>> nodes = new TreeMap<>();
    private final Set<Direction> cuts = new HashSet<>();
    private final List<MemoryLink<P>> ends = new ArrayList<>();
    /** Whose death is still to be reported to whom, for their link is down. */
    private final Map<Direction, Member> lost = new TreeMap<>();

    private record Direction(String from, String to) implements Comparable<Direction> {
        @Override
        public int compareTo(Direction other) {
            int byFrom = from.compareTo(other.from);
            return byFrom != 0 ? byFrom : to.compareTo(other.to);
        }
    }

    /**
     * An empty network.
     *
     * @param heartbeatNs time between two heartbeats; a link that misses four is down
     */
    public MemoryNetwork(Ticker ticker, Scheduler scheduler, long heartbeatNs) {
        if (heartbeatNs < 1) {
            throw new IllegalArgumentException("heartbeatNs=" + heartbeatNs);
        }
        this.ticker = ticker;
        this.scheduler = scheduler;
        this.heartbeatNs = heartbeatNs;
        scheduler.at(ticker.nowNs() + heartbeatNs, this::beat);
    }

    /**
     * A node comes up.
     *
     * @param executor runs what the listener hears, later and not in the call that gives it; it may be shared
     * @throws IllegalStateException if a process of that name is there already
     */
    public Links<P> join(Member self, Executor executor, LinkListener<P> listener) {
        synchronized (lock) {
            MemoryLinks<P> before = nodes.get(self.node());
            if (before != null && before.isAlive()) {
                throw new IllegalStateException(self + " cannot join: " + before.self() + " is there");
            }
            MemoryLinks<P> links = new MemoryLinks<>(this, self, executor, listener);
            nodes.put(self.node(), links);
            lost.keySet().removeIf(direction -> direction.from.equals(self.node()));
            dialAll();
            return links;
        }
    }

    // --------------------------------------------------------------------------------------------------- faults

    /** The process dies: its links are cut, and nobody listens there any more. */
    public void kill(String node) {
        synchronized (lock) {
            end(node(node));
        }
    }

    /** The process stands still: it hears and sends nothing, and its connections stay. */
    public void freeze(String node) {
        synchronized (lock) {
            node(node).setFrozen(true);
        }
    }

    /** It goes on where it stood. */
    public void thaw(String node) {
        synchronized (lock) {
            long nowNs = ticker.nowNs();
            // Whoever stood still itself must not judge the others by what it has not heard meanwhile.
            ends.stream().filter(end -> end.owner().self().node().equals(node)).forEach(end -> end.heard(nowNs));
            node(node).setFrozen(false);
        }
    }

    /** Nothing goes from one node to the other any more, one way. */
    public void cutOneWay(String from, String to) {
        block(from, to, true);
    }

    /** Nothing goes between the two any more. */
    public void cut(String one, String other) {
        block(one, other, true);
        block(other, one, true);
    }

    /** Both ways between the two are open again. */
    public void heal(String one, String other) {
        block(one, other, false);
        block(other, one, false);
    }

    /** Every way is open again. */
    public void healAll() {
        synchronized (lock) {
            List.copyOf(cuts).forEach(cut -> block(cut.from, cut.to, false));
        }
    }

    /** The connection between the two breaks; it is dialled again with the next heartbeat. */
    public void reset(String one, String other) {
        synchronized (lock) {
            MemoryLink<P> end = between(one, other);
            if (end != null) {
                breakLink(end);
            }
        }
    }

    private void block(String from, String to, boolean blocked) {
        synchronized (lock) {
            Direction direction =
                    new Direction(node(from).self().node(), node(to).self().node());
            boolean changed = blocked ? cuts.add(direction) : cuts.remove(direction);
            MemoryLink<P> end = between(to, from);
            if (changed && end != null) {
                end.setHolding(blocked);
            }
        }
    }

    private MemoryLinks<P> node(String name) {
        MemoryLinks<P> node = nodes.get(name);
        if (node == null) {
            throw new IllegalArgumentException("there is no node '" + name + "'; there are " + nodes.keySet());
        }
        return node;
    }

    // ---------------------------------------------------------------------------------------------------- links

    long nowNs() {
        return ticker.nowNs();
    }

    /** A node wants links it did not want before. */
    void dial() {
        synchronized (lock) {
            dialAll();
        }
    }

    void seek(MemoryLinks<P> seeker, String address) {
        synchronized (lock) {
            MemoryLinks<P> found = nodes.get(address);
            if (found == null || !found.isAlive() || !isOpen(seeker, found)) {
                seeker.hear(listener -> listener.onUnreached(address, "no node there"));
            } else if (between(seeker.self().node(), address) == null) {
                connect(seeker, found);
            }
        }
    }

    void end(MemoryLinks<P> node) {
        synchronized (lock) {
            node.die();
            for (MemoryLink<P> end : List.copyOf(ends)) {
                if (end.owner() == node) {
                    breakLink(end);
                }
            }
            dialAll();
        }
    }

    /** The end that one node has of its link with the other, or null. */
    @Nullable MemoryLink<P> between(String owner, String peer) {
        synchronized (lock) {
            return ends.stream()
                    .filter(end -> end.owner().self().node().equals(owner)
                            && end.peer().node().equals(peer))
                    .findFirst()
                    .orElse(null);
        }
    }

    /** One end closes: it hears so at once, and the other unless the way there is cut. */
    void breakLink(MemoryLink<P> end) {
        synchronized (lock) {
            goDown(end, DownReason.CUT);
            String from = end.owner().self().node();
            if (!cuts.contains(new Direction(from, end.peer().node()))) {
                goDown(end.other(), DownReason.CUT);
            }
        }
    }

    private void goDown(MemoryLink<P> end, DownReason reason) {
        if (ends.remove(end)) {
            end.down(reason);
            lost.put(new Direction(end.owner().self().node(), end.peer().node()), end.peer());
        }
    }

    /** A connection that is not refused is up at once; one that is refused proves a death. */
    private void dialAll() {
        for (MemoryLinks<P> one : nodes.values()) {
            for (MemoryLinks<P> other : nodes.values()) {
                if (one != other && one.keeps(other.self().node()) && one.isAlive() && isOpen(one, other)) {
                    dial(one, other);
                }
            }
        }
    }

    private void dial(MemoryLinks<P> one, MemoryLinks<P> other) {
        String from = one.self().node();
        String to = other.self().node();
        if (!other.isAlive()) {
            Member dead = lost.remove(new Direction(from, to));
            if (dead != null) {
                one.hear(listener -> listener.onRefused(dead));
            }
        } else if (between(from, to) == null && between(to, from) == null) {
            connect(one, other);
        }
    }

    private void connect(MemoryLinks<P> one, MemoryLinks<P> other) {
        lost.remove(new Direction(one.self().node(), other.self().node()));
        lost.remove(new Direction(other.self().node(), one.self().node()));
        MemoryLink<P> here = new MemoryLink<>(one, other.self(), nowNs());
        MemoryLink<P> there = new MemoryLink<>(other, one.self(), nowNs());
        here.join(there);
        ends.add(here);
        ends.add(there);
        here.up();
        there.up();
    }

    /** Whether both ways are open and both processes move. */
    private boolean isOpen(MemoryLinks<P> one, MemoryLinks<P> other) {
        return passes(one, other) && passes(other, one);
    }

    private boolean passes(MemoryLinks<P> from, MemoryLinks<P> to) {
        return !from.isFrozen()
                && !to.isFrozen()
                && !cuts.contains(new Direction(from.self().node(), to.self().node()));
    }

    private void beat() {
        synchronized (lock) {
            long nowNs = ticker.nowNs();
            for (MemoryLink<P> end : List.copyOf(ends)) {
                MemoryLinks<P> from = end.owner();
                MemoryLinks<P> to = end.other().owner();
                if (passes(from, to) && ends.contains(end.other())) {
                    end.other().heard(nowNs);
                    if (passes(to, from)) {
                        end.answered(nowNs);
                    }
                    long[] values = from.values();
                    MemoryLink<P> there = end.other();
                    to.hear(listener -> listener.onHeartbeat(there, values));
                }
            }
            for (MemoryLink<P> end : List.copyOf(ends)) {
                if (!end.owner().isFrozen() && nowNs - end.heardNs() >= MISSED_MAX * heartbeatNs) {
                    goDown(end, DownReason.TIMEOUT);
                    breakLink(end);
                }
            }
            dialAll();
            scheduler.at(nowNs + heartbeatNs, this::beat);
        }
    }
}
