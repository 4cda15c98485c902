package io.warren.mirroring.queue;

import io.warren.mirroring.ring.Position;

/** What is settled in a queue for good. A {@link MirroredQueue} seen by whoever waits for something to be settled. */
public interface AppliedState {

    /**
     * Applies what was delivered, as far as it cannot be taken back. That costs something where consumers keep up, for the entries of messages that
     * come and go at once would never have been applied.
     *
     * @return the entry up to which it is applied; it is firm
     */
    Position applyFirm();

    /** Lowest offset of what is not settled, as of the entry applied last; the offset of the next message if all is. */
    long oldest();
}
