package io.warren.mirroring.link;

import io.warren.mirroring.ring.Member;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * One node of a {@link MemoryNetwork}: its inbox, which its executor empties.
 *
 * <p>What may gather in the inbox is bounded by the groups' limits at the senders, and by the one heartbeat of each link a period.
 */
final class MemoryLinks<P> implements Links<P> {
    private final MemoryNetwork<P> network;
    private final Member self;
    private final Executor executor;
    private final LinkListener<P> listener;
    private final Set<String> kept = ConcurrentHashMap.newKeySet();

    private final Object inboxLock = new Object();
    private ArrayDeque<Consumer<LinkListener<P>>> inbox = new ArrayDeque<>();
    /** Somebody empties the inbox, or will. */
    private boolean emptying;

    private volatile long[] values = {};
    private volatile boolean alive = true;
    private volatile boolean frozen;

    MemoryLinks(MemoryNetwork<P> network, Member self, Executor executor, LinkListener<P> listener) {
        this.network = network;
        this.self = self;
        this.executor = executor;
        this.listener = listener;
    }

    @Override
    public Member self() {
        return self;
    }

    @Override
    public String address() {
        return self.node();
    }

    @Override
    public void keep(String node, String address) {
        if (kept.add(node)) {
            network.dial();
        }
    }

    @Override
    public void drop(String node) {
        kept.remove(node);
        MemoryLink<P> end = network.between(self.node(), node);
        if (end != null) {
            end.cut();
        }
    }

    @Override
    public void seek(String address) {
        network.seek(this, address);
    }

    @Override
    public void tell(long... newValues) {
        if (newValues.length > VALUES_MAX) {
            throw new IllegalArgumentException("values=" + newValues.length + " is above " + VALUES_MAX);
        }
        values = newValues.clone();
    }

    @Override
    public void close() {
        network.end(this);
    }

    // ---------------------------------------------------------------------------------------------- the network

    boolean keeps(String node) {
        return kept.contains(node);
    }

    boolean isAlive() {
        return alive;
    }

    boolean isFrozen() {
        return frozen;
    }

    long[] values() {
        return values;
    }

    MemoryNetwork<P> network() {
        return network;
    }

    /** Guards the inbox, and the part of each link end that decides what reaches it. */
    Object inboxLock() {
        return inboxLock;
    }

    void die() {
        synchronized (inboxLock) {
            alive = false;
            frozen = false;
            inbox.clear();
        }
    }

    void setFrozen(boolean newFrozen) {
        boolean owed;
        synchronized (inboxLock) {
            frozen = newFrozen;
            owed = !newFrozen && !emptying && !inbox.isEmpty();
            emptying |= owed;
        }
        if (owed) {
            executor.execute(this::empty);
        }
    }

    void hear(Consumer<LinkListener<P>> what) {
        boolean owed;
        synchronized (inboxLock) {
            owed = put(what);
        }
        wake(owed);
    }

    /** Puts it into the inbox, its lock being held; true if the caller has to {@link #wake} afterwards, without the lock. */
    boolean put(Consumer<LinkListener<P>> what) {
        if (!alive) {
            return false;
        }
        inbox.add(what);
        if (emptying || frozen) {
            return false;
        }
        emptying = true;
        return true;
    }

    void wake(boolean owed) {
        if (owed) {
            executor.execute(this::empty);
        }
    }

    /** Hears all that is there, and leaves what comes meanwhile to a turn of its own. */
    private void empty() {
        ArrayDeque<Consumer<LinkListener<P>>> turn;
        synchronized (inboxLock) {
            if (frozen) {
                emptying = false;
                return;
            }
            turn = inbox;
            inbox = new ArrayDeque<>();
        }
        try {
            while (alive && !turn.isEmpty()) {
                turn.remove().accept(listener);
            }
        } finally {
            boolean owed;
            synchronized (inboxLock) {
                // Something threw: the rest is heard before what came meanwhile.
                while (alive && !turn.isEmpty()) {
                    inbox.addFirst(turn.removeLast());
                }
                owed = alive && !frozen && !inbox.isEmpty();
                emptying = owed;
            }
            wake(owed);
        }
    }

    @Override
    public String toString() {
        return "links of " + self;
    }
}
