package io.warren.mirroring.mirror;

import io.warren.core.message.Message;
import io.warren.core.metadata.Queue;
import io.warren.core.queue.DeathReason;
import io.warren.core.spi.BackingQueueListener;
import io.warren.core.spi.LedQueue;
import io.warren.core.spi.LocalQueues;
import io.warren.mirroring.group.Group;
import io.warren.mirroring.group.GroupOptions;
import io.warren.mirroring.group.GroupOutput;
import io.warren.mirroring.group.Groups;
import io.warren.mirroring.queue.ChannelId;
import io.warren.mirroring.queue.MirroredBackingQueue;
import io.warren.mirroring.queue.MirroredQueue;
import io.warren.mirroring.queue.MirroredQueueOutput;
import io.warren.mirroring.queue.QueueSetup;
import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Log;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * This node's member of one mirrored queue: a ring member with its turns, a {@link MirroredQueue} with the queue's mailbox, and what goes from
 * the one to the other.
 *
 * <p>Views go into the mailbox before the ring member hears of them, and what the ring puts out behind them, in order; all that waits is told as
 * one batch. It stays as long as the process and the queue do, in the ring or not, so that what it broadcasts is numbered in one row.
 */
final class Mirror implements GroupOutput<byte[]>, MirroredQueueOutput {

    /** Which queue. */
    record Place(String group, String vhost, Queue queue) {}

    /** What it needs of its node. Called by any thread. */
    interface Host {

        LocalQueues local();

        boolean isLeaseHeld();

        /** Whether the process of a channel has ended, as far as the metadata here know. */
        boolean isDead(ChannelId channel);

        /** The master proposes that the member counts, or does not count any more, as holding everything. */
        void propose(String group, long epoch, Member member, boolean inSync);

        /** The queue is led from now on, in this reign. */
        void onLeads(Mirror mirror);

        /** It takes part in nothing any more. */
        void onFailed(Mirror mirror, Throwable failure);
    }

    private final Place place;
    private final Host host;
    private final Executor mailbox;
    private final MirroredQueue machine;
    private final Group<byte[]> group;
    private final ConcurrentLinkedQueue<Consumer<MirroredQueue>> arrivals = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isTurnComing = new AtomicBoolean();
    private final ReignMemory memory;
    /** Owned by the mailbox; read by whoever attaches. */
    private volatile @Nullable Leading leading;

    private volatile boolean isEnded;
    /** Something waits for the next tick. */
    private volatile boolean wantsTick;

    /** A member that holds nothing, of a process that has just begun or come to be one. */
    Mirror(Place place, Member self, long logId, Groups<byte[]> groups, Host host) {
        this.place = place;
        this.host = host;
        mailbox = host.local().serial(this::failed);
        memory = new ReignMemory(host.local().memory());
        Queue queue = place.queue();
        QueueSetup setup = new QueueSetup(
                queue.id(),
                queue.definition().durable(),
                Math.max(0, queue.settings().priorityMax()));
        machine = new MirroredQueue(
                self,
                setup,
                host.local().ticker(),
                memory,
                new ToLed(),
                this,
                ReplicaSnapshot.EMPTY,
                Position.START);
        group = groups.open(place.group(), logId, GroupOptions.inMemory(), new Log<>(), this);
    }

    Place place() {
        return place;
    }

    @Nullable Leading leading() {
        return leading;
    }

    // ---------------------------------------------------------------------------------------------------- from the node

    /** The metadata has made a view. */
    void onView(View view) {
        arrive(queue -> queue.onView(view));
        group.onView(view);
    }

    void onTick() {
        if (wantsTick) {
            wantsTick = false;
            mailbox.execute(() -> {
                Leading present = leading;
                if (present != null) {
                    machine.onTick();
                    present.onTick();
                }
            });
        }
    }

    /** Processes have ended. */
    void onNodes() {
        if (leading != null) {
            inReign(Leading::forgetTheDead);
        }
    }

    void channelEnded(ChannelId channel) {
        inReign(present -> present.channelEnded(channel));
    }

    private void inReign(Consumer<Leading> what) {
        mailbox.execute(() -> {
            Leading present = leading;
            if (present != null) {
                what.accept(present);
            }
        });
    }

    /** The process is over, or the queue is deleted: behind everything that is posted to its mailbox by now. */
    void end() {
        isEnded = true;
        mailbox.execute(this::leave);
    }

    private void leave() {
        Leading present = leading;
        leading = null;
        if (present != null) {
            present.end();
        }
        memory.release();
    }

    // -------------------------------------------------------------------------------------------------- the mailbox

    private void arrive(Consumer<MirroredQueue> what) {
        arrivals.add(what);
        if (!isTurnComing.getAndSet(true)) {
            mailbox.execute(this::turn);
        }
    }

    private void turn() {
        isTurnComing.set(false);
        for (Consumer<MirroredQueue> next = arrivals.poll(); next != null; next = arrivals.poll()) {
            if (!isEnded) {
                next.accept(machine);
            }
        }
        if (!isEnded) {
            machine.onBatchEnd();
        }
    }

    @Override
    public void failed(Throwable failure) {
        if (!isEnded) {
            isEnded = true;
            host.onFailed(this, failure);
            mailbox.execute(this::leave);
        }
    }

    // --------------------------------------------------------------------------------------------- what the ring says

    /** Nothing is stored: an entry is durable as soon as it is there. */
    @Override
    public void append(Entry<byte[]> entry) {}

    @Override
    public void cut(long fromOffset) {
        // What is not delivered the queue has not seen.
        arrive(queue -> {
            if (fromOffset <= queue.delivered() && !queue.onCut(fromOffset)) {
                throw new IllegalStateException(
                        "what was delivered from " + fromOffset + " on cannot be taken back any more: " + place.group());
            }
        });
    }

    @Override
    public void deliver(Entry<byte[]> entry) {
        arrive(queue -> queue.onDelivered(entry));
    }

    @Override
    public void viewInstalled(View view, long offset) {
        arrive(queue -> queue.onViewInstalled(view, offset));
    }

    @Override
    public void stable(long offset) {}

    @Override
    public void forget(long offset) {}

    @Override
    public void proposeInSync(long epoch, Member member) {
        host.propose(place.group(), epoch, member, true);
    }

    @Override
    public void proposeLagging(long epoch, Member member) {
        host.propose(place.group(), epoch, member, false);
    }

    /** It stays in the ring without being in sync. */
    @Override
    public void lost(Position leftBegins) {
        Mirrors.LOG.warn(
                "the copy of {} here begins below {} and has to be synchronised", place.group(), leftBegins);
    }

    // ------------------------------------------------------------------------------------------- what the queue says

    @Override
    public boolean broadcast(byte[] entry, boolean persistent) {
        boolean hasRoom = group.broadcast(entry, persistent, entry.length);
        if (!hasRoom) {
            wantsTick = true;
        }
        return hasRoom;
    }

    @Override
    public void wakeSoon() {
        mailbox.execute(() -> {
            if (!isEnded) {
                machine.onWake();
            }
        });
    }

    @Override
    public void promoted(MirroredBackingQueue backing) {
        BooleanSupplier lease = () -> {
            boolean held = host.isLeaseHeld();
            if (!held) {
                wantsTick = true;
            }
            return held;
        };
        Predicate<ChannelId> isDead = host::isDead;
        leading = new Leading(place, host.local(), mailbox, machine, backing, lease, isDead);
        host.onLeads(this);
    }

    @Override
    public void demoted() {
        leave();
    }

    @Override
    public void deadLetter(long number, long offset, DeathReason reason) {
        Leading present = leading;
        if (present != null) {
            present.publishDeadLetter(number, offset, reason);
        }
    }

    /** The backing queue speaks to the queue process of its reign, which posts what it hears. */
    private final class ToLed implements BackingQueueListener {
        private void tell(Consumer<LedQueue> what) {
            Leading present = leading;
            if (present != null) {
                what.accept(present.queue());
            }
        }

        @Override
        public void onSafe() {
            tell(BackingQueueListener::onSafe);
        }

        @Override
        public void onReady() {
            tell(BackingQueueListener::onReady);
        }

        @Override
        public void onFetched(long offset, Message message) {
            tell(queue -> queue.onFetched(offset, message));
        }
    }
}
