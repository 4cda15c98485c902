package io.warren.mirroring.link;

import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Member;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * One end of a link of a {@link MemoryNetwork}.
 *
 * <p>What arrives is guarded by the owner's inbox: between the moments at which up and down were put there, and only then, this end
 * is open, and frames are put behind up and before down.
 */
final class MemoryLink<P> implements Link<P> {
    private final MemoryLinks<P> owner;
    private final Member peer;
    private volatile MemoryLink<P> other = this;

    /** Of each group: what was sent from here and is not given back. */
    private final Map<String, AtomicLong> waiting = new ConcurrentHashMap<>();

    // Guarded by the owner's inbox.
    private boolean open;
    private boolean holding;
    /** What has arrived here while the way was cut. */
    private final ArrayDeque<Consumer<LinkListener<P>>> held = new ArrayDeque<>();

    private volatile long heardNs;
    private volatile long answeredNs;

    MemoryLink(MemoryLinks<P> owner, Member peer, long nowNs) {
        this.owner = owner;
        this.peer = peer;
        heardNs = nowNs;
        answeredNs = nowNs;
    }

    void join(MemoryLink<P> otherEnd) {
        other = otherEnd;
        otherEnd.other = this;
    }

    @Override
    public Member peer() {
        return peer;
    }

    @Override
    public String address() {
        return peer.node();
    }

    @Override
    public boolean send(String group, Frame<P> frame) {
        int bytes = Sizes.of(frame);
        MemoryLink<P> there = other;
        return take(group, bytes, listener -> listener.onFrame(there, group, frame, bytes));
    }

    @Override
    public boolean send(String group, int type, byte[] body) {
        int bytes = Sizes.of(body);
        MemoryLink<P> there = other;
        return take(group, bytes, listener -> listener.onMessage(there, group, type, body, bytes));
    }

    @Override
    public void sendAnyway(String group, int type, byte[] body) {
        int bytes = Sizes.of(body);
        MemoryLink<P> there = other;
        waiting.computeIfAbsent(group, name -> new AtomicLong()).addAndGet(bytes);
        there.arrive(listener -> listener.onMessage(there, group, type, body, bytes));
    }

    private boolean take(String group, int bytes, Consumer<LinkListener<P>> arrival) {
        AtomicLong unprocessed = waiting.computeIfAbsent(group, name -> new AtomicLong());
        if (bytes > 0 && unprocessed.get() > WAITING_BYTES_MAX) {
            return false;
        }
        unprocessed.addAndGet(bytes);
        other.arrive(arrival);
        return true;
    }

    private void arrive(Consumer<LinkListener<P>> arrival) {
        boolean owed = false;
        synchronized (owner.inboxLock()) {
            if (open && holding) {
                held.add(arrival);
            } else if (open) {
                owed = owner.put(arrival);
            }
        }
        owner.wake(owed);
    }

    @Override
    public void giveBack(String group, int bytes) {
        AtomicLong unprocessed = other.waiting.get(group);
        if (unprocessed != null) {
            unprocessed.addAndGet(-bytes);
        }
    }

    @Override
    public long answeredNs() {
        return answeredNs;
    }

    @Override
    public void cut() {
        owner.network().breakLink(this);
    }

    // ---------------------------------------------------------------------------------------------- the network

    MemoryLinks<P> owner() {
        return owner;
    }

    MemoryLink<P> other() {
        return other;
    }

    void heard(long nowNs) {
        heardNs = nowNs;
    }

    long heardNs() {
        return heardNs;
    }

    void answered(long nowNs) {
        answeredNs = nowNs;
    }

    void up() {
        boolean owed;
        synchronized (owner.inboxLock()) {
            open = true;
            owed = owner.put(listener -> listener.onUp(this));
        }
        owner.wake(owed);
    }

    void down(DownReason reason) {
        boolean owed;
        synchronized (owner.inboxLock()) {
            open = false;
            held.clear();
            owed = owner.put(listener -> listener.onDown(this, reason));
        }
        owner.wake(owed);
    }

    void setHolding(boolean newHolding) {
        boolean owed = false;
        synchronized (owner.inboxLock()) {
            holding = newHolding;
            while (!newHolding && !held.isEmpty()) {
                owed |= owner.put(held.remove());
            }
        }
        owner.wake(owed);
    }

    @Override
    public String toString() {
        return "link of " + owner.self() + " with " + peer;
    }
}
