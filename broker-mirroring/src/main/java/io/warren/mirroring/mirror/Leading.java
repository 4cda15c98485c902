package io.warren.mirroring.mirror;

import io.warren.core.message.Message;
import io.warren.core.queue.DeathReason;
import io.warren.core.spi.AttachedChannel;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.LedQueue;
import io.warren.core.spi.LocalQueues;
import io.warren.core.spi.Reign;
import io.warren.core.spi.Settlement;
import io.warren.mirroring.queue.ChannelId;
import io.warren.mirroring.queue.MirroredBackingQueue;
import io.warren.mirroring.queue.MirroredQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * A mirrored queue while this node leads it: the core's queue process of the reign, and the channels that are attached to it.
 *
 * <p>Owned by the queue's mailbox, but for {@link #attach}. Holds one row for each attached channel, and what is withheld for want of a lease,
 * which the credit of consumers and publishers bounds.
 */
final class Leading implements Reign {
    private final MirroredQueue machine;
    private final MirroredBackingQueue backing;
    private final Executor mailbox;
    private final BooleanSupplier lease;
    /** Whether the process of a channel has ended, as far as the metadata here know. */
    private final Predicate<ChannelId> isDead;

    private final LedQueue queue;
    private final Map<ChannelId, Words> users = new HashMap<>();
    private List<Runnable> withheld = new ArrayList<>();
    private boolean isOver;

    /** The reign begins. In the mailbox. */
    Leading(
            Mirror.Place place,
            LocalQueues local,
            Executor mailbox,
            MirroredQueue machine,
            MirroredBackingQueue backing,
            BooleanSupplier lease,
            Predicate<ChannelId> isDead) {
        this.machine = machine;
        this.backing = backing;
        this.mailbox = mailbox;
        this.lease = lease;
        this.isDead = isDead;
        queue = local.lead(place.vhost(), place.queue(), mailbox, backing, this);
        forgetTheDead();
    }

    long reign() {
        return backing.reign();
    }

    LedQueue queue() {
        return queue;
    }

    // ------------------------------------------------------------------------------------------------ attachments

    /** A channel begins to use the queue. Any thread. */
    AttachedQueue attach(ChannelId channel, int attachment, MirrorEnd end) {
        Words words = new Words(this, channel, end);
        AttachedQueue attached = queue.attach(attachment, words);
        words.attachedTo(attached);
        mailbox.execute(() -> begin(words));
        return attached;
    }

    private void begin(Words words) {
        if (isOver) {
            words.end().onReignOver();
        } else if (isDead.test(words.channel())) {
            letGo(words);
        } else {
            Words before = users.put(words.channel(), words);
            if (before != null) {
                // Of a queue that dead-letters it may be the master before: who is not the present one hears that it is
                // over.
                letGo(before);
            }
        }
    }

    private static void letGo(Words words) {
        words.close();
        words.end().onLetGo();
    }

    /** A channel has ended, and its attachment is closed: nothing of it will come again. */
    void channelEnded(ChannelId channel) {
        users.remove(channel);
        boolean hasPublished = backing.judge(channel, 1) != MirroredBackingQueue.Verdict.TAKE;
        if (!isOver && hasPublished) {
            backing.channelGone(channel);
        }
    }

    /** Channels whose process has ended hold nothing, and send nothing again. Their attachments go first. */
    void forgetTheDead() {
        List.copyOf(users.keySet()).stream().filter(isDead).forEach(channel -> {
            Words over = users.remove(channel);
            if (over != null) {
                over.close();
            }
        });
        // Closing is posted: what it does to the queue comes before the entry.
        mailbox.execute(() -> {
            if (!isOver) {
                backing.channels().stream().filter(isDead).forEach(backing::channelGone);
            }
        });
    }

    /** This node leads no more. */
    void end() {
        isOver = true;
        users.values().forEach(words -> words.end().onReignOver());
        users.clear();
        withheld.clear();
        queue.end();
    }

    // ----------------------------------------------------------------------------------------- what the queue asks

    @Override
    public Verdict onPublish(AttachedChannel publisher, long sequence, long firstOpen) {
        Words words = (Words) publisher;
        ChannelId channel = words.channel();
        if (users.get(channel) != words) {
            return Verdict.DROP;
        }
        return switch (backing.judge(channel, sequence)) {
            case CONFIRM -> Verdict.CONFIRM;
            case REFUSE -> Verdict.REFUSE;
            case TAKE -> take(words, sequence, firstOpen);
        };
    }

    private Verdict take(Words words, long sequence, long firstOpen) {
        if (machine.takesPublishes()) {
            backing.beginPublish(words.channel(), sequence, firstOpen);
            return Verdict.TAKE;
        }
        if (!words.channel().node().isEmpty()) {
            return Verdict.REFUSE;
        }
        // A dead letter must not be refused: it is kept where it is, and its queue tries again.
        users.remove(words.channel());
        letGo(words);
        return Verdict.DROP;
    }

    @Override
    public void published() {
        backing.endPublish();
    }

    @Override
    public void deadLetter(long offset, Settlement reason) {
        backing.deadLetter(offset, DeathReason.of(reason));
    }

    /** A dead letter's entry is stable. */
    void publishDeadLetter(long number, long offset, DeathReason reason) {
        queue.deadLetter(number, offset, reason.withoutExchange(), () -> inherited(offset));
    }

    private Message inherited(long offset) {
        return backing.inheritedMessage(offset);
    }

    // -------------------------------------------------------------------------------------------- what it may say

    /** Says something to a client, now or when there is a lease again. */
    void say(Runnable word) {
        if (withheld.isEmpty() && lease.getAsBoolean()) {
            word.run();
        } else {
            withheld.add(word);
        }
    }

    void onTick() {
        if (!withheld.isEmpty() && lease.getAsBoolean()) {
            List<Runnable> words = withheld;
            withheld = new ArrayList<>();
            words.forEach(Runnable::run);
        }
    }
}
