package io.warren.mirroring.queue;

import io.warren.core.message.Message;
import io.warren.core.queue.DeathReason;
import io.warren.core.queue.LocalBackingQueue;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.BackingQueueListener;
import io.warren.core.spi.MemoryBudget;
import io.warren.core.spi.Settlement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The backing queue of a mirrored queue at its master, for one reign.
 *
 * <p>A local backing queue whose log is the ring. Beyond the port it knows channels, so that a publish which is sent again is recognised, and
 * dead letters, which have to be said to the others before anything is published.
 *
 * <p>Counts hold what is not stable yet; fetching such a message takes as long as it takes to become so. Owned by the queue's mailbox; void
 * after {@link MirroredQueueOutput#demoted}: it takes nothing in any more.
 */
public final class MirroredBackingQueue implements BackingQueue {

    /** What is to be done with a publish. */
    public enum Verdict {
        /** It is new: give it to the queue, between {@link #beginPublish} and {@link #endPublish}. */
        TAKE,
        /** It came before: confirm it when a barrier of now is passed. */
        CONFIRM,
        /** It came before and was refused: refuse it again. */
        REFUSE
    }

    private final long reign;
    private final MirroredQueueLog log;
    private final LocalBackingQueue local;
    /** The message that somebody takes as soon as it is stable, or {@link #NONE}: it was in time, and does not expire meanwhile. */
    private long taking = NONE;

    MirroredBackingQueue(
            int priorityMax, long reign, MirroredQueueLog log, MemoryBudget memory, BackingQueueListener listener) {
        this.reign = reign;
        this.log = log;
        local = new LocalBackingQueue(priorityMax, log, memory, listener);
        // The replica has every body: here only those that are wanted soon.
        local.lazy(true);
    }

    /** The reign that it works in: settlements of deliveries carry it, and one of another reign is refused. */
    public long reign() {
        return reign;
    }

    // ------------------------------------------------------------------------------- what the port has no word of

    /** Whether a publish has come before, to this master or an earlier one. */
    public Verdict judge(ChannelId channel, long sequence) {
        return switch (log.recognise(channel, sequence)) {
            case NEW -> Verdict.TAKE;
            case TAKEN -> Verdict.CONFIRM;
            case REFUSED -> Verdict.REFUSE;
        };
    }

    /**
     * Names who publishes what the queue is given next.
     *
     * @param sequence its number of that channel's, from 1
     * @param firstOpen the channel has the answers to everything below; from 1 to the sequence
     */
    public void beginPublish(ChannelId channel, long sequence, long firstOpen) {
        if (firstOpen < 1 || firstOpen > sequence) {
            throw new IllegalArgumentException("firstOpen=" + firstOpen + " sequence=" + sequence);
        }
        log.beginPublish(channel, sequence, firstOpen);
    }

    /** The queue was given the publish, whatever it did with it. */
    public void endPublish() {
        log.endPublish();
    }

    /** The channels that have published here and may send again. */
    public List<ChannelId> channels() {
        return log.channels();
    }

    /** A channel has ended, or its node's process: nothing of it will be sent again. */
    public void channelGone(ChannelId channel) {
        log.channelGone(channel);
    }

    /**
     * A message that is out is to be dead-lettered. Nothing of it may be published before {@link MirroredQueueOutput#deadLetter} says so.
     */
    public void deadLetter(long offset, DeathReason reason) {
        log.deadLetter(offset, reason);
    }

    /** The message of a dead letter that an earlier master began and did not finish. */
    public Message inheritedMessage(long offset) {
        return log.inheritedMessage(offset);
    }

    MirroredQueueLog log() {
        return log;
    }

    LocalBackingQueue local() {
        return local;
    }

    // ---------------------------------------------------------------------------------------------------- the port

    @Override
    public long publish(Message message, int priority, long expiresAtNs, boolean handOutExpected) {
        return local.publish(message, priority, expiresAtNs, handOutExpected);
    }

    @Override
    public long safeOffset() {
        return local.safeOffset();
    }

    @Override
    public long barrier() {
        return local.barrier();
    }

    @Override
    public long passedBarrier() {
        return local.passedBarrier();
    }

    /** Bodies are kept once, in the replica or on its disk: the member is told of the queue's mode ({@link MirroredQueue#lazy}). */
    @Override
    public void lazy(boolean lazy) {}

    @Override
    public long readyCount() {
        return local.readyCount();
    }

    @Override
    public long readyBytes() {
        return local.readyBytes();
    }

    @Override
    public long head() {
        return local.head();
    }

    @Override
    public long expiredHead(long nowNs) {
        return local.expiredHead(nowNs);
    }

    @Override
    public long nextExpiryNs() {
        return local.nextExpiryNs();
    }

    @Override
    public long expiresAtNs(long offset) {
        return offset == taking ? NEVER : local.expiresAtNs(offset);
    }

    @Override
    public boolean isRedelivered(long offset) {
        return local.isRedelivered(offset);
    }

    @Override
    public @Nullable Message fetch(long offset) {
        Message message = local.fetch(offset);
        taking = message == null ? offset : NONE;
        return message;
    }

    @Override
    public @Nullable Message take(long offset) {
        return local.take(offset);
    }

    @Override
    public void requeue(long offset) {
        givenBack(offset);
        local.requeue(offset);
    }

    @Override
    public void putBack(long offset) {
        givenBack(offset);
        local.putBack(offset);
    }

    private void givenBack(long offset) {
        taking = offset == taking ? NONE : taking;
    }

    @Override
    public void settle(long offset, Settlement why) {
        if (log.isInherited(offset)) {
            log.settle(offset, why);
        } else {
            local.settle(offset, why);
        }
    }

    @Override
    public void drop(long offset, Settlement why) {
        local.drop(offset, why);
    }

    @Override
    public long purge() {
        return local.purge();
    }

    @Override
    public List<Message> peek(int countMax) {
        return local.peek(countMax);
    }

    @Override
    public void delete() {
        local.delete();
    }
}
