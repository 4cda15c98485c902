package io.warren.core.channel;

import java.util.ArrayDeque;

/**
 * Tells whether a delivery has waited too long for its acknowledgement, without keeping a time for each.
 *
 * <p>Delivery tags grow. So a mark of the last tag at every look says of all tags up to it that they are at least as old:
 * a delivery is found overdue at the first look after the timeout and one interval between looks. Owned by its channel.
 */
public final class AcknowledgementTimeout {

    /** At a time, every delivery up to a tag had been handed out. */
    private record Mark(long deliveryTag, long atNs) {}

    private final long timeoutNs;
    private final ArrayDeque<Mark> marks = new ArrayDeque<>();

    /** @param timeoutNs how long a delivery may wait */
    public AcknowledgementTimeout(long timeoutNs) {
        this.timeoutNs = timeoutNs;
    }

    /**
     * Looks, and remembers what it saw.
     *
     * @param oldestUnackedTag 0 if nothing waits
     * @param lastTag the last delivery tag that was given
     * @return whether the oldest is overdue
     */
    public boolean isOverdue(long oldestUnackedTag, long lastTag, long nowNs) {
        if (oldestUnackedTag == 0) {
            marks.clear();
            return false;
        }
        while (!marks.isEmpty() && marks.getFirst().deliveryTag() < oldestUnackedTag) {
            marks.removeFirst();
        }
        if (marks.isEmpty() || marks.getLast().deliveryTag() < lastTag) {
            marks.addLast(new Mark(lastTag, nowNs));
        }
        return nowNs - marks.getFirst().atNs() >= timeoutNs;
    }
}
