package io.warren.mirroring.simulation;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
import io.warren.core.metadata.LengthLimit;
import io.warren.core.metadata.Overflow;
import io.warren.core.metadata.QueueSettings;
import io.warren.core.queue.ChannelRef;
import io.warren.core.queue.DeathReason;
import io.warren.core.queue.QueueConsumer;
import io.warren.core.queue.QueueDelivery;
import io.warren.core.queue.QueueOutput;
import io.warren.core.queue.QueueRef;
import io.warren.core.queue.QueueState;
import io.warren.core.spi.BackingQueueListener;
import io.warren.core.spi.SettleVerb;
import io.warren.core.spi.Ticker;
import io.warren.mirroring.queue.ChannelId;
import io.warren.mirroring.queue.MirroredBackingQueue;
import io.warren.mirroring.queue.MirroredQueue;
import io.warren.mirroring.queue.MirroredQueueOutput;
import io.warren.mirroring.queue.QueueSetup;
import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One member's mirrored queue with its mailbox: what the real shell has to do and nothing clever.
 *
 * <p>The mailbox is another one than the ring member's: what that puts out arrives here a little later, several together. Above the backing queue
 * of a master stands the core's own queue state, and beside it one end for each channel that is attached.
 */
final class SimulatedQueue implements MirroredQueueOutput, BackingQueueListener, QueueOutput, QueueRef {
    private static final long TURN_NS_MAX = 400_000;
    private static final long READ_NS_MAX = 5_000_000;
    private static final long WALL_CLOCK_MS = 1_700_000_000_000L;

    private final Simulation world;
    private final SimulatedMember copy;
    private final SimulatedNode node;
    private final String group;
    private final QueueWorld queues;

    // ---- what the disk has of it: a state, and all that was delivered since

    private ReplicaSnapshot kept = ReplicaSnapshot.EMPTY;
    private Position keptUpTo = Position.START;
    private final TreeMap<Long, Stable> delivered = new TreeMap<>();

    // ---- its process

    private MirroredQueue machine;
    private final SimulatedBodies bodies;
    private final SimulatedTransfer transfer;
    private final ArrayDeque<Runnable> mailbox = new ArrayDeque<>();
    private boolean turnComes;
    private boolean batchComes;
    /** What the mailbox holds besides ticks, and reads whose answers have not come: nobody knows yet what follows from that. */
    private int underWay;

    /** Number of its starts: what was meant for an earlier one is dropped. */
    private long life;

    private QueueState state;
    /** The settings by which it has looked at its head; null before it did so for the first time. */
    private QueueSettings settingsKnown;

    private final SimulatedEnds ends;
    /** Told nobody for want of a lease. */
    private List<Runnable> withheld = new ArrayList<>();

    private long wakeAtNs;

    // ---- dead letters of a master

    private final Map<Long, Message> dying = new HashMap<>();
    private Source source;

    /** A payload, or the view that opened a reign. */
    private record Stable(Entry<Integer> payload, View view, long offset) {}

    SimulatedQueue(Simulation world, SimulatedMember copy, SimulatedNode node, String group) {
        this.world = world;
        this.copy = copy;
        this.node = node;
        this.group = group;
        this.queues = world.queues();
        bodies = new SimulatedBodies(world);
        transfer = new SimulatedTransfer(world, copy, node, this, group);
        ends = new SimulatedEnds(world, node, this);
    }

    // ----------------------------------------------------------------------------------------------- its process

    /** Starts from what the disk holds up to the base of the ring's log; what comes after is delivered again. */
    void open(Position base) {
        delivered.tailMap(base.offset(), false).clear();
        life++;
        mailbox.clear();
        underWay = 0;
        turnComes = false;
        leave();
        ends.clear();
        begin();
        transfer.open(machine);
    }

    private void begin() {
        machine = make(node.member());
        delivered.values().forEach(this::tell);
        machine.onBatchEnd();
    }

    private MirroredQueue make(Member self) {
        QueueSetup setup = new QueueSetup(number(), true, queues.settings(group).priorityMax());
        bodies.remember(kept.messagesFrom(0));
        return new MirroredQueue(self, setup, new Clock(), bodies, this, this, kept, keptUpTo, queues.isPaged());
    }

    private long number() {
        return world.groups().indexOf(group) + 1L;
    }

    /** Rejoins as new. */
    void wipe() {
        kept = ReplicaSnapshot.EMPTY;
        keptUpTo = Position.START;
        delivered.clear();
        bodies.clear();
    }

    /** Another member's state takes the place of its own. */
    void take(ReplicaSnapshot snapshot, Position upTo, View view) {
        kept = snapshot;
        keptUpTo = upTo;
        delivered.clear();
        // What the ring put out before is void; what others have said since stays.
        leave();
        queues.happened(Happening.TABLES_TAKEN);
        begin();
        if (view != null) {
            machine.onView(view);
        }
        transfer.onTaken(machine);
    }

    /** The ring did not want the tables. */
    void takeNothing() {
        arrive(() -> transfer.onTaken(null));
    }

    /** What was put in goes to the disk beside the tables. */
    void keep(List<byte[]> putIn) {
        List<byte[]> entries = putIn.stream().map(bodies::whole).toList();
        long owner = life;
        Position tables = keptUpTo;
        // There may be much of it.
        long delayNs = world.between(300_000, world.chance(3) ? 900_000_000 : 8_000_000);
        world.in(
                delayNs,
                () -> node.happen(() -> {
                    if (owner == life && tables.equals(keptUpTo)) {
                        kept = kept.with(entries);
                        arrive(transfer::onKept);
                    }
                }));
    }

    void onTransfer(String from, byte[] frame) {
        node.happen(() -> arrive(() -> transfer.onFrame(from, frame)));
    }

    void onLost() {
        MirroredQueue meant = machine;
        arrive(() -> {
            // Tables that were taken since are what it is about.
            if (meant == machine) {
                transfer.onLost();
            }
        });
    }

    void onProposal(long epoch, Member member) {
        arrive(() -> transfer.onProposal(epoch, member));
    }

    /** The ring's firm position was read for a member. */
    void onRead(String to, int attempt, Position upTo, Map<Member, Long> senders) {
        arrive(() -> transfer.onState(to, attempt, upTo, senders, machine));
    }

    void onLinkUp(String other) {
        arrive(() -> transfer.onLinkUp(other));
    }

    /** The process's clocks: every node's wall clock is a little off. */
    private final class Clock implements Ticker {
        @Override
        public long nowNs() {
            return world.nowNs();
        }

        @Override
        public Instant now() {
            return Instant.ofEpochMilli(WALL_CLOCK_MS + world.nowNs() / 1_000_000 + 3L * node.number());
        }
    }

    /** Something for the queue's mailbox. */
    void post(Runnable what) {
        underWay++;
        enqueue(() -> {
            underWay--;
            what.run();
        });
    }

    private void enqueue(Runnable what) {
        mailbox.addLast(what);
        if (!turnComes) {
            turnComes = true;
            long owner = life;
            world.in(world.between(0, TURN_NS_MAX), () -> node.happen(() -> turn(owner)));
        }
    }

    /** Something of the ring or of its members: what comes together is one batch. */
    private void arrive(Runnable what) {
        batchComes = true;
        post(what);
    }

    private void turn(long owner) {
        if (owner != life) {
            return;
        }
        turnComes = false;
        boolean isBatch = batchComes;
        batchComes = false;
        int count = mailbox.size();
        for (int i = 0; i < count && owner == life; i++) {
            mailbox.removeFirst().run();
        }
        if (owner == life) {
            if (isBatch) {
                machine.onBatchEnd();
                transfer.onBatchEnd(machine);
            }
            requireLimitKept();
            if (!mailbox.isEmpty()) {
                enqueue(() -> {});
            }
        }
    }

    /** What drops its head never holds more than it may, but for the message whose body is on its way. */
    private void requireLimitKept() {
        if (state != null && !state.isFetching()) {
            LengthLimit limit = queues.settings(group).limit();
            boolean drops = limit.overflow() == Overflow.DROP_HEAD
                    && queues.settings(group).equals(settingsKnown);
            world.countLemma(
                    !drops || !limit.isExceededBy(state.readyCount(), 0),
                    16,
                    () -> copy + " has " + state.readyCount() + " messages ready, allowed are " + limit);
        }
    }

    // ------------------------------------------------------------------------------------- what the ring puts out

    void onView(View view) {
        arrive(() -> {
            transfer.onView(view);
            machine.onView(view);
        });
    }

    void onDelivered(Entry<Integer> entry) {
        onStable(new Stable(entry, null, entry.offset()));
    }

    void onViewInstalled(View view, long offset) {
        onStable(new Stable(null, view, offset));
    }

    private void onStable(Stable stable) {
        delivered.put(stable.offset(), stable);
        MirroredQueue meant = machine;
        arrive(() -> {
            if (meant == machine) {
                tell(stable);
            }
        });
    }

    private void tell(Stable stable) {
        Entry<Integer> entry = stable.payload();
        if (entry == null) {
            machine.onViewInstalled(stable.view(), stable.offset());
            return;
        }
        byte[] bytes = queues.bytes(entry.payload());
        Entry<byte[]> whole = new Entry<>(
                entry.position(), entry.sender(), entry.sequence(), entry.persistent(), bytes.length, bytes, null);
        bodies.onDelivered(whole);
        machine.onDelivered(whole);
    }

    void onCut(long fromOffset) {
        delivered.tailMap(fromOffset, true).clear();
        MirroredQueue meant = machine;
        arrive(() -> {
            if (meant == machine && !machine.onCut(fromOffset)) {
                throw new IllegalStateException(copy + " cannot take back what was delivered from " + fromOffset);
            }
        });
    }

    /** Everything it knows, when everything is over. */
    ReplicaSnapshot snapshot() {
        while (!mailbox.isEmpty()) {
            mailbox.removeFirst().run();
        }
        ReplicaSnapshot all = machine.snapshotUpTo(machine.delivered());
        return all.tables().with(all.messagesFrom(0).stream().map(bodies::whole).toList());
    }

    void onTick() {
        enqueue(() -> {
            machine.onTick();
            if (world.chance(3)) {
                // A replica is the same however its entries are cut into batches; here few come together.
                machine.applyFirm();
            }
            transfer.onTick();
            if (!withheld.isEmpty() && node.isLeaseHeld()) {
                List<Runnable> words = withheld;
                withheld = new ArrayList<>();
                words.forEach(this::sayNow);
            }
            if (source != null) {
                source.onTick();
            }
            ends.forgetTheDead();
        });
    }

    // --------------------------------------------------------------------------------------- what channels say

    SimulatedEnds ends() {
        return ends;
    }

    /** What the core does above the backing queue, while this member leads; else null. */
    QueueState state() {
        return state;
    }

    MirroredBackingQueue backing() {
        return state == null ? null : machine.backing();
    }

    boolean takesPublishes() {
        return machine.takesPublishes();
    }

    void happened(Happening what) {
        queues.happened(what);
    }

    void onLinkDown(String other) {
        arrive(() -> {
            transfer.onLinkDown(other);
            ends.onLinkDown(other);
            if (source != null) {
                source.onLinkDown(other);
            }
        });
    }

    /** A policy has changed. */
    void onSettings(QueueSettings changed) {
        later(queue -> {
            settingsKnown = changed;
            queue.onSettings(changed, world.nowNs());
        });
    }

    void tellTransfer(Consumer<SimulatedTransfer> what) {
        arrive(() -> what.accept(transfer));
    }

    /** A channel settles a message: it is the one that the channel has. */
    void onSettled(SettleVerb verb, Integer number, Message message) {
        world.countLemma(
                number != null, 10, () -> copy + ": settled by nobody in this attachment: " + QueueClients.id(message));
        if (verb == SettleVerb.REQUEUE) {
            queues.happened(Happening.REQUEUED);
        } else {
            queues.history(group).onSettled(number, QueueClients.id(message), verb == SettleVerb.ACK);
        }
    }

    /** A message is on its way to a client. */
    void onHandedOut(QueueDelivery delivery) {
        int number = QueueClients.id(delivery.message());
        world.trace(() -> copy + " hands out " + number + (delivery.isRedelivered() ? " again" : ""));
        queues.history(group)
                .onHandedOut(number, delivery.isRedelivered(), machine.backing().reign());
    }

    // --------------------------------------------------------------------------------- what the mirrored queue says

    @Override
    public boolean broadcast(byte[] entry, boolean persistent) {
        return copy.broadcast(queues.register(entry), persistent, entry.length);
    }

    @Override
    public void wakeSoon() {
        post(() -> machine.onWake());
    }

    @Override
    public void read(long reign, List<Long> offsets) {
        read(offsets, entries -> machine.onRead(reign, offsets, entries));
    }

    /** Reads messages, which takes a while; of those that are settled it may find nothing. */
    void read(List<Long> offsets, Consumer<Map<Long, byte[]>> then) {
        queues.happened(Happening.READ);
        underWay++;
        long owner = life;
        MirroredQueue meant = machine;
        Map<Long, byte[]> unsettled = machine.entriesBelow(Long.MAX_VALUE);
        world.in(
                world.between(0, READ_NS_MAX),
                () -> node.happen(() -> {
                    if (owner != life) {
                        return;
                    }
                    underWay--;
                    if (meant == machine) {
                        arrive(() -> {
                            if (meant == machine) {
                                then.accept(bodies.of(offsets, unsettled, machine.entriesBelow(Long.MAX_VALUE)));
                            }
                        });
                    }
                }));
    }

    @Override
    public void filled(List<byte[]> entries) {
        bodies.remember(entries);
    }

    @Override
    public void promoted(MirroredBackingQueue backing) {
        world.trace(() -> copy + " leads from " + machine.delivered() + " with " + backing.readyCount() + " messages");
        queues.happened(Happening.PROMOTED);
        wakeAtNs = 0;
        state = new QueueState(this, queues.settings(group), backing, this, world.nowNs());
        String target = queues.settings(group).deadLetterExchange();
        source = target == null ? null : new Source(target);
        QueueSettings first = queues.settings(group);
        settingsKnown = null;
        later(queue -> {
            settingsKnown = first;
            queue.onReady(world.nowNs());
        });
        post(ends::onLeads);
    }

    @Override
    public void demoted() {
        leave();
    }

    private void leave() {
        if (source != null) {
            source.end.close(() -> {});
        }
        state = null;
        source = null;
        ends.onReignOver();
        withheld.clear();
        dying.clear();
    }

    @Override
    public void onSafe() {
        later(QueueState::onSafe);
    }

    @Override
    public void onReady() {
        later(queue -> queue.onReady(world.nowNs()));
    }

    @Override
    public void onFetched(long offset, Message message) {
        later(queue -> queue.onFetched(offset, message, world.nowNs()));
    }

    /** For the queue state of this reign, if it is there by then. */
    private void later(Consumer<QueueState> what) {
        QueueState meant = state;
        post(() -> {
            if (meant != null && state == meant) {
                what.accept(meant);
            }
        });
    }

    // -------------------------------------------------------------------------------------------- its dead letters

    /** The queue as a publisher to its dead letter exchange, for one reign. */
    private final class Source extends SimulatedChannel {
        private final Map<Long, Long> offsets = new HashMap<>();
        private final long owner = life;
        private final long boot = SimulatedQueue.this.node.boot();
        private final String self = copy.toString();

        Source(String target) {
            super(SimulatedQueue.this.world, target, SimulatedQueue.this.node, ChannelId.ofQueue(number()), number());
        }

        void add(long number, long offset, Message message) {
            offsets.put(number, offset);
            publish(number, message);
        }

        @Override
        public void mirrored() {
            throw new AssertionError("these queues are mirrored from the beginning");
        }

        @Override
        boolean isAlive() {
            return source == this && owner == life && node.runs(boot);
        }

        @Override
        void answered(long sequence, Message message, boolean confirmed, boolean byQueue) {
            long offset = offsets.remove(sequence);
            // The target may have lost a transient one with all its members: it is refused then, and that is an answer
            // too.
            if (!confirmed && message.properties().isPersistent()) {
                throw new IllegalStateException(self + ": dead letter " + sequence + " was refused");
            }
            later(queue -> queue.onDeadLettered(offset));
        }

        @Override
        void delivered(int attachment, long offset, int number) {
            throw unasked();
        }

        @Override
        void consumerCancelled() {
            throw unasked();
        }
    }

    @Override
    public void deadLetter(long offset, Message message, DeathReason reason, String exchange, String routingKey) {
        dying.put(offset, message);
        machine.backing().deadLetter(offset, reason);
    }

    @Override
    public void deadLetter(long number, long offset, DeathReason reason) {
        Message message = dying.remove(offset);
        source.add(number, offset, message == null ? machine.backing().inheritedMessage(offset) : message);
    }

    // ---------------------------------------------------------------------------------------- what the queue says

    /** Says something to a client, now or when there is a lease again. */
    void say(Runnable word) {
        if (withheld.isEmpty() && node.isLeaseHeld()) {
            sayNow(word);
        } else {
            world.onWithheld();
            withheld.add(word);
        }
    }

    private void sayNow(Runnable word) {
        world.lemmas(group).onToldClient(node, "tells its clients");
        word.run();
    }

    @Override
    public String name() {
        return group;
    }

    @Override
    public void deliver(QueueConsumer consumer, QueueDelivery delivery) {
        ((SimulatedUse) consumer.channel()).deliver(delivery, consumer.tag());
    }

    @Override
    public void confirmed(ChannelRef publisher, long sequence) {
        ((SimulatedUse) publisher).answer(sequence, true);
    }

    @Override
    public void rejected(ChannelRef publisher, long sequence) {
        ((SimulatedUse) publisher).answer(sequence, false);
    }

    @Override
    public void wakeAt(long atNs) {
        wakeAtNs = atNs;
        if (atNs == Long.MAX_VALUE) {
            return;
        }
        QueueState meant = state;
        long owner = life;
        world.at(
                atNs,
                () -> node.happen(() -> {
                    if (owner == life && state != null && (meant == null || meant == state) && wakeAtNs == atNs) {
                        later(queue -> queue.onTimer(world.nowNs()));
                    }
                }));
    }

    /** Whether messages are missing here. */
    boolean isIncomplete() {
        return machine.missingBelow() > 0;
    }

    /** What is left to do, or null. */
    String missing() {
        if (state == null) {
            return copy + " does not lead";
        }
        if (underWay > 0) {
            return copy + " has not done all that it was told";
        }
        int deadLetters = source == null ? 0 : source.open.size() + dying.size();
        return state.readyCount() + state.unackedCount() + deadLetters == 0
                ? null
                : copy + " has " + state.readyCount() + " messages ready, " + state.unackedCount() + " out, "
                        + deadLetters + " dead letters";
    }

    @Override
    public void consumeOk(QueueConsumer consumer) {
        ((SimulatedUse) consumer.channel()).consumeOk(consumer.tag());
    }

    @Override
    public void getOk(ChannelRef channel, QueueDelivery delivery, long readyCount) {
        queues.happened(Happening.GOT);
        ((SimulatedUse) channel).got(delivery, readyCount);
    }

    @Override
    public void getEmpty(ChannelRef channel) {
        ((SimulatedUse) channel).gotNothing();
    }

    @Override
    public void purged(ChannelRef channel, long messageCount) {
        world.trace(() -> copy + " is purged of " + messageCount);
        ((SimulatedUse) channel).purged(messageCount);
    }

    // ---- never asked for here

    @Override
    public void consumeRefused(QueueConsumer consumer, AmqpError error) {
        throw unasked();
    }

    @Override
    public void cancelOk(QueueConsumer consumer) {
        throw unasked();
    }

    @Override
    public void cancelled(QueueConsumer consumer) {
        throw unasked();
    }

    @Override
    public void declareOk(ChannelRef channel, long readyCount, int consumerCount) {
        throw unasked();
    }

    @Override
    public void deleteGranted(ChannelRef channel, long messageCount) {
        throw unasked();
    }

    @Override
    public void deleteRefused(ChannelRef channel, AmqpError error) {
        throw unasked();
    }

    @Override
    public void deleteUnused() {
        throw unasked();
    }

    static IllegalStateException unasked() {
        return new IllegalStateException("nobody asks for this here");
    }
}
