package io.warren.mirroring.simulation;

import io.warren.core.message.Message;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.SettleVerb;
import io.warren.mirroring.queue.ChannelId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A client's channel at one node, for as long as that process runs or until the client closes it. */
final class ClientChannel extends SimulatedChannel {
    private static final int OPEN_MAX = 30;
    private static final int PREFETCH = 5;
    private static final int CREDIT = 8;
    private static final String TAG = "c";

    private final QueueWorld queues;
    private final boolean consumes;
    private final long boot;
    private long lastSequence;
    private boolean isSubscribed;
    private boolean isClosed;
    private boolean isOver;
    /** Whether its consumer ends when the queue moves, and has to be there again. */
    private final boolean cancelledByFailover;

    /** What was settled before a barrier, by the number of that. */
    private final Map<Long, List<Integer>> barriers = new HashMap<>();

    private final List<Integer> settled = new ArrayList<>();
    private int settledIn;

    ClientChannel(
            Simulation world, QueueWorld queues, String group, SimulatedNode node, long number, boolean consumes) {
        super(world, group, node, new ChannelId(node.name(), node.member().incarnation(), number), 0);
        this.queues = queues;
        this.consumes = consumes;
        boot = node.boot();
        cancelledByFailover = world.chance(3);
    }

    @Override
    boolean isAlive() {
        return node.runs(boot) && node.member().incarnation() == id().incarnation();
    }

    boolean isServed() {
        return isAttached() && (isSubscribed || !consumes);
    }

    boolean isOver() {
        return isOver;
    }

    @Override
    public void ended() {
        isOver = true;
    }

    void closeByClient() {
        isClosed = true;
        world.trace(() -> id() + " is closed");
        end.close(() -> {});
    }

    @Override
    void onTick() {
        super.onTick();
        if (!consumes || isClosed || !isAlive() || !node.isResponding()) {
            return;
        }
        if (!isSubscribed && isAttached()) {
            isSubscribed = true;
            end.consume(new AttachedQueue.Consumer(TAG, true, false, 0, PREFETCH, CREDIT, cancelledByFailover), 0);
        }
        if (world.nowNs() < Simulation.FAULTS_END_NS && world.chance(40) && asks()) {
            if (world.chance(40)) {
                end.purge();
            } else {
                end.get(true);
            }
        }
    }

    @Override
    void consumerCancelled() {
        isSubscribed = false;
        queues.happened(Happening.CONSUMER_CANCELLED);
    }

    // -------------------------------------------------------------------------------------------------- publishing

    void publish(int number, Message message, boolean persistent) {
        if (!node.isResponding() || open.size() >= OPEN_MAX) {
            return;
        }
        long sequence = ++lastSequence;
        queues.history(group).onPublished(number, persistent);
        world.trace(() -> id() + " publishes " + number + " as #" + sequence + " to " + group);
        publish(sequence, message);
    }

    @Override
    void answered(long sequence, Message message, boolean confirmed, boolean byQueue) {
        if (isClosed) {
            return;
        }
        List<Integer> safe = barriers.remove(sequence);
        if (safe != null) {
            if (confirmed) {
                queues.history(group).onSafelySettled(safe);
            }
            return;
        }
        int number = QueueClients.id(message);
        world.trace(() -> id() + " hears " + (confirmed ? "ack" : byQueue ? "nack" : "nothing") + " of " + number);
        if (confirmed || byQueue) {
            queues.history(group).onAnswered(number, confirmed);
        }
    }

    // --------------------------------------------------------------------------------------------------- consuming

    @Override
    void delivered(int attachment, long offset, int number) {
        boolean faultsAreOver = world.nowNs() > Simulation.FAULTS_END_NS;
        long chance = faultsAreOver ? 0 : world.between(0, 100);
        SettleVerb verb = chance < 75 ? SettleVerb.ACK : chance < 90 ? SettleVerb.REQUEUE : SettleVerb.REJECT;
        long delayNs = world.between(0, world.chance(10) && !faultsAreOver ? 900_000_000L : 30_000_000L);
        if (!isClosed) {
            end.credit(TAG, 1);
        }
        // Sometimes it settles by then what it had in an attachment that is over: that must settle nothing.
        world.in(delayNs, () -> {
            if (isAlive() && !isClosed) {
                settle(verb, attachment, offset);
                if (verb != SettleVerb.REQUEUE && isAttachedIn(attachment)) {
                    settled(attachment, number);
                }
            }
        });
    }

    /** Now and then it wants to know that what it has settled is safe, as a transaction does. */
    private void settled(int attachment, int number) {
        if (attachment != settledIn) {
            settled.clear();
            settledIn = attachment;
        }
        settled.add(number);
        if (world.chance(6)) {
            long sequence = ++lastSequence;
            barriers.put(sequence, List.copyOf(settled));
            settled.clear();
            end.barrier(sequence);
        }
    }

    @Override
    public void mirrored() {
        throw new AssertionError("these queues are mirrored from the beginning");
    }
}
