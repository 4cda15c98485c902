package io.warren.mirroring.mirror;

import io.warren.mirroring.queue.AppliedState;
import io.warren.mirroring.queue.MissingMessages;
import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import io.warren.mirroring.transfer.Giver;
import io.warren.mirroring.transfer.GiverOutput;
import io.warren.mirroring.transfer.Taker;
import io.warren.mirroring.transfer.TakerOutput;
import io.warren.mirroring.transfer.TransferFrame;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one member has to do with members that do not hold everything: it takes what it lacks itself, and where it is the master it gives, from
 * the view that says so: below the least number in sync the queue is led only after members have come in sync. Owned by the queue's mailbox.
 */
final class Synchronisation implements TakerOutput, GiverOutput {

    /** Done by the member's shell, in the order of the calls. */
    interface Port {

        void send(String node, TransferFrame frame);

        /** As {@link GiverOutput#readState}. */
        void readState(String node, int attempt);

        /** As {@link GiverOutput#read}. */
        void read(String node, int attempt, List<Long> offsets);

        /** As {@link TakerOutput#takeTables}. */
        void takeTables(Position upTo, Map<Member, Long> senders, ReplicaSnapshot tables);

        void proposeInSync(long epoch, Member member);

        /** As {@link TakerOutput#keep}; {@link #onKept} follows. */
        void keep();

        /** Whether members that come later are given everything without being asked. */
        boolean isAutomatic();

        /** Nothing is missing here any more. */
        void onComplete();

        /** What came could not be read. */
        void onSpoiled(String why);
    }

    private final Member self;
    private final Port port;
    private final Taker taker;
    private @Nullable Giver giver;
    private @Nullable View view;

    /** @param isStored whether what the member holds goes to a disk */
    Synchronisation(Member self, MissingMessages queue, boolean isStored, Port port) {
        this.self = self;
        this.port = port;
        taker = new Taker(self, queue, isStored, this);
    }

    // ---- what happens

    void onView(View next) {
        View before = view;
        view = next;
        taker.onView(next);
        if (!self.equals(next.master())) {
            giver = null;
            return;
        }
        Giver gives = giver;
        if (gives == null || before == null || before.reign() != next.reign()) {
            gives = new Giver(next.reign(), port.isAutomatic(), this);
            giver = gives;
        }
        gives.onView(next);
    }

    /** The ring proposes a member as one that holds everything of the ring's. */
    void onProposal(long epoch, Member member) {
        if (giver != null) {
            giver.onProposal(epoch, member);
        }
    }

    /** The ring cannot bring this member up to date. */
    void onLost() {
        taker.onLost();
    }

    /** The ring was told of the tables; null if it did not want them. */
    void onTaken(@Nullable MissingMessages queue) {
        taker.onTaken(queue);
    }

    /** As {@link Taker#onFound}. */
    void onFound(Map<Long, byte[]> publishes, long upTo) {
        taker.onFound(publishes, upTo);
    }

    /** What {@link Port#keep} asked for is on disk. */
    void onKept() {
        taker.onKept();
    }

    void onState(String node, int attempt, Position upTo, Map<Member, Long> senders, ReplicaSnapshot state) {
        if (giver != null) {
            giver.onState(node, attempt, upTo, senders, state);
        }
    }

    /** Messages were read. */
    void onRead(String node, int attempt, List<Long> asked, Map<Long, byte[]> entries) {
        if (giver != null) {
            giver.onRead(node, attempt, asked, entries);
        }
    }

    void onFrame(String node, TransferFrame frame) {
        if (frame instanceof TransferFrame.ToMember toMember) {
            taker.onFrame(node, toMember);
        } else if (giver != null && frame instanceof TransferFrame.ToMaster toMaster) {
            giver.onFrame(node, toMaster);
        }
    }

    void onLink(String node, boolean up) {
        if (up) {
            taker.onLinkUp(node);
            return;
        }
        taker.onLinkDown(node);
        if (giver != null) {
            giver.onLinkDown(node);
        }
    }

    void onBatchEnd(AppliedState queue) {
        taker.onBatchEnd();
        if (giver != null) {
            giver.onBatchEnd(queue);
        }
    }

    void onTick(long nowNs) {
        taker.onTick(nowNs);
        if (giver != null) {
            giver.onTick(nowNs);
        }
    }

    /** Whether something may wait for time to pass. */
    boolean wantsTick() {
        View present = view;
        boolean gives = giver != null && present != null && !present.others().isEmpty();
        return gives || !taker.isComplete();
    }

    /** How far members have been given what they lack; empty where this member does not give. */
    List<Giver.Progress> progress() {
        return giver == null ? List.of() : giver.progress();
    }

    void onMode(boolean isAutomatic) {
        if (giver != null) {
            giver.onMode(isAutomatic);
        }
    }

    /** Somebody wants all members synchronised now. */
    void synchronise() {
        if (giver != null) {
            giver.onSync();
        }
    }

    /** Somebody wants that broken off. */
    void cancel() {
        if (giver != null) {
            giver.onCancel();
        }
    }

    // ---- what follows

    @Override
    public void send(String node, TransferFrame.ToMaster frame) {
        port.send(node, frame);
    }

    @Override
    public void send(String node, TransferFrame.ToMember frame) {
        port.send(node, frame);
    }

    @Override
    public void readState(String node, int attempt) {
        port.readState(node, attempt);
    }

    @Override
    public void read(String node, int attempt, List<Long> offsets) {
        port.read(node, attempt, offsets);
    }

    @Override
    public void takeTables(Position upTo, Map<Member, Long> senders, ReplicaSnapshot tables) {
        port.takeTables(upTo, senders, tables);
    }

    @Override
    public void proposeInSync(long epoch, Member member) {
        port.proposeInSync(epoch, member);
    }

    @Override
    public void keep() {
        port.keep();
    }

    @Override
    public void progress(int taken, int all) {
        // The master's side is what is asked for progress.
    }

    @Override
    public void complete() {
        port.onComplete();
    }

    @Override
    public void spoiled(String why) {
        port.onSpoiled(why);
    }
}
