package io.warren.core.queue;

/**
 * One consumer of a queue: what it asked for, and how much more it may be given.
 *
 * <p>Made by the channel; from {@link QueueState#onConsume} on its mutable part belongs to the queue.
 */
public final class QueueConsumer {

    private final ChannelRef channel;
    private final String tag;
    private final boolean acknowledges;
    private final boolean exclusive;
    private final int priority;
    private final int prefetchCount;
    private final boolean cancelledByFailover;

    /** Deliveries the transport can still take before the consumer's side has dealt with earlier ones. */
    int credit;

    /** Handed out and not settled; counted only if the consumer acknowledges. */
    int unacked;

    /** It stands in {@link ReadyConsumers}. */
    boolean queued;

    /** The channel had no permit for it. */
    boolean waitsForPermit;

    /** It may be served: not cancelled, and the active one where only one is. */
    boolean active;

    /**
     * @param acknowledges false for automatic acknowledgement
     * @param priority x-priority; higher ones are served first
     * @param prefetchCount most unacknowledged deliveries, 0 for no limit
     * @param credit deliveries the transport can buffer; grows by {@link QueueState#onCredit}
     */
    public QueueConsumer(
            ChannelRef channel,
            String tag,
            boolean acknowledges,
            boolean exclusive,
            int priority,
            int prefetchCount,
            int credit) {
        this(channel, tag, acknowledges, exclusive, priority, prefetchCount, credit, false);
    }

    /** @param cancelledByFailover x-cancel-on-ha-failover: it ends when a mirrored queue gets another master */
    public QueueConsumer(
            ChannelRef channel,
            String tag,
            boolean acknowledges,
            boolean exclusive,
            int priority,
            int prefetchCount,
            int credit,
            boolean cancelledByFailover) {
        this.channel = channel;
        this.tag = tag;
        this.acknowledges = acknowledges;
        this.exclusive = exclusive;
        this.priority = priority;
        this.prefetchCount = prefetchCount;
        this.credit = credit;
        this.cancelledByFailover = cancelledByFailover;
    }

    public ChannelRef channel() {
        return channel;
    }

    public String tag() {
        return tag;
    }

    /** Whether its deliveries wait for an acknowledgement. */
    public boolean acknowledges() {
        return acknowledges;
    }

    public boolean isExclusive() {
        return exclusive;
    }

    public int priority() {
        return priority;
    }

    /** Most unacknowledged deliveries, 0 for no limit. */
    public int prefetchCount() {
        return prefetchCount;
    }

    /** Whether it ends when a mirrored queue gets another master. */
    public boolean isCancelledByFailover() {
        return cancelledByFailover;
    }

    /** It is active and its own limits allow one more delivery; the channel's permit is another matter. */
    boolean hasRoom() {
        return active && credit > 0 && (!acknowledges || prefetchCount == 0 || unacked < prefetchCount);
    }

    @Override
    public String toString() {
        return "Consumer[" + tag + "]";
    }
}
