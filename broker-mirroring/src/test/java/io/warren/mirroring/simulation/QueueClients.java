package io.warren.mirroring.simulation;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.spi.SettleVerb;
import io.warren.mirroring.queue.ChannelId;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients that publish with confirms and consume. A channel ends with its node's process, and another one begins elsewhere.
 */
final class QueueClients {
    private static final int OPEN_MAX = 30;
    private static final int PUBLISHERS = 2;
    private static final int CONSUMERS = 2;

    private final Simulation world;
    private final QueueWorld queues;
    private final List<ClientChannel> channels = new ArrayList<>();
    private long lastNumber;

    QueueClients(Simulation world, QueueWorld queues) {
        this.world = world;
        this.queues = queues;
    }

    /** The number a message carries as its routing key. */
    static int id(Message message) {
        return Integer.parseInt(message.routingKey());
    }

    private final class ClientChannel extends SimulatedChannel {
        private final boolean consumes;
        private long boot;
        private long lastSequence;

        ClientChannel(String group, boolean consumes) {
            super(QueueClients.this.world, group);
            this.consumes = consumes;
        }

        @Override
        boolean isAlive() {
            return node() != null && node().runs(boot) && node().member().incarnation() == id().incarnation();
        }

        @Override
        boolean consumes() {
            return consumes;
        }

        void beginAgain() {
            SimulatedNode at = world.node((int) world.between(0, world.nodes().size()));
            if (at.isRegistered() && at.isResponding()) {
                boot = at.boot();
                lastSequence = 0;
                begin(at, new ChannelId(at.name(), at.member().incarnation(), ++lastNumber));
            }
        }

        void publish(int number, boolean persistent) {
            if (!isAlive() || !node().isResponding() || open.size() >= OPEN_MAX) {
                return;
            }
            long sequence = ++lastSequence;
            queues.history(group).onPublished(number, id(), sequence, persistent);
            world.trace(() -> id() + " publishes " + number + " as #" + sequence + " to " + group);
            publish(sequence, message(number, persistent));
        }

        private Message message(int number, boolean persistent) {
            Properties.Builder properties = Properties.builder().priority((int) world.between(0, 3));
            if (persistent) {
                properties.persistent();
            }
            return Message.owning("", String.valueOf(number), properties.build(), new byte[(int) world.between(0, 60)]);
        }

        @Override
        void answered(long sequence, Message message, boolean confirmed) {
            int number = QueueClients.id(message);
            world.trace(() -> id() + " hears " + (confirmed ? "ack" : "nack") + " of " + number);
            queues.history(group).onAnswered(number, confirmed);
        }

        @Override
        void delivered(int attempt, long offset, int number) {
            boolean faultsAreOver = world.nowNs() > Simulation.FAULTS_END_NS;
            long chance = faultsAreOver ? 0 : world.between(0, 100);
            SettleVerb verb = chance < 75 ? SettleVerb.ACK : chance < 90 ? SettleVerb.REQUEUE : SettleVerb.REJECT;
            long delayNs = world.between(0, world.chance(10) && !faultsAreOver ? 900_000_000L : 30_000_000L);
            ChannelId as = id();
            // Sometimes it settles by then what it had in an attachment that is over: that must settle nothing.
            world.in(delayNs, () -> {
                if (isAlive() && as.equals(id())) {
                    toMaster(queue -> queue.onSettle(as, attempt, offset, number, verb));
                }
            });
        }
    }

    void begin() {
        for (String group : world.groups()) {
            for (int i = 0; i < PUBLISHERS + CONSUMERS; i++) {
                channels.add(new ClientChannel(group, i >= PUBLISHERS));
            }
        }
    }

    void onTick() {
        for (ClientChannel channel : channels) {
            if (!channel.isAlive()) {
                channel.beginAgain();
            }
            channel.onTick();
        }
    }

    void onLinkDown(SimulatedNode node, String other) {
        channels.stream().filter(channel -> channel.node() == node).forEach(channel -> channel.onLinkDown(other));
    }

    void publish(int id, boolean persistent) {
        List<ClientChannel> publishers =
                channels.stream().filter(channel -> !channel.consumes()).toList();
        publishers.get((int) world.between(0, publishers.size())).publish(id, persistent);
    }

    /** Publishes that nobody has answered, or null. */
    String missing(String group) {
        for (ClientChannel channel : channels) {
            if (channel.group.equals(group)) {
                if (!channel.isAlive() || !channel.isAttached()) {
                    return "a channel of " + group + " is not attached";
                }
                if (!channel.open.isEmpty()) {
                    return channel.id() + " has " + channel.open.size() + " publishes without an answer, the first #"
                            + channel.open.firstKey();
                }
            }
        }
        return null;
    }
}
