package io.warren.mirroring.attachment;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.SettleVerb;
import java.util.List;

/**
 * What the ends of an attachment say to each other.
 *
 * <p>{@link #id} names the channel's end within its node's process; {@link #attempt} is the number of the attachment at that end, from
 * 1. A frame of another attempt than the present one is dropped.
 */
public sealed interface AttachmentFrame {

    long id();

    int attempt();

    /** From the channel's end to the queue's. */
    sealed interface ToQueue extends AttachmentFrame {}

    /** From the queue's end to the channel's. */
    sealed interface ToChannel extends AttachmentFrame {}

    /** A direct reply to a channel of the other node, which its token names: of no attachment, and lost with the link. */
    record Reply(String vhost, Message message) implements AttachmentFrame {
        @Override
        public long id() {
            return 0;
        }

        @Override
        public int attempt() {
            return 0;
        }
    }

    /** What the sender's broker is low on: of no attachment. Said when that changes, and at the beginning of a link. */
    record Alarms(List<String> names) implements AttachmentFrame {
        public Alarms {
            names = List.copyOf(names);
        }

        @Override
        public long id() {
            return 0;
        }

        @Override
        public int attempt() {
            return 0;
        }
    }

    // ---- to the queue

    /**
     * Begins an attachment.
     *
     * @param queueId tells the queue from others of its name
     * @param firstOpen number of the first publish that is not answered, or that will come
     * @param reign of the master that is meant; 0 for a queue that is not mirrored
     * @param source id of the mirrored queue whose dead letters are published here, under their own numbers; 0 for a channel
     */
    record Attach(
            long id, int attempt, String vhost, String queue, long queueId, long firstOpen, long reign, long source)
            implements ToQueue {

        /** To a queue that is not mirrored. */
        public Attach(long id, int attempt, String vhost, String queue, long queueId, long firstOpen) {
            this(id, attempt, vhost, queue, queueId, firstOpen, 0, 0);
        }

        /** Whether the queue is mirrored. */
        public boolean isMirrored() {
            return reign != 0;
        }
    }

    /**
     * A message.
     *
     * @param number its place among what this end published, growing
     * @param firstOpen as in {@link Attach}: answers below it were heard
     * @param confirm whether an {@link Answered} is wanted, or {@link Taken} is enough
     */
    record Publish(long id, int attempt, long number, long firstOpen, boolean confirm, Message message)
            implements ToQueue {}

    /** Asks for an answer when all that was settled before is safe. Not repeated in another attachment. */
    record Barrier(long id, int attempt, long number) implements ToQueue {}

    /**
     * basic.consume.
     *
     * @param permits of the channel-wide prefetch
     */
    record Consume(long id, int attempt, AttachedQueue.Consumer consumer, int permits) implements ToQueue {}

    record Cancel(long id, int attempt, String tag) implements ToQueue {}

    record Credit(long id, int attempt, String tag, int deliveries) implements ToQueue {}

    record LimitPermits(long id, int attempt, boolean limited) implements ToQueue {}

    record Permit(long id, int attempt, int permits) implements ToQueue {}

    record Get(long id, int attempt, boolean acknowledges) implements ToQueue {}

    record Settle(long id, int attempt, SettleVerb verb, List<Long> offsets) implements ToQueue {
        public Settle {
            offsets = List.copyOf(offsets);
        }
    }

    record Declare(long id, int attempt) implements ToQueue {}

    record Purge(long id, int attempt) implements ToQueue {}

    record Delete(long id, int attempt, boolean ifUnused, boolean ifEmpty) implements ToQueue {}

    /** The channel's end has taken in so many bytes of what it was sent; see {@link FrameWindow}. */
    record ChannelReceived(long id, int attempt, long bytes) implements ToQueue {}

    /**
     * The channel has ended. May name a later attachment than the queue's end ever heard of. To a mirrored queue it is said once more when {@link
     * Detached} was heard.
     */
    record Detach(long id, int attempt) implements ToQueue {}

    // ---- to the channel

    /** All publishes up to this number that want no other answer are with the queue. */
    record Taken(long id, int attempt, long upTo) implements ToChannel {}

    /** Publishes and barriers are answered. */
    record Answered(long id, int attempt, List<Long> confirmed, List<Long> rejected) implements ToChannel {
        public Answered {
            confirmed = List.copyOf(confirmed);
            rejected = List.copyOf(rejected);
        }
    }

    /**
     * basic.deliver.
     *
     * @param permitted whether a {@link Permit} was used for it
     */
    record Delivered(
            long id, int attempt, String tag, long offset, boolean redelivered, boolean permitted, Message message)
            implements ToChannel {}

    record GetOk(long id, int attempt, long offset, boolean redelivered, long readyCount, Message message)
            implements ToChannel {}

    record GetEmpty(long id, int attempt) implements ToChannel {}

    record ConsumeOk(long id, int attempt, String tag) implements ToChannel {}

    record ConsumeRefused(long id, int attempt, String tag, AmqpError error) implements ToChannel {}

    record CancelOk(long id, int attempt, String tag) implements ToChannel {}

    /** The queue was deleted, and with it the consumer. */
    record Cancelled(long id, int attempt, String tag) implements ToChannel {}

    record DeclareOk(long id, int attempt, long readyCount, int consumerCount) implements ToChannel {}

    record Purged(long id, int attempt, long messageCount) implements ToChannel {}

    record DeleteGranted(long id, int attempt, long messageCount) implements ToChannel {}

    /** The question that was asked last is refused, or the channel cannot go on: a message for it is too large to travel. */
    record Refused(long id, int attempt, AmqpError error) implements ToChannel {}

    /** A consumer waits for a permit of the channel-wide prefetch. */
    record PermitWanted(long id, int attempt) implements ToChannel {}

    /** Permits that were not needed. */
    record PermitReturned(long id, int attempt, int permits) implements ToChannel {}

    /** The queue is not there, or not any more. */
    record Gone(long id, int attempt) implements ToChannel {}

    /**
     * The queue was one process at its home and is mirrored from now on. What was not answered by now it has not got; the channel's end goes on at
     * the master.
     */
    record Mirrored(long id, int attempt) implements ToChannel {}

    /** The queue's end has taken in so many bytes of what it was sent; see {@link FrameWindow}. */
    record QueueReceived(long id, int attempt, long bytes) implements ToChannel {}

    /** Answer to {@link Detach}: the queue has back what the channel held. */
    record Detached(long id, int attempt) implements ToChannel {}
}
