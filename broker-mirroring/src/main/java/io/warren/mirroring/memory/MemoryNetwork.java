package io.warren.mirroring.memory;

import io.warren.core.spi.Ticker;
import io.warren.mirroring.attachment.AttachmentFrame;
import io.warren.mirroring.group.Groups;
import io.warren.mirroring.link.DownReason;
import io.warren.mirroring.link.LinkListener;
import io.warren.mirroring.link.Sizes;
import io.warren.mirroring.node.LinkedPeers.GroupHost;
import io.warren.mirroring.node.Peers;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Member;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Links between nodes of one JVM, with faults on demand: cut, frozen, ended.
 *
 * <p>One daemon thread for each node runs what comes to it, so frames take their time and meet others, as on a wire. A link that is cut
 * loses what was under way. A frozen node neither hears nor is heard; what comes meanwhile waits. Groups have their turns on the same
 * thread. Any thread may call.
 */
public final class MemoryNetwork {
    /** Waits for one listener to return: 20 s, or less while that much else comes. */
    private static final int SETTLE_WAITS_MAX = 20_000;

    private static final long SETTLE_WAIT_MS = 1;

    private final Ticker ticker;
    private final UnaryOperator<AttachmentFrame> wire;
    private final Map<String, Port> ports = new TreeMap<>();
    private final Set<Set<String>> cuts = new HashSet<>();
    /** Since when two nodes are not in touch. */
    private final Map<Set<String>, Long> silentSince = new HashMap<>();
    /** Events that were dealt with, at all nodes. */
    private long delivered;

    /**
     * No node is linked yet.
     *
     * @param ticker the time in which silence is told
     * @param wire what becomes of a frame on its way: itself, or what is read of its bytes
     */
    public MemoryNetwork(Ticker ticker, UnaryOperator<AttachmentFrame> wire) {
        this.ticker = ticker;
        this.wire = wire;
    }

    /** The links of one node, for one process of it. */
    public Peers peers(String name) {
        return new Port(name);
    }

    /** Ends a node's process: its links are gone, and who tries again is refused. */
    public void end(String name) {
        Port port;
        synchronized (this) {
            port = ports.get(name);
        }
        if (port != null) {
            port.close();
        }
    }

    /** Two nodes do not reach each other any more. */
    public synchronized void cut(String one, String other) {
        if (!cuts.contains(pair(one, other))) {
            // Until now they heard each other.
            unlink(ports.get(one), ports.get(other), false);
            cuts.add(pair(one, other));
        }
    }

    /** They do again. */
    public synchronized void join(String one, String other) {
        if (cuts.remove(pair(one, other))) {
            link(ports.get(one), ports.get(other));
        }
    }

    /** A node stands still. */
    public synchronized void freeze(String name) {
        Port port = ports.get(name);
        if (port != null && !port.frozen) {
            ports.values().forEach(other -> silent(port, other));
            port.frozen = true;
        }
    }

    /** It goes on where it stood. */
    public synchronized void thaw(String name) {
        Port port = ports.get(name);
        if (port != null) {
            port.frozen = false;
            notifyAll();
        }
    }

    /** Whether the two can hear each other now; a node hears itself while it runs. */
    public synchronized boolean isReachable(String one, String other) {
        Port from = ports.get(one);
        Port to = ports.get(other);
        return from != null && to != null && !from.frozen && !to.frozen && !cuts.contains(pair(one, other));
    }

    /**
     * Waits until everything that is under way has come, as far as it can.
     *
     * @throws IllegalStateException if a node's listener does not return
     */
    public synchronized void settle() {
        long before = delivered;
        for (int waits = 0; ports.values().stream().anyMatch(Port::isBusy); waits++) {
            if (delivered != before) {
                before = delivered;
                waits = 0;
            } else if (waits == SETTLE_WAITS_MAX) {
                throw new IllegalStateException(
                        "what came to a node was not dealt with: a callback waits in its link's thread");
            }
            try {
                wait(SETTLE_WAIT_MS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static Set<String> pair(String one, String other) {
        return one.equals(other) ? Set.of(one) : Set.of(one, other);
    }

    private void link(@Nullable Port one, @Nullable Port other) {
        if (one != null && other != null && one != other && !cuts.contains(pair(one.name, other.name))) {
            one.linked(other);
            other.linked(one);
        }
    }

    private void unlink(@Nullable Port one, @Nullable Port other, boolean ended) {
        if (one != null && other != null && one != other) {
            silent(one, other);
            one.unlinked(other, false);
            other.unlinked(one, ended);
        }
    }

    private void silent(Port one, Port other) {
        if (isReachable(one.name, other.name)) {
            silentSince.put(pair(one.name, other.name), ticker.nowNs());
        }
    }

    /** What comes to one process of a node, and the thread that runs it. */
    private final class Port implements Peers, Runnable {
        private final String name;
        private final ArrayDeque<Runnable> inbox = new ArrayDeque<>();
        private final Map<String, Link> links = new HashMap<>();
        private @Nullable Member self;
        private Peers.@Nullable Listener listener;
        private @Nullable Groups<byte[]> groups;
        private GroupHost host = GroupHost.NONE;
        private boolean frozen;
        private boolean closed;
        private boolean running;

        Port(String name) {
            this.name = name;
        }

        @Override
        public void host(GroupHost queues) {
            host = queues;
        }

        @Override
        public void open(Member asMember, Listener to) {
            Groups<byte[]> fresh = new Groups<>(asMember, this::turn);
            host.onProcess(asMember, fresh);
            synchronized (MemoryNetwork.this) {
                if (self == null) {
                    Thread thread = new Thread(this, "warren-link-" + name);
                    thread.setDaemon(true);
                    thread.start();
                }
                ports.values().forEach(other -> unlink(this, other, false));
                self = asMember;
                listener = to;
                groups = fresh;
                ports.put(name, this);
                ports.values().forEach(other -> link(this, other));
            }
        }

        @Override
        public void close() {
            synchronized (MemoryNetwork.this) {
                if (closed) {
                    return;
                }
                if (ports.get(name) == this) {
                    ports.values().forEach(other -> unlink(this, other, true));
                    ports.remove(name);
                }
                closed = true;
                inbox.clear();
                MemoryNetwork.this.notifyAll();
            }
        }

        /** Whoever opens is linked with all others. */
        @Override
        public void know(Map<String, String> addresses) {}

        @Override
        public void onTick(long nowNs) {
            Groups<byte[]> present;
            synchronized (MemoryNetwork.this) {
                present = groups;
            }
            if (present != null) {
                present.onTick(nowNs);
            }
        }

        /** A group's turn. */
        private void turn(Runnable task) {
            synchronized (MemoryNetwork.this) {
                if (!closed) {
                    inbox.addLast(task);
                    MemoryNetwork.this.notifyAll();
                }
            }
        }

        /** Something of a group's, over a link's far end. */
        private void receiveGroup(Link sent, Consumer<LinkListener<byte[]>> what) {
            Link over = sent.farEnd();
            Groups<byte[]> to = groups;
            if (over != null && to != null) {
                post(listening -> {
                    if (isUp(over)) {
                        what.accept(to);
                    }
                });
            }
        }

        @Override
        public boolean isLinked(String node) {
            synchronized (MemoryNetwork.this) {
                return links.containsKey(node);
            }
        }

        /** Links here are as the test says. */
        @Override
        public void cut(Member peer) {}

        @Override
        public void send(Member to, AttachmentFrame sent) {
            AttachmentFrame frame = wire.apply(sent);
            synchronized (MemoryNetwork.this) {
                Link link = links.get(to.node());
                Member from = self;
                if (link != null && from != null && to.equals(link.peer)) {
                    link.far.receive(link.farEnd(), from, frame);
                }
            }
        }

        private void receive(@Nullable Link over, Member from, AttachmentFrame frame) {
            post(listening -> {
                if (isUp(over)) {
                    listening.onFrame(from, frame);
                }
            });
        }

        /** Lost with the link it came over. */
        private boolean isUp(@Nullable Link over) {
            synchronized (MemoryNetwork.this) {
                return over != null && over.up;
            }
        }

        private void linked(Port other) {
            Member peer = other.self;
            if (peer != null && !links.containsKey(other.name)) {
                Link link = new Link(this, other, peer);
                links.put(other.name, link);
                Groups<byte[]> hearing = groups;
                post(listening -> {
                    if (hearing != null) {
                        hearing.onUp(link);
                    }
                    host.onLink(link, true);
                    listening.onUp(peer);
                });
            }
        }

        private void unlinked(Port other, boolean ended) {
            Link link = links.remove(other.name);
            Member peer = link != null ? link.peer : other.self;
            if (link != null) {
                link.up = false;
                Groups<byte[]> hearing = groups;
                post(listening -> {
                    if (hearing != null) {
                        hearing.onDown(link, DownReason.CUT);
                    }
                    host.onLink(link, false);
                    listening.onDown(link.peer);
                });
            }
            if (ended && peer != null) {
                post(listening -> listening.onRefused(peer));
            }
        }

        private void post(Consumer<Listener> event) {
            Listener to = listener;
            if (to != null && !closed) {
                inbox.addLast(() -> event.accept(to));
                MemoryNetwork.this.notifyAll();
            }
        }

        @Override
        public void run() {
            for (Runnable next = next(); next != null; next = next()) {
                next.run();
            }
        }

        private boolean isBusy() {
            return running || (!frozen && !inbox.isEmpty());
        }

        private @Nullable Runnable next() {
            synchronized (MemoryNetwork.this) {
                running = false;
                delivered++;
                MemoryNetwork.this.notifyAll();
                while (!closed && (frozen || inbox.isEmpty())) {
                    try {
                        MemoryNetwork.this.wait();
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                        return null;
                    }
                }
                running = !closed;
                return closed ? null : inbox.removeFirst();
            }
        }

        @Override
        public long heardNs(String node) {
            synchronized (MemoryNetwork.this) {
                return isReachable(name, node) ? ticker.nowNs() : silentSince.getOrDefault(pair(name, node), NEVER);
            }
        }

        @Override
        public long answeredNs(String node) {
            return heardNs(node);
        }
    }

    /** One end of a link that is or was up. */
    private final class Link implements io.warren.mirroring.link.Link<byte[]> {
        private final Port near;
        private final Port far;
        private final Member peer;
        private boolean up = true;
        /** Of each group: what was sent from here and is not given back. */
        private final Map<String, AtomicLong> waiting = new ConcurrentHashMap<>();

        Link(Port near, Port far, Member peer) {
            this.near = near;
            this.far = far;
            this.peer = peer;
        }

        @Nullable Link farEnd() {
            return far.links.get(near.name);
        }

        @Override
        public Member peer() {
            return peer;
        }

        @Override
        public String address() {
            return far.name;
        }

        @Override
        public boolean send(String group, Frame<byte[]> frame) {
            int bytes = Sizes.of(frame);
            return pass(group, bytes, false, (over, to) -> to.onFrame(over, group, frame, bytes));
        }

        @Override
        public boolean send(String group, int type, byte[] body) {
            int bytes = Sizes.of(body);
            return pass(group, bytes, bytes == 0, message(group, type, body, bytes));
        }

        @Override
        public void sendAnyway(String group, int type, byte[] body) {
            int bytes = Sizes.of(body);
            pass(group, bytes, true, message(group, type, body, bytes));
        }

        /** Groups have messages of their own, and who has groups has others. */
        private BiConsumer<Link, LinkListener<byte[]>> message(String group, int type, byte[] body, int bytes) {
            return (over, to) -> {
                if (type >= Groups.TYPE_FIRST) {
                    to.onMessage(over, group, type, body, bytes);
                } else {
                    over.near.host.onMessage(over, group, type, body);
                    over.giveBack(group, bytes);
                }
            };
        }

        private boolean pass(String group, int bytes, boolean anyway, BiConsumer<Link, LinkListener<byte[]>> arrival) {
            AtomicLong unprocessed = waiting.computeIfAbsent(group, name -> new AtomicLong());
            if (!anyway && unprocessed.get() > WAITING_BYTES_MAX) {
                return false;
            }
            unprocessed.addAndGet(bytes);
            synchronized (MemoryNetwork.this) {
                Link there = up ? farEnd() : null;
                if (there != null) {
                    far.receiveGroup(this, to -> arrival.accept(there, to));
                }
            }
            return true;
        }

        @Override
        public void giveBack(String group, int bytes) {
            Link there;
            synchronized (MemoryNetwork.this) {
                there = farEnd();
            }
            AtomicLong unprocessed = there == null ? null : there.waiting.get(group);
            if (unprocessed != null) {
                unprocessed.addAndGet(-bytes);
            }
        }

        @Override
        public long answeredNs() {
            return near.answeredNs(far.name);
        }

        /** Links here are as the test says. */
        @Override
        public void cut() {}
    }
}
