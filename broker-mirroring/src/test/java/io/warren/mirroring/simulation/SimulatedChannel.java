package io.warren.mirroring.simulation;

import io.warren.core.message.Message;
import io.warren.mirroring.queue.ChannelId;
import io.warren.mirroring.ring.View;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The publishing side of whoever uses a mirrored queue from some node: it keeps what is not answered.
 *
 * <p>A lost link and a new reign are the same to it: the attachment is over, and the next one, under the next number, begins with everything
 * that is not answered, in order.
 */
abstract class SimulatedChannel {
    final Simulation world;
    final String group;
    /** What was published and not answered, by sequence. */
    final TreeMap<Long, Message> open = new TreeMap<>();

    private SimulatedNode node;
    private ChannelId id;
    private int attachment;
    /** Name of the node it is attached at, or null. */
    private String attachedTo;

    private long reign;

    SimulatedChannel(Simulation world, String group) {
        this.world = world;
        this.group = group;
    }

    /** Whether there is still somebody who speaks. */
    abstract boolean isAlive();

    abstract boolean consumes();

    /** A publish is answered, for the first time. */
    abstract void answered(long sequence, Message message, boolean confirmed);

    abstract void delivered(int attempt, long offset, int number);

    final void begin(SimulatedNode at, ChannelId as) {
        node = at;
        id = as;
        open.clear();
        attachedTo = null;
    }

    final ChannelId id() {
        return id;
    }

    final SimulatedNode node() {
        return node;
    }

    final boolean isAttached() {
        return attachedTo != null;
    }

    /** Looks where the master is: attaches there, or anew. */
    final void onTick() {
        if (!isAlive() || !node.isResponding()) {
            return;
        }
        View view = node.replica().view(group);
        if (view == null || view.master() == null || !node.isRegistered()) {
            attachedTo = null;
            return;
        }
        String master = view.master().node();
        if (attachedTo != null && !(attachedTo.equals(master) && reign == view.reign())) {
            attachedTo = null;
        }
        if (attachedTo == null && (master.equals(node.name()) || node.isLinked(Simulation.number(master)))) {
            attachment++;
            attachedTo = master;
            reign = view.reign();
            int attempt = attachment;
            ChannelId as = id;
            toMaster(queue -> queue.onAttach(this, as, attempt, view.reign()));
            open.forEach(this::send);
        }
    }

    final void publish(long sequence, Message message) {
        open.put(sequence, message);
        if (attachedTo != null) {
            send(sequence, message);
        }
    }

    private void send(long sequence, Message message) {
        int attempt = attachment;
        long firstOpen = open.firstKey();
        ChannelId as = id;
        toMaster(queue -> queue.onPublish(this, as, attempt, sequence, firstOpen, message));
    }

    /** Says something to the queue it is attached to, if it is to any. */
    final void toMaster(Consumer<SimulatedQueue> what) {
        if (attachedTo == null) {
            return;
        }
        SimulatedNode master = world.node(Simulation.number(attachedTo));
        node.send(
                attachedTo,
                () -> master.happen(() -> {
                    SimulatedQueue queue = master.copy(group).queue();
                    queue.post(() -> what.accept(queue));
                }));
    }

    final void onLinkDown(String other) {
        if (other.equals(attachedTo)) {
            attachedTo = null;
        }
    }

    // ---- what the master says

    private boolean isOf(ChannelId to, int attempt) {
        return isAlive() && id.equals(to) && attempt == attachment && attachedTo != null;
    }

    final void onRefused(ChannelId to, int attempt) {
        if (isOf(to, attempt)) {
            attachedTo = null;
        }
    }

    final void onAnswered(ChannelId to, int attempt, long sequence, boolean confirmed) {
        if (isOf(to, attempt)) {
            Message message = open.remove(sequence);
            if (message != null) {
                answered(sequence, message, confirmed);
            }
        }
    }

    final void onDelivery(ChannelId to, int attempt, long offset, int number) {
        if (isOf(to, attempt)) {
            delivered(attempt, offset, number);
        }
    }
}
