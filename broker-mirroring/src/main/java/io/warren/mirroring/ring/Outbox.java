package io.warren.mirroring.ring;

/**
 * What this member has broadcast and not yet seen delivered, in order.
 *
 * <p>Sequences start at 1 in every incarnation and have no gap. It holds at most the window's bytes, but always one broadcast.
 */
final class Outbox<P> {
    private final long bytesMax;
    private final Numbered<Pending<P>> pending = new Numbered<>(1);
    private long bytes;

    record Pending<P>(long sequence, boolean persistent, int bytes, P payload) {}

    Outbox(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Takes a broadcast and numbers it; 0 if there is no room. */
    long add(P payload, boolean persistent, int size) {
        if (pending.size() > 0 && bytes + size > bytesMax) {
            return 0;
        }
        bytes += size;
        long sequence = pending.lastNumber() + 1;
        pending.addLast(new Pending<>(sequence, persistent, size, payload));
        return sequence;
    }

    /** Everything up to this sequence was delivered. */
    void onDelivered(long sequence) {
        while (pending.size() > 0 && pending.firstNumber() <= sequence) {
            bytes -= pending.removeFirst().bytes();
        }
    }

    boolean isEmpty() {
        return pending.size() == 0;
    }

    int size() {
        return pending.size();
    }

    long bytes() {
        return bytes;
    }

    /** Sequence of the oldest. */
    long firstSequence() {
        return pending.firstNumber();
    }

    /** Sequence of the youngest; one less than the oldest's when there is none. */
    long lastSequence() {
        return pending.lastNumber();
    }

    Pending<P> get(long sequence) {
        return pending.get(sequence);
    }
}
