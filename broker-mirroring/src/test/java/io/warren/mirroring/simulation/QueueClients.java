package io.warren.mirroring.simulation;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients that publish with confirms and consume. A channel ends with its node's process, or is closed, and another one begins elsewhere.
 */
final class QueueClients {
    private static final int PUBLISHERS = 2;
    private static final int CONSUMERS = 2;
    /** Publishes in a row. */
    static final int BURST = 4;

    private final Simulation world;
    private final QueueWorld queues;
    private final List<Slot> slots = new ArrayList<>();
    /** Closed by their clients; they live until the queue has back what they held. */
    private final List<ClientChannel> closing = new ArrayList<>();

    private Slot publishing;
    private long lastNumber;

    /** A client: it has one channel after the other. */
    private final class Slot {
        private final String group;
        private final boolean consumes;
        private ClientChannel channel;

        Slot(String group, boolean consumes) {
            this.group = group;
            this.consumes = consumes;
        }

        boolean isServed() {
            return channel != null && channel.isAlive();
        }

        void onTick() {
            boolean faultsGoOn = world.nowNs() < Simulation.FAULTS_END_NS;
            if (isServed() && faultsGoOn && world.chance(400) && channel.node.isResponding()) {
                queues.happened(Happening.CHANNEL_CLOSED);
                channel.closeByClient();
                closing.add(channel);
                channel = null;
            }
            if (!isServed()) {
                beginAgain();
            }
            if (channel != null) {
                channel.onTick();
            }
        }

        private void beginAgain() {
            channel = null;
            SimulatedNode at = world.node((int) world.between(0, world.nodes().size()));
            if (at.isRegistered() && at.isResponding()) {
                channel = new ClientChannel(world, queues, group, at, ++lastNumber, consumes);
            }
        }
    }

    QueueClients(Simulation world, QueueWorld queues) {
        this.world = world;
        this.queues = queues;
    }

    /** The number a message carries as its routing key. */
    static int id(Message message) {
        return Integer.parseInt(message.routingKey());
    }

    void begin() {
        for (String group : world.groups()) {
            for (int i = 0; i < PUBLISHERS + CONSUMERS; i++) {
                slots.add(new Slot(group, i >= PUBLISHERS));
            }
        }
    }

    void onTick() {
        slots.forEach(Slot::onTick);
        closing.removeIf(channel -> channel.isOver() || !channel.isAlive());
        closing.forEach(SimulatedChannel::onTick);
    }

    void onLinkDown(SimulatedNode node, String other) {
        for (Slot slot : slots) {
            if (slot.channel != null && slot.channel.node == node) {
                slot.channel.onLinkDown(other);
            }
        }
        closing.stream().filter(channel -> channel.node == node).forEach(channel -> channel.onLinkDown(other));
    }

    /** Some in a row go to one channel, as fast as it takes them. */
    void publish(int id, boolean persistent) {
        if (id % BURST == 1 || publishing == null) {
            List<Slot> publishers =
                    slots.stream().filter(slot -> !slot.consumes).toList();
            publishing = publishers.get((int) world.between(0, publishers.size()));
        }
        Slot slot = publishing;
        if (slot.isServed()) {
            slot.channel.publish(id, message(id, persistent), persistent);
        }
    }

    private Message message(int number, boolean persistent) {
        Properties.Builder properties = Properties.builder().priority((int) world.between(0, 3));
        if (persistent) {
            properties.persistent();
        }
        return Message.owning("", String.valueOf(number), properties.build(), new byte[(int) world.between(0, 60)]);
    }

    /** Publishes that nobody has answered, or null. */
    String missing(String group) {
        for (Slot slot : slots) {
            if (slot.group.equals(group)) {
                if (!slot.isServed() || !slot.channel.isServed()) {
                    return "a channel of " + group + " is not attached";
                }
                if (slot.channel.isAsking()) {
                    return slot.channel.id() + " has no answer to a question";
                }
                if (!slot.channel.open.isEmpty()) {
                    return slot.channel.id() + " has " + slot.channel.open.size()
                            + " publishes without an answer, the first #" + slot.channel.open.firstKey();
                }
            }
        }
        for (ClientChannel channel : closing) {
            if (channel.group.equals(group) && channel.isAlive() && !channel.isOver()) {
                return channel.id() + " was closed and did not end";
            }
        }
        return null;
    }
}
