package io.warren.mirroring.simulation;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One member's mirrored queue with its mailbox: what the real shell has to do and nothing clever.
 *
 * <p>The mailbox is another one than the ring member's: what that puts out arrives here a little later, several together. Above the backing queue
 * of a master stands the core's own queue state, and beside it one end for each channel that is attached.
 */
final class SimulatedQueue implements MirroredQueueOutput, BackingQueueListener, QueueOutput, QueueRef {
    private static final long TURN_NS_MAX = 400_000;
    private static final long WALL_CLOCK_MS = 1_700_000_000_000L;
    private static final int PREFETCH = 5;

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
    private final SimulatedTransfer transfer;
    private final ArrayDeque<Runnable> mailbox = new ArrayDeque<>();
    private boolean turnComes;
    /** Number of its starts: what was meant for an earlier one is dropped. */
    private long life;

    private QueueState state;
    private final Map<ChannelId, End> ends = new LinkedHashMap<>();
    /** Told nobody for want of a lease. */
    private final List<Runnable> withheld = new ArrayList<>();

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
        transfer = new SimulatedTransfer(world, copy, node, this, group);
    }

    // ----------------------------------------------------------------------------------------------- its process

    /** Starts from what the disk holds up to the base of the ring's log; what comes after is delivered again. */
    void open(Position base) {
        delivered.tailMap(base.offset(), false).clear();
        life++;
        mailbox.clear();
        turnComes = false;
        leave();
        begin();
        transfer.open(machine);
    }

    private void begin() {
        machine = make(node.member());
        delivered.values().forEach(this::tell);
        machine.onBatchEnd();
    }

    private MirroredQueue make(Member self) {
        int number = world.groups().indexOf(group);
        QueueSetup setup =
                new QueueSetup(number + 1L, true, queues.settings(group).priorityMax());
        return new MirroredQueue(self, setup, new Clock(), change -> {}, this, this, kept, keptUpTo);
    }

    /** Rejoins as new. */
    void wipe() {
        kept = ReplicaSnapshot.EMPTY;
        keptUpTo = Position.START;
        delivered.clear();
    }

    /** Another member's state takes the place of its own. */
    void take(ReplicaSnapshot snapshot, Position upTo, View view) {
        kept = snapshot;
        keptUpTo = upTo;
        delivered.clear();
        // What the ring put out before is void; what others have said since stays.
        leave();
        begin();
        if (view != null) {
            machine.onView(view);
        }
        transfer.onTaken(machine);
    }

    /** The ring did not want the tables. */
    void takeNothing() {
        post(() -> transfer.onTaken(null));
    }

    /** What was put in goes to the disk beside the tables. */
    void keep(List<byte[]> putIn) {
        List<byte[]> entries = List.copyOf(putIn);
        long owner = life;
        Position tables = keptUpTo;
        world.in(
                world.between(300_000, 8_000_000),
                () -> node.happen(() -> {
                    if (owner == life && tables.equals(keptUpTo)) {
                        kept = kept.with(entries);
                        post(transfer::onKept);
                    }
                }));
    }

    void onTransfer(String from, byte[] frame) {
        node.happen(() -> post(() -> transfer.onFrame(from, frame)));
    }

    void onLost() {
        post(transfer::onLost);
    }

    void onProposal(long epoch, Member member) {
        post(() -> transfer.onProposal(epoch, member));
    }

    /** The ring's firm position was read for a member. */
    void onRead(String to, int attempt, Position upTo, Map<Member, Long> senders) {
        post(() -> transfer.onState(to, attempt, upTo, senders, machine));
    }

    void onLinkUp(String other) {
        post(() -> transfer.onLinkUp(other));
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
        mailbox.addLast(what);
        if (!turnComes) {
            turnComes = true;
            long owner = life;
            world.in(world.between(0, TURN_NS_MAX), () -> node.happen(() -> turn(owner)));
        }
    }

    private void turn(long owner) {
        if (owner != life) {
            return;
        }
        turnComes = false;
        int count = mailbox.size();
        for (int i = 0; i < count && owner == life; i++) {
            mailbox.removeFirst().run();
        }
        if (owner == life) {
            machine.onBatchEnd();
            transfer.onBatchEnd(machine);
            if (!mailbox.isEmpty()) {
                post(() -> {});
            }
        }
    }

    // ------------------------------------------------------------------------------------- what the ring puts out

    void onView(View view) {
        post(() -> {
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
        post(() -> {
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
        machine.onDelivered(new Entry<>(
                entry.position(), entry.sender(), entry.sequence(), entry.persistent(), bytes.length, bytes, null));
    }

    void onCut(long fromOffset) {
        delivered.tailMap(fromOffset, true).clear();
        MirroredQueue meant = machine;
        post(() -> {
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
        return machine.snapshotUpTo(machine.delivered());
    }

    void onTick() {
        post(() -> {
            machine.onTick();
            transfer.onTick();
            if (!withheld.isEmpty() && node.isLeaseHeld()) {
                List<Runnable> words = List.copyOf(withheld);
                withheld.clear();
                words.forEach(this::say);
            }
            if (source != null) {
                source.onTick();
            }
            MirroredBackingQueue backing = machine.backing();
            if (backing != null) {
                forgetTheDead(backing);
                if (world.chance(300) && !ends.isEmpty() && world.nowNs() < Simulation.FAULTS_END_NS) {
                    state.onPurge(ends.values().iterator().next(), world.nowNs());
                }
            }
        });
    }

    /** Channels whose process has ended send nothing again, and hold nothing. */
    private void forgetTheDead(MirroredBackingQueue backing) {
        List.copyOf(ends.keySet()).stream().filter(this::isDead).forEach(this::close);
        backing.channels().stream().filter(this::isDead).forEach(backing::channelGone);
    }

    private boolean isDead(ChannelId channel) {
        return !channel.node().isEmpty() && !QueueWorld.isRunning(node, channel.node(), channel.incarnation());
    }

    // --------------------------------------------------------------------------------------- what channels say

    /** The master's end of a channel. */
    private final class End implements ChannelRef {
        final SimulatedChannel channel;
        final ChannelId id;
        final SimulatedNode at;
        final int attempt;
        final Map<Long, QueueDelivery> out = new HashMap<>();

        End(SimulatedChannel channel, ChannelId id, int attempt) {
            this.channel = channel;
            this.id = id;
            this.at = channel.node();
            this.attempt = attempt;
        }

        void send(Runnable what) {
            node.send(at.name(), () -> at.happen(what));
        }

        @Override
        public boolean takePermit() {
            return true;
        }

        @Override
        public boolean hasPermit() {
            return true;
        }

        @Override
        public void returnPermit() {}
    }

    void onAttach(SimulatedChannel channel, ChannelId id, int attempt, long reign) {
        close(id);
        End end = new End(channel, id, attempt);
        MirroredBackingQueue backing = machine.backing();
        if (backing == null || backing.reign() != reign || isDead(id)) {
            refuse(end);
            return;
        }
        ends.put(id, end);
        if (channel.consumes()) {
            state.onConsume(new QueueConsumer(end, "c", true, false, 0, PREFETCH, 1_000_000), world.nowNs());
        }
    }

    private void refuse(End end) {
        end.send(() -> end.channel.onRefused(end.id, end.attempt));
    }

    /** An attachment is over: what the channel holds goes back. */
    private void close(ChannelId id) {
        End over = ends.remove(id);
        if (over != null) {
            state.onChannelClosed(over, world.nowNs());
            if (id.node().isEmpty()) {
                // A queue's channel may be another node's by now: the former one must not wait for ever.
                refuse(over);
            }
        }
    }

    void onLinkDown(String other) {
        post(() -> {
            transfer.onLinkDown(other);
            List.copyOf(ends.values()).stream()
                    .filter(end -> end.at.name().equals(other))
                    .forEach(end -> close(end.id));
            if (source != null) {
                source.onLinkDown(other);
            }
        });
    }

    private End end(SimulatedChannel channel, ChannelId id, int attempt) {
        End end = ends.get(id);
        return end != null && end.attempt == attempt && (channel == null || end.channel == channel) ? end : null;
    }

    void onPublish(
            SimulatedChannel channel, ChannelId id, int attempt, long sequence, long firstOpen, Message message) {
        End end = end(channel, id, attempt);
        MirroredBackingQueue backing = machine.backing();
        if (end == null || backing == null) {
            return;
        }
        switch (backing.judge(end.id, sequence)) {
            case CONFIRM -> state.onBarrier(end, sequence);
            case REFUSE -> rejected(end, sequence);
            case TAKE -> {
                if (machine.takesPublishes()) {
                    backing.beginPublish(end.id, sequence, firstOpen);
                    state.onPublish(end, sequence, message, world.nowNs());
                    backing.endPublish();
                } else if (end.id.node().isEmpty()) {
                    // A dead letter must not be refused: it is kept where it is.
                    close(end.id);
                } else {
                    rejected(end, sequence);
                }
            }
        }
    }

    void onSettle(ChannelId id, int attempt, long offset, int number, SettleVerb verb) {
        End end = end(null, id, attempt);
        QueueDelivery delivery = end == null ? null : end.out.remove(offset);
        if (delivery == null) {
            return;
        }
        if (verb != SettleVerb.REQUEUE) {
            queues.history(group).onSettled(number, QueueClients.id(delivery.message()), verb == SettleVerb.ACK);
        }
        List<QueueDelivery> one = List.of(delivery);
        switch (verb) {
            case ACK -> state.onAck(one, world.nowNs());
            case REQUEUE -> state.onRequeue(one, world.nowNs());
            case REJECT -> state.onReject(one, world.nowNs());
        }
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
    public void promoted(MirroredBackingQueue backing) {
        world.trace(() -> copy + " leads from " + machine.delivered() + " with " + backing.readyCount() + " messages");
        queues.onPromoted();
        wakeAtNs = 0;
        state = new QueueState(this, queues.settings(group), backing, this, world.nowNs());
        String target = queues.settings(group).deadLetterExchange();
        source = target == null ? null : new Source(target);
    }

    @Override
    public void demoted() {
        leave();
    }

    private void leave() {
        state = null;
        source = null;
        ends.clear();
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
    private void later(java.util.function.Consumer<QueueState> what) {
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
        private final String self = copy.toString();

        Source(String target) {
            super(SimulatedQueue.this.world, target);
            begin(SimulatedQueue.this.node, ChannelId.ofQueue(world.groups().indexOf(SimulatedQueue.this.group) + 1L));
        }

        void add(long number, long offset, Message message) {
            offsets.put(number, offset);
            publish(number, message);
        }

        @Override
        boolean isAlive() {
            return source == this && owner == life && node().isAlive();
        }

        @Override
        boolean consumes() {
            return false;
        }

        @Override
        void answered(long sequence, Message message, boolean confirmed) {
            long offset = offsets.remove(sequence);
            // The target may have lost a transient one with all its members: it is refused then, and that is an answer
            // too.
            if (!confirmed && message.properties().isPersistent()) {
                throw new IllegalStateException(self + ": dead letter " + sequence + " was refused");
            }
            later(queue -> queue.onDeadLettered(offset));
        }

        @Override
        void delivered(int attempt, long offset, int number) {}
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
    private void say(Runnable word) {
        if (node.isLeaseHeld()) {
            world.lemmas(group).onToldClient(node, "tells its clients");
            word.run();
        } else {
            world.onWithheld();
            withheld.add(word);
        }
    }

    @Override
    public String name() {
        return group;
    }

    @Override
    public void deliver(QueueConsumer consumer, QueueDelivery delivery) {
        End end = (End) consumer.channel();
        int number = QueueClients.id(delivery.message());
        long reign = machine.backing().reign();
        end.out.put(delivery.offset(), delivery);
        say(() -> {
            world.trace(() -> copy + " hands out " + number + (delivery.isRedelivered() ? " again" : ""));
            queues.history(group).onHandedOut(number, delivery.isRedelivered(), reign);
            end.send(() -> end.channel.onDelivery(end.id, end.attempt, delivery.offset(), number));
        });
    }

    @Override
    public void confirmed(ChannelRef publisher, long sequence) {
        End end = (End) publisher;
        say(() -> end.send(() -> end.channel.onAnswered(end.id, end.attempt, sequence, true)));
    }

    @Override
    public void rejected(ChannelRef publisher, long sequence) {
        End end = (End) publisher;
        say(() -> end.send(() -> end.channel.onAnswered(end.id, end.attempt, sequence, false)));
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
        int deadLetters = source == null ? 0 : source.open.size() + dying.size();
        return state.readyCount() + state.unackedCount() + deadLetters == 0
                ? null
                : copy + " has " + state.readyCount() + " messages ready, " + state.unackedCount() + " out, "
                        + deadLetters + " dead letters";
    }

    // ---- never asked for here

    @Override
    public void consumeOk(QueueConsumer consumer) {}

    @Override
    public void getOk(ChannelRef channel, QueueDelivery delivery, long readyCount) {
        throw unasked();
    }

    @Override
    public void getEmpty(ChannelRef channel) {
        throw unasked();
    }

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
    public void purged(ChannelRef channel, long messageCount) {
        world.trace(() -> copy + " is purged of " + messageCount);
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

    private static IllegalStateException unasked() {
        return new IllegalStateException("nobody asks for this here");
    }
}
