package io.warren.mirroring.simulation;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
import io.warren.core.spi.AttachedChannel;
import io.warren.core.spi.SettleVerb;
import io.warren.mirroring.attachment.AttachmentFrame;
import io.warren.mirroring.attachment.ChannelEnd;
import io.warren.mirroring.queue.ChannelId;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Whoever uses a mirrored queue from some node, with the {@link ChannelEnd} it has there: what the real shell of that has to do and nothing
 * clever.
 */
abstract class SimulatedChannel implements ChannelEnd.Output {
    /** After so long without a link the master is as good as down, for whoever publishes from here. */
    private static final long INACCESSIBLE_NS = 2_000_000_000L;

    final Simulation world;
    final String group;
    final SimulatedNode node;
    final ChannelEnd end;
    private final long endId;
    private final ChannelId id;
    /** What was published and not answered, by sequence. */
    final TreeMap<Long, Message> open = new TreeMap<>();
    /** What it was handed in which attachment, by offset: what the master is told of has to be the same. */
    private final Map<Held, Integer> held = new HashMap<>();

    private final Set<Held> settled = new HashSet<>();

    /** The process the present attachment is to, or null. */
    private Member peer;

    private int attempt;
    private long reign;
    private boolean isFromQueue;
    /** A channel asks one question at a time. */
    private boolean isAsking;

    private record Held(int attachment, long offset) {}

    /** @param source number of the queue whose dead letters it publishes; 0 for a client */
    SimulatedChannel(Simulation world, String group, SimulatedNode node, ChannelId id, long source) {
        this.world = world;
        this.group = group;
        this.node = node;
        this.id = id;
        endId = world.nextEndId();
        long queueId = world.groups().indexOf(group) + 1L;
        end = new ChannelEnd(
                endId, new ChannelEnd.Target("/", group, queueId, node.name(), true, source), new Heard(), this);
    }

    /** Whether its process still runs, under the name it had. */
    abstract boolean isAlive();

    /**
     * A publish or a barrier is answered, for the first time.
     *
     * @param byQueue false if nobody knows what became of it
     */
    abstract void answered(long sequence, Message message, boolean confirmed, boolean byQueue);

    abstract void delivered(int attachment, long offset, int number);

    abstract void consumerCancelled();

    final ChannelId id() {
        return id;
    }

    /** Whether it may ask something; it does then. */
    final boolean asks() {
        boolean may = !isAsking && isAttached();
        isAsking |= may;
        return may;
    }

    final boolean isAttached() {
        return peer != null && !end.isApart();
    }

    /** Whether this attachment is the present one. */
    final boolean isAttachedIn(int attachment) {
        return isAttached() && attempt == attachment;
    }

    /** The message of a delivery that it has settled in this attachment, or null. */
    final Integer settled(int attachment, long offset) {
        Held delivery = new Held(attachment, offset);
        return settled.contains(delivery) ? held.get(delivery) : null;
    }

    final void settle(SettleVerb verb, int attachment, long offset) {
        settled.add(new Held(attachment, offset));
        end.settle(verb, attachment, List.of(offset));
    }

    /** Whether it waits for the answer to a question. */
    final boolean isAsking() {
        return isAsking;
    }

    final void publish(long sequence, Message message) {
        open.put(sequence, message);
        end.publish(sequence, message);
    }

    // ------------------------------------------------------------------------------------- where the queue is led

    /** Looks where the master is, as its node has it. */
    void onTick() {
        if (!isAlive() || !node.isResponding()) {
            return;
        }
        View view = node.isRegistered() ? node.replica().view(group) : null;
        Member master = view == null ? null : view.master();
        if (master == null || isInaccessible(master)) {
            peer = null;
            end.onHomeDown();
            return;
        }
        if (reign != view.reign()) {
            reign = view.reign();
            peer = null;
            end.onMoved(master.node());
        }
        if (isHere(master) || node.isLinked(Simulation.number(master.node()))) {
            peer = master;
            end.onLink(master.node(), reign);
        } else {
            peer = null;
            end.onApart();
        }
    }

    private boolean isHere(Member master) {
        return master.node().equals(node.name());
    }

    private boolean isInaccessible(Member master) {
        return !isHere(master) && node.isDownFor(Simulation.number(master.node()), INACCESSIBLE_NS);
    }

    final void onLinkDown(String other) {
        if (peer != null && peer.node().equals(other)) {
            peer = null;
            end.onApart();
        }
    }

    /** The queue's end says something. */
    final void onFrame(Member from, AttachmentFrame.ToChannel frame) {
        if (isAlive() && from.equals(peer)) {
            isFromQueue = true;
            end.onFrame(frame);
            isFromQueue = false;
        }
    }

    // --------------------------------------------------------------------------------------------- what follows

    @Override
    public void send(AttachmentFrame.ToQueue frame) {
        attempt = frame.attempt();
        if (peer != null) {
            SimulatedNode master = world.node(Simulation.number(peer.node()));
            Member self = node.member();
            node.send(
                    peer.node(),
                    () -> master.happen(() -> {
                        SimulatedQueue queue = master.copy(group).queue();
                        queue.post(() -> queue.ends().onFrame(this, self, frame));
                    }));
        }
    }

    /** Whatever the home holds for it goes with the link that is lost, or with the reign. */
    @Override
    public void endedApart(int lastAttempt) {}

    @Override
    public void ended() {}

    /** What the channel hears. */
    private final class Heard implements AttachedChannel {
        private void answer(long sequence, boolean confirmed) {
            answered(sequence, open.remove(sequence), confirmed, isFromQueue);
        }

        @Override
        public void onTaken(int publishes) {}

        @Override
        public void onConfirmed(long sequence) {
            answer(sequence, true);
        }

        @Override
        public void onRejected(long sequence) {
            answer(sequence, false);
        }

        @Override
        public void onDelivery(
                String tag, int attachment, long offset, boolean redelivered, boolean permitted, Message message) {
            handed(attachment, offset, message);
        }

        private void handed(int attachment, long offset, Message message) {
            int number = QueueClients.id(message);
            held.put(new Held(attachment, offset), number);
            delivered(attachment, offset, number);
        }

        @Override
        public void onGetOk(int attachment, long offset, boolean redelivered, Message message, long readyCount) {
            isAsking = false;
            handed(attachment, offset, message);
        }

        @Override
        public void onGetEmpty() {
            isAsking = false;
        }

        @Override
        public void onConsumeOk(String consumerTag) {}

        @Override
        public void onConsumeRefused(String consumerTag, AmqpError error) {
            consumerCancelled();
        }

        @Override
        public void onCancelOk(String consumerTag) {}

        @Override
        public void onCancelled(String consumerTag) {
            consumerCancelled();
        }

        @Override
        public void onDeclareOk(long readyCount, int consumerCount) {}

        @Override
        public void onPurged(long messageCount) {
            isAsking = false;
        }

        @Override
        public void onDeleteGranted(long messageCount) {}

        /** A question that was asked while nobody leads. */
        @Override
        public void onRefused(AmqpError error) {
            isAsking = false;
        }

        @Override
        public void onQueueGone() {
            throw new IllegalStateException("nobody deletes queues here");
        }

        @Override
        public void onPermitWanted() {}

        @Override
        public void onPermitsReturned(int permits) {}
    }
}
