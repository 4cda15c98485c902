package io.warren.mirroring.simulation;

import io.warren.mirroring.queue.MirroredQueue;
import io.warren.mirroring.queue.MissingMessages;
import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import io.warren.mirroring.transfer.Giver;
import io.warren.mirroring.transfer.GiverOutput;
import io.warren.mirroring.transfer.Taker;
import io.warren.mirroring.transfer.TakerOutput;
import io.warren.mirroring.transfer.TransferCodec;
import io.warren.mirroring.transfer.TransferFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One member's ends of what members give each other: what the real shell has to do and nothing clever. All of it in the queue's mailbox.
 *
 * <p>Half the runs begin with giving messages by themselves; in the others members wait until what they miss is settled.
 */
final class SimulatedTransfer implements TakerOutput, GiverOutput {
    /** Small, so that a state goes in several pieces. */
    private static final int PIECE_BYTES = 300;

    private static final long SLOW_NS_MAX = 120_000_000;

    private final Simulation world;
    private final SimulatedMember copy;
    private final SimulatedNode node;
    private final SimulatedQueue queue;
    private final String group;
    private Taker taker;
    private Giver giver;
    private View view;
    private long reign;
    /** Whether what is given takes long. */
    private boolean isSlow;

    private long lastSentNs;
    /** What was put in since the tables were taken. */
    private final List<byte[]> putIn = new ArrayList<>();

    SimulatedTransfer(Simulation world, SimulatedMember copy, SimulatedNode node, SimulatedQueue queue, String group) {
        this.world = world;
        this.copy = copy;
        this.node = node;
        this.queue = queue;
        this.group = group;
    }

    // ----------------------------------------------------------------------------------------------- what happens

    /** Its process starts. */
    void open(MirroredQueue machine) {
        giver = null;
        view = null;
        putIn.clear();
        taker = new Taker(node.member(), new Remembered(machine), true, this);
    }

    /** The queue, of which it is remembered what was put in, for the disk. */
    private final class Remembered implements MissingMessages {
        private final MirroredQueue machine;

        Remembered(MirroredQueue machine) {
            this.machine = machine;
        }

        @Override
        public long missingBelow() {
            return machine.missingBelow();
        }

        @Override
        public long delivered() {
            return machine.delivered();
        }

        @Override
        public Map<Long, byte[]> entriesBelow(long offset) {
            return machine.entriesBelow(offset);
        }

        @Override
        public Position rememberedFrom() {
            return machine.rememberedFrom();
        }

        @Override
        public void fill(List<byte[]> entries) {
            putIn.addAll(entries);
            if (!entries.isEmpty()) {
                world.queues().happened(Happening.FILLED);
            }
            machine.fill(entries);
        }

        @Override
        public void onFilled(long firmOffset) {
            machine.onFilled(firmOffset);
        }
    }

    void onView(View next) {
        view = next;
        taker.onView(next);
        boolean leads = node.member().equals(next.master());
        if (!leads) {
            giver = null;
        } else if (giver == null || next.reign() != reign) {
            reign = next.reign();
            isSlow = world.chance(2);
            giver = new Giver(reign, world.queues().isAutomatic(group), PIECE_BYTES, this);
        }
        if (giver != null) {
            giver.onView(next);
        }
    }

    void onMode() {
        if (giver != null) {
            giver.onMode(world.queues().isAutomatic(group));
        }
    }

    /** Somebody asks that all members be given what they miss. */
    void synchronise() {
        if (giver != null && giver.onSync()) {
            world.queues().happened(Happening.SYNC_ASKED);
        }
    }

    /** Somebody breaks that off. */
    void cancel() {
        if (giver != null && giver.onCancel()) {
            world.queues().happened(Happening.SYNC_CANCELLED);
        }
    }

    void onProposal(long epoch, Member member) {
        if (giver != null) {
            giver.onProposal(epoch, member);
        }
    }

    void onLost() {
        taker.onLost();
    }

    /** The ring was told of the tables. */
    void onTaken(MirroredQueue machine) {
        if (machine != null) {
            putIn.clear();
        }
        taker.onTaken(machine == null ? null : new Remembered(machine));
    }

    void onState(String to, int attempt, Position upTo, Map<Member, Long> senders, MirroredQueue machine) {
        if (giver != null) {
            giver.onState(to, attempt, upTo, senders, machine.snapshotUpTo(upTo.offset()));
        }
    }

    void onFrame(String from, byte[] bytes) {
        TransferFrame frame = TransferCodec.decode(bytes);
        world.trace(() -> copy + " <- " + from + " " + frame);
        if (frame instanceof TransferFrame.ToMember toMember) {
            taker.onFrame(from, toMember);
        } else if (giver != null) {
            giver.onFrame(from, (TransferFrame.ToMaster) frame);
        }
    }

    void onLinkUp(String other) {
        taker.onLinkUp(other);
    }

    void onLinkDown(String other) {
        taker.onLinkDown(other);
        if (giver != null) {
            giver.onLinkDown(other);
        }
    }

    void onBatchEnd(MirroredQueue machine) {
        taker.onBatchEnd();
        if (giver != null) {
            giver.onBatchEnd(machine);
        }
    }

    void onTick() {
        taker.onTick(world.nowNs());
        if (giver != null) {
            giver.onTick(world.nowNs());
            if (!view.isAtLimit() && world.nowNs() > Simulation.FAULTS_END_NS) {
                // Below the limit nothing is settled for good, and new members would wait for ever: somebody asks.
                giver.onSync();
            }
        }
    }

    // ----------------------------------------------------------------------------------------------- what follows

    private void send(String to, byte[] frame) {
        SimulatedMember other = world.node(Simulation.number(to)).copy(group);
        node.send(to, () -> other.queue().onTransfer(node.name(), frame));
    }

    @Override
    public void send(String to, TransferFrame.ToMaster frame) {
        send(to, TransferCodec.encode(frame));
    }

    @Override
    public void send(String to, TransferFrame.ToMember frame) {
        byte[] bytes = TransferCodec.encode(frame);
        if (!isSlow) {
            send(to, bytes);
            return;
        }
        // A large state takes long, and the queue works on meanwhile; the link ends it.
        int other = Simulation.number(to);
        int session = world.network().session(node.number(), other);
        long boot = node.boot();
        lastSentNs = Math.max(lastSentNs + 1, world.nowNs() + world.between(0, SLOW_NS_MAX));
        world.at(
                lastSentNs,
                () -> node.happen(() -> {
                    if (node.runs(boot) && session == world.network().session(node.number(), other)) {
                        send(to, bytes);
                    }
                }));
    }

    @Override
    public void readState(String to, int attempt) {
        copy.readState(to, attempt);
    }

    @Override
    public void read(String to, int attempt, List<Long> offsets) {
        queue.read(offsets, entries -> {
            if (giver != null) {
                giver.onRead(to, attempt, offsets, entries);
            }
        });
    }

    @Override
    public void takeTables(Position upTo, Map<Member, Long> senders, ReplicaSnapshot tables) {
        copy.takeTables(upTo, senders, tables);
    }

    @Override
    public void proposeInSync(long epoch, Member member) {
        copy.proposeInSync(epoch, member);
    }

    @Override
    public void progress(int taken, int all) {
        world.trace(() -> copy + " has " + taken + " of " + all + " messages that were missing");
    }

    @Override
    public void keep() {
        queue.keep(putIn);
    }

    void onKept() {
        taker.onKept();
    }

    @Override
    public void complete() {
        world.queues().happened(Happening.SYNCHRONISED);
        world.trace(() -> copy + " is complete");
    }

    @Override
    public void spoiled(String why) {
        throw new IllegalStateException(copy + ": " + why);
    }
}
