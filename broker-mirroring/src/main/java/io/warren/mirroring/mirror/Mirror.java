package io.warren.mirroring.mirror;

import io.warren.core.message.Message;
import io.warren.core.metadata.Queue;
import io.warren.core.queue.DeathReason;
import io.warren.core.spi.BackingQueueListener;
import io.warren.core.spi.LedQueue;
import io.warren.core.spi.LocalQueues;
import io.warren.core.spi.Ticker;
import io.warren.mirroring.entrylog.Copy;
import io.warren.mirroring.entrylog.FoundCopy;
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
import io.warren.mirroring.ring.Phase;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.Senders;
import io.warren.mirroring.ring.View;
import io.warren.mirroring.transfer.Giver;
import io.warren.mirroring.transfer.TransferFrame;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * one batch. A member that the ring cannot bring up to date takes over the master's state ({@link Synchronisation}). It stays as long as the process and the queue do, in the ring or not, so that what it broadcasts is numbered in one row.
 */
final class Mirror implements GroupOutput<byte[]>, MirroredQueueOutput {

    /** What a member knows at first: all there is up to that entry. */
    record Start(ReplicaSnapshot snapshot, Position upTo) {
        /** Nothing. */
        static final Start EMPTY = new Start(ReplicaSnapshot.EMPTY, Position.START);
    }

    /** Which queue. */
    record Place(String group, String vhost, Queue queue) {}

    /** What it needs of its node. Called by any thread. */
    interface Host {

        LocalQueues local();

        boolean isLeaseHeld();

        /** Whether members that come later are given everything without being asked, as the queue's policy has it now. */
        boolean isAutomatic(long queueId);

        /** Whether the process of a channel has ended, as far as the metadata here know. */
        boolean isDead(ChannelId channel);

        /** The master proposes that the member counts, or does not count any more, as holding everything. */
        void propose(String group, long epoch, Member member, boolean inSync);

        /** Says something to the member at another node. */
        void send(String node, String group, TransferFrame frame);

        /** The queue is led from now on, in this reign. */
        void onLeads(Mirror mirror);

        /** What the member began with is on this node's disk. */
        void onKept(long queueId);

        /** The queue is led without messages that a master before had: about so many, -1 if nobody here has heard how many. */
        void onLost(Mirror mirror, long messages);

        /** It takes part in nothing any more. */
        void onFailed(Mirror mirror, Throwable failure);
    }

    private final Place place;
    private final Member self;
    private final Host host;
    private final Executor mailbox;
    private final Ticker ticker;
    private final QueueSetup setup;
    private final BackingQueueListener toLed = new ToLed();
    private final Synchronisation synchronisation;
    private final Group<byte[]> group;
    /** Null where copies are in memory only. */
    private @Nullable StoredMember stored;
    /** Owned by the mailbox: what the ring delivers again up to there is in the queue, for its disk knew more than the ring's. */
    private long knownUpTo;
    /** Owned by the mailbox, as the next. */
    private MirroredQueue machine;

    /** Owned by the mailbox. */
    private boolean isLazy;

    private @Nullable View view;
    private final ConcurrentLinkedQueue<Consumer<MirroredQueue>> arrivals = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isTurnComing = new AtomicBoolean();
    private final MemberMemory memory;
    /** Owned by the mailbox; read by whoever attaches. */
    private volatile @Nullable Leading leading;

    private volatile boolean isEnded;
    /** To whom messages go, as of the last turn. Written in the mailbox. */
    private volatile List<Giver.Progress> given = List.of();

    /** Something waits for the next tick. */
    private volatile boolean wantsTick;

    /**
     * A member of a process that has just begun or come to be one.
     *
     * @param start what it knows if the disk does not know better
     * @param copy what this node's disk holds, and where it is written on; null for a queue that is in memory only
     */
    Mirror(Place place, Member self, long logId, Groups<byte[]> groups, Start start, @Nullable Copy copy, Host host) {
        this.place = place;
        this.self = self;
        this.host = host;
        ticker = host.local().ticker();
        mailbox = host.local().serial(this::failed);
        memory = new MemberMemory(host.local().memory());
        Queue queue = place.queue();
        isLazy = queue.settings().lazy();
        setup = new QueueSetup(
                queue.id(),
                queue.definition().durable(),
                Math.max(0, queue.settings().priorityMax()));
        if (copy == null) {
            machine = machine(start.snapshot(), start.upTo(), false);
            synchronisation = new Synchronisation(self, machine, false, new Transfers());
            group = groups.open(place.group(), logId, GroupOptions.inMemory(), log(start), this);
            return;
        }
        FoundCopy from = copy.from();
        boolean isOnDisk = start.upTo().equals(Position.START) || from.isWhole();
        Start first = isOnDisk ? new Start(from.snapshot(), from.applied()) : start;
        machine = machine(first.snapshot(), first.upTo(), true);
        knownUpTo = first.upTo().offset();
        synchronisation = new Synchronisation(self, machine, true, new Transfers());
        if (isOnDisk) {
            synchronisation.onFound(from.publishes(), from.last());
        }
        // No view, so the ring does nothing before it is known here.
        group = groups.open(place.group(), logId, GroupOptions.onDisk(), isOnDisk ? from.log() : log(start), this);
        stored = new StoredMember(copy, group, new Storing());
        stored.begin();
        if (isOnDisk) {
            host.onKept(place.queue().id());
        } else {
            stored.beginAnew(
                    start.upTo(),
                    start.snapshot(),
                    () -> host.onKept(place.queue().id()));
        }
    }

    private static Log<byte[]> log(Start start) {
        return new Log<>(start.upTo(), new Senders(), List.of());
    }

    /** What the disk asks of the member. */
    private final class Storing implements StoredMember.Shell {
        @Override
        public void arrive(Consumer<MirroredQueue> what) {
            Mirror.this.arrive(what);
        }

        @Override
        public void failed(Throwable failure) {
            Mirror.this.failed(failure);
        }
    }

    private MirroredQueue machine(ReplicaSnapshot snapshot, Position upTo, boolean isStored) {
        MirroredQueue made = new MirroredQueue(self, setup, ticker, memory, toLed, this, snapshot, upTo, isStored);
        made.lazy(isLazy);
        return made;
    }

    Place place() {
        return place;
    }

    @Nullable Leading leading() {
        return leading;
    }

    // ---------------------------------------------------------------------------------------------------- from the
    // node

    /** The metadata has made a view. */
    void onView(View view) {
        arrive(queue -> {
            this.view = view;
            synchronisation.onView(view);
            queue.onView(view);
        });
        group.onView(view);
    }

    void onTick() {
        if (wantsTick) {
            wantsTick = false;
            mailbox.execute(this::tick);
        }
    }

    private void tick() {
        machine.onTick();
        synchronisation.onTick(ticker.nowNs());
        Leading present = leading;
        if (present != null) {
            present.onTick();
        }
        askForTick();
    }

    private void askForTick() {
        if (synchronisation.wantsTick()) {
            wantsTick = true;
        }
    }

    /** A link has come up or gone down. */
    void onLink(String node, boolean up) {
        arrive(queue -> synchronisation.onLink(node, up));
    }

    /** The member at another node says something. */
    void onFrame(String node, TransferFrame frame) {
        arrive(queue -> synchronisation.onFrame(node, frame));
    }

    /** What the policy of the queue asks may have changed: whether members are given everything without being asked, and whether it is lazy. */
    void onMode(boolean isAutomatic, boolean lazy) {
        arrive(queue -> {
            synchronisation.onMode(isAutomatic);
            isLazy = lazy;
            machine.lazy(lazy);
        });
    }

    /** Somebody wants the members synchronised now, or that broken off. */
    void synchronise(boolean begin) {
        arrive(queue -> {
            if (begin) {
                synchronisation.synchronise();
            } else {
                synchronisation.cancel();
            }
        });
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
        closeStored();
        mailbox.execute(this::leaveForGood);
    }

    private void closeStored() {
        StoredMember its = stored;
        if (its != null) {
            its.close();
        }
    }

    /** How far members have been given what they lack; empty where this one does not lead. Any thread. */
    List<Giver.Progress> given() {
        return given;
    }

    private void leave() {
        given = List.of();
        Leading present = leading;
        leading = null;
        if (present != null) {
            present.end();
        }
        memory.keepOnly(machine.chargedBytes());
    }

    private void leaveForGood() {
        leave();
        memory.keepOnly(0);
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
            synchronisation.onBatchEnd(machine);
            given = synchronisation.progress();
            askForTick();
        }
    }

    @Override
    public void failed(Throwable failure) {
        if (!isEnded) {
            isEnded = true;
            closeStored();
            host.onFailed(this, failure);
            mailbox.execute(this::leaveForGood);
        }
    }

    // --------------------------------------------------------------------------------------------- what the ring says

    /** Where nothing is stored an entry is durable as soon as it is there. */
    @Override
    public void append(Entry<byte[]> entry) {
        StoredMember its = stored;
        if (its != null) {
            its.append(entry);
        }
    }

    @Override
    public void cut(long fromOffset) {
        StoredMember its = stored;
        if (its != null) {
            its.cut(fromOffset);
        }
        // What is not delivered the queue has not seen.
        arrive(queue -> {
            if (fromOffset <= queue.delivered() && !queue.onCut(fromOffset)) {
                throw new IllegalStateException("what was delivered from " + fromOffset
                        + " on cannot be taken back any more: " + place.group());
            }
        });
    }

    @Override
    public void deliver(Entry<byte[]> entry) {
        arrive(queue -> {
            if (entry.offset() > knownUpTo) {
                queue.onDelivered(entry);
            }
        });
    }

    @Override
    public void viewInstalled(View view, long offset) {
        arrive(queue -> {
            if (offset > knownUpTo) {
                queue.onViewInstalled(view, offset);
            }
        });
    }

    @Override
    public void stable(long offset) {}

    @Override
    public void forget(long offset) {
        StoredMember its = stored;
        if (its != null) {
            its.forget(offset);
        }
    }

    @Override
    public void proposeInSync(long epoch, Member member) {
        arrive(queue -> synchronisation.onProposal(epoch, member));
    }

    @Override
    public void proposeLagging(long epoch, Member member) {
        host.propose(place.group(), epoch, member, false);
    }

    @Override
    public void lost(Position leftBegins) {
        arrive(queue -> synchronisation.onLost());
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
        StoredMember its = stored;
        if (its != null) {
            its.promoted();
        }
        host.onLeads(this);
    }

    @Override
    public void read(long reign, List<Long> offsets) {
        stored().read(offsets, entries -> machine.onRead(reign, offsets, entries));
    }

    @Override
    public void filled(List<byte[]> entries) {
        stored().filled(entries);
    }

    private StoredMember stored() {
        return Objects.requireNonNull(stored, "nothing is on a disk here");
    }

    @Override
    public void gaveUp(long messages) {
        host.onLost(this, messages);
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

    /** What synchronisation asks of the ring and of the links. Called in the mailbox. */
    private final class Transfers implements Synchronisation.Port {
        @Override
        public void send(String node, TransferFrame frame) {
            StoredMember its = stored;
            if (its != null && frame instanceof TransferFrame.Received) {
                // Whoever gives may be faster than the disk: what has come waits in memory until it is written.
                its.whenWritten(() -> host.send(node, place.group(), frame));
            } else {
                host.send(node, place.group(), frame);
            }
        }

        @Override
        public void read(String node, int attempt, List<Long> offsets) {
            stored().read(offsets, entries -> synchronisation.onRead(node, attempt, offsets, entries));
        }

        /** Behind all that the ring had delivered, the queue's state up to the ring's firm position. */
        @Override
        public void readState(String node, int attempt) {
            group.post(ring -> {
                if (ring.phase() == Phase.LEADING) {
                    Position firm = ring.firmPosition();
                    Map<Member, Long> senders = ring.firmSenders().rows();
                    arrive(queue ->
                            synchronisation.onState(node, attempt, firm, senders, queue.snapshotUpTo(firm.offset())));
                }
            });
        }

        /** Before anything that the ring causes when it is told. */
        @Override
        public void takeTables(Position upTo, Map<Member, Long> senders, ReplicaSnapshot tables) {
            group.post(ring -> {
                boolean isWanted = ring.wants(upTo);
                StoredMember its = stored;
                int generation = isWanted && its != null ? its.restart(upTo, senders, tables) : 0;
                arrive(queue -> taken(isWanted, upTo, tables, generation));
                if (isWanted) {
                    // Nobody counts on it before it says that nothing is missing, and by then it is forced.
                    ring.onSynchronised(upTo, Senders.of(senders));
                }
            });
        }

        private void taken(boolean isWanted, Position upTo, ReplicaSnapshot tables, int generation) {
            if (!isWanted) {
                synchronisation.onTaken(null);
                return;
            }
            StoredMember its = stored;
            memory.keepOnly(0);
            machine = machine(tables, upTo, its != null);
            knownUpTo = 0;
            if (its != null) {
                its.restarted(tables, generation);
            }
            View present = view;
            if (present != null) {
                machine.onView(present);
            }
            synchronisation.onTaken(machine);
        }

        @Override
        public void keep() {
            StoredMember its = stored;
            if (its != null) {
                its.keep(synchronisation::onKept);
            }
        }

        @Override
        public boolean isAutomatic() {
            return host.isAutomatic(place.queue().id());
        }

        @Override
        public void proposeInSync(long epoch, Member member) {
            host.propose(place.group(), epoch, member, true);
        }

        @Override
        public void onComplete() {
            Mirrors.LOG.info(
                    "the copy of queue '{}' in vhost '{}' holds everything now",
                    place.queue().name(),
                    place.vhost());
        }

        @Override
        public void onSpoiled(String why) {
            Mirrors.LOG.warn(
                    "the copy of queue '{}' in vhost '{}' asks again for what came: {}",
                    place.queue().name(),
                    place.vhost(),
                    why);
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
