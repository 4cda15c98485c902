package io.warren.core.internal;

import io.warren.core.error.AmqpError;
import io.warren.core.error.Refusals;
import io.warren.core.message.Message;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.QueueSettings;
import io.warren.core.queue.QueueConsumer;
import io.warren.core.queue.QueueDelivery;
import io.warren.core.spi.MovingHome;
import io.warren.core.spi.QueueHomes;
import io.warren.core.spi.SettleVerb;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A queue that lives at another node, or is mirrored: each channel that uses it gets an attachment of its own to it.
 *
 * <p>Holds nothing of the queue. One attachment for each channel, until the channel ends, and for each queue here whose
 * dead letters go there.
 */
final class RemoteQueue extends QueueAddress {

    private final QueueHomes homes;
    private final String home;
    private final AmqpError down;
    private final Map<QueueUser, RemoteAttachment> attachments = new ConcurrentHashMap<>();
    private final Map<QueueProcess, RemoteDeadLetters> deadLetters = new ConcurrentHashMap<>();

    /** Those that have numbers, by which this queue recognises them. */
    private final Map<QueueProcess, RemoteDeadLetters> numberedDeadLetters = new ConcurrentHashMap<>();

    /** Null for a queue that is not mirrored; never null again. */
    private volatile @Nullable MovingHome moving;

    /** The process that the queue was here before it came to be mirrored, else null. */
    private final @Nullable QueueProcess predecessor;

    /**
     * A queue of another node. Typed as an address, so that a broker without a cluster never loads this class, and the calls of its
     * channels have one target.
     */
    static QueueAddress at(String home, QueueHomes homes, String vhost, Queue definition) {
        return new RemoteQueue(homes, vhost, definition, home, null, null);
    }

    /** A mirrored queue, wherever its master is. */
    static QueueAddress mirrored(MovingHome moving, QueueHomes homes, String vhost, Queue definition) {
        return new RemoteQueue(homes, vhost, definition, moving.node(), moving, null);
    }

    /** A mirrored queue that was a process of this broker. */
    static RemoteQueue succeeding(QueueProcess process, MovingHome moving, QueueHomes homes, Queue definition) {
        return new RemoteQueue(homes, process.vhost(), definition, moving.node(), moving, process);
    }

    private RemoteQueue(
            QueueHomes homes,
            String vhost,
            Queue definition,
            String home,
            @Nullable MovingHome moving,
            @Nullable QueueProcess predecessor) {
        super(vhost, definition);
        this.homes = homes;
        this.home = home;
        this.moving = moving;
        this.predecessor = predecessor;
        this.down = Refusals.homeDown(vhost, definition.name(), home);
    }

    @Override
    boolean isAway() {
        return true;
    }

    @Override
    @Nullable AmqpError unavailable() {
        MovingHome now = moving;
        if (now == null) {
            return homes.isRunning(home) ? null : down;
        }
        return now.isAvailable() ? null : Refusals.homeDown(vhost(), name(), now.node());
    }

    @Override
    boolean isDeletedUnasked() {
        return moving != null;
    }

    /** Where it lives if it is mirrored, else null. */
    @Nullable MovingHome moving() {
        return moving;
    }

    /** It is mirrored from now on: its attachments hear of that from their queue. */
    void moves(MovingHome home) {
        moving = home;
    }

    private RemoteAttachment of(QueueUser user) {
        RemoteAttachment present = attachments.get(user);
        return present != null ? present : attach((ChannelProcess) user);
    }

    /** In the channel's mailbox, as everything it says. */
    private RemoteAttachment attach(ChannelProcess channel) {
        RemoteAttachment made = new RemoteAttachment(this, channel, homes, predecessor);
        attachments.put(channel, made);
        channel.uses(this);
        return made;
    }

    /** A publish that the channel said to the predecessor. In the channel's mailbox. */
    void publishAhead(ChannelProcess publisher, long sequence, Message message) {
        of(publisher).ahead().publish(sequence, message);
    }

    /** A consumer that the predecessor had. In the channel's mailbox. */
    void consumeAhead(ChannelProcess channel, QueueConsumer consumer, int credit) {
        of(channel).goOn(consumer, credit);
    }

    /** In the channel's mailbox: the queue is deleted, and what the channel wanted of it answered. */
    void forget(ChannelProcess channel) {
        attachments.remove(channel);
        channel.usesNoMore(this);
    }

    @Override
    void publish(QueueUser publisher, long sequence, Message message) {
        of(publisher).queue().publish(sequence, message);
    }

    @Override
    void publishDeadLetter(QueueProcess source, @Nullable DeadLetterPublish publish, Message message) {
        boolean isNumbered = moving != null && publish != null && publish.number() > 0;
        RemoteDeadLetters letters = isNumbered
                ? numberedDeadLetters.computeIfAbsent(
                        source, from -> RemoteDeadLetters.numbered(homes, from.id(), vhost(), definition()))
                : deadLetters.computeIfAbsent(source, from -> RemoteDeadLetters.of(homes, vhost(), definition()));
        source.sendsDeadLettersTo(this);
        letters.publish(publish, message);
    }

    /** A queue here that has sent dead letters is gone. */
    void sourceGone(QueueProcess source) {
        close(deadLetters.remove(source));
        close(numberedDeadLetters.remove(source));
    }

    private static void close(@Nullable RemoteDeadLetters letters) {
        if (letters != null) {
            letters.close();
        }
    }

    @Override
    void consume(QueueConsumer consumer) {
        of((QueueUser) consumer.channel()).consume(consumer);
    }

    @Override
    void cancel(QueueConsumer consumer) {
        of((QueueUser) consumer.channel()).cancel(consumer);
    }

    @Override
    void credit(QueueConsumer consumer, int deliveries) {
        RemoteAttachment present = attachments.get((QueueUser) consumer.channel());
        if (present != null) {
            present.queue().credit(consumer.tag(), deliveries);
        }
    }

    @Override
    void permits(QueueUser channel) {
        RemoteAttachment present = attachments.get(channel);
        if (present != null) {
            present.permitsChanged();
        }
    }

    @Override
    void get(QueueUser channel, boolean acknowledges) {
        of(channel).queue().get(acknowledges);
    }

    @Override
    void settle(QueueUser channel, SettleVerb verb, List<QueueDelivery> deliveries) {
        RemoteAttachment present = attachments.get(channel);
        if (present != null) {
            present.settle(verb, deliveries);
        }
    }

    @Override
    void barrier(QueueUser channel, long sequence) {
        of(channel).queue().barrier(sequence);
    }

    @Override
    void channelClosed(QueueUser channel, Runnable done) {
        RemoteAttachment attachment = attachments.remove(channel);
        if (attachment == null) {
            done.run();
        } else {
            attachment.queue().close(done);
        }
    }

    @Override
    void declared(QueueUser channel) {
        of(channel).queue().declare();
    }

    @Override
    void purge(QueueUser channel) {
        of(channel).queue().purge();
    }

    @Override
    void delete(QueueUser channel, boolean ifUnused, boolean ifEmpty) {
        of(channel).queue().delete(ifUnused, ifEmpty);
    }

    /** Its home tells channels that use it. */
    @Override
    void deleted() {
        deadLetters.values().forEach(RemoteDeadLetters::close);
        deadLetters.clear();
        numberedDeadLetters.values().forEach(RemoteDeadLetters::close);
        numberedDeadLetters.clear();
    }

    @Override
    void settings(QueueSettings settings) {
        // Its home hears of them as well.
    }
}
