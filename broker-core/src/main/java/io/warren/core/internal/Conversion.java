package io.warren.core.internal;

import io.warren.core.message.Message;
import io.warren.core.queue.QueueConsumer;
import io.warren.core.queue.QueueState;
import io.warren.core.queue.Release;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.ReleasedQueue;
import io.warren.core.spi.Settlement;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue that ran here by itself and is mirrored from now on: its process stops, those who use it go on at the group that begins with what it held.
 *
 * <p>Channels of this broker know the process directly. They are told, in their mailboxes, to go on at the successor; what they had said and the
 * process had not heard when it stopped goes there in the same order, ahead of anything that they said to the successor themselves ({@link Fence}).
 * Channels elsewhere hear when the group has taken over, so that each has all its answers by then and knows that the rest was not heard.
 *
 * <p>Owned by the queue's mailbox, but for what is final. Holds one row for each dead letter that is under way.
 */
final class Conversion {
    private final QueueProcess queue;
    private final RemoteQueue successor;
    private final QueueState state;
    private final BackingQueue backing;
    private final Set<Long> dying = new HashSet<>();
    private boolean isStopped;
    private boolean isTaken;

    Conversion(QueueProcess queue, RemoteQueue successor, QueueState state, BackingQueue backing) {
        this.queue = queue;
        this.successor = successor;
        this.state = state;
        this.backing = backing;
    }

    RemoteQueue successor() {
        return successor;
    }

    /** Whether the process has stopped: what comes now comes late. */
    boolean isStopped() {
        return isStopped;
    }

    /** Whether the group has taken over. */
    boolean isTaken() {
        return isTaken;
    }

    void stop() {
        Release release = state.release();
        isStopped = true;
        dying.addAll(release.dying());
        for (QueueConsumer consumer : release.credits().keySet()) {
            int credit = release.credits().get(consumer);
            ifHere(consumer.channel(), channel -> channel.goesOn(queue, successor, consumer, credit));
        }
        for (Release.Get get : release.gets()) {
            ifHere(get.channel(), channel -> successor.get(channel, get.acknowledges()));
        }
    }

    /** What a channel said that came behind the end: a channel here says it to the successor, one elsewhere will hear that it was not heard. */
    void late(Object user, Consumer<ChannelProcess> again) {
        ifHere(user, again);
    }

    /** A publish that came behind the end. */
    void latePublish(QueueUser publisher, long sequence, Message message) {
        if (publisher instanceof ChannelProcess channel) {
            channel.mailbox().post(() -> {
                successor.publishAhead(channel, sequence, message);
                if (channel.isClosed()) {
                    successor.channelClosed(channel, () -> {});
                }
            });
        }
    }

    /** A dead letter that came behind the end. */
    void lateDeadLetter(QueueProcess source, @Nullable DeadLetterPublish publish, Message message) {
        source.post(() -> successor.publishDeadLetter(source, publish, message));
    }

    private static void ifHere(Object user, Consumer<ChannelProcess> what) {
        if (user instanceof ChannelProcess channel) {
            channel.mailbox().post(() -> {
                if (!channel.isClosed()) {
                    what.accept(channel);
                }
            });
        }
    }

    /** A dead letter of the process is answered. */
    void deadLettered(long offset) {
        if (dying.remove(offset)) {
            backing.settle(offset, Settlement.DEAD_LETTERED);
            deleteIfOver();
        }
    }

    /** What it held, for the group; in the mailbox. */
    ReleasedQueue released() {
        return new ReleasedQueue() {
            @Override
            public void read(Reader reader) {
                queue.post(() -> backing.read(Set.copyOf(dying), reader));
            }

            @Override
            public void taken() {
                queue.post(Conversion.this::onTaken);
            }
        };
    }

    private void onTaken() {
        isTaken = true;
        state.onTakenOver();
        queue.tellMirrored();
        deleteIfOver();
    }

    private void deleteIfOver() {
        if (isTaken && dying.isEmpty()) {
            backing.delete();
            queue.letGoOfTargets();
        }
    }
}
