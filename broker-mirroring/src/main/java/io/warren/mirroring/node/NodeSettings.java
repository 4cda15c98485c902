package io.warren.mirroring.node;

import io.warren.core.BrokerBuilder;
import io.warren.core.metadata.QueueDefinition;
import io.warren.mirroring.metadata.PartitionHandling;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How a node is set up.
 *
 * @param name stable name of the node
 * @param address where it can be reached, registered at each start
 * @param heartbeat time between two heartbeats; a node is down after four missed ones
 * @param startTry how long a start waits for a majority before it says so and tries again
 * @param startTries after so many tries the start fails
 * @param home the node where a queue lives that is declared here and says nothing of it; null leaves it to the node of the
 *     client. Not asked for exclusive queues, which end with a connection of this node
 * @param incarnations the numbers that this node's processes have had
 * @param partitionHandling what the node does that hears no majority of the voters
 * @param broker further settings of the node's broker
 */
public record NodeSettings(
        String name,
        String address,
        Duration heartbeat,
        Duration startTry,
        int startTries,
        Function<QueueDefinition, @Nullable String> home,
        Incarnations incarnations,
        PartitionHandling partitionHandling,
        UnaryOperator<BrokerBuilder> broker) {

    /** The numbers of a node's processes, which it must not use twice. */
    public interface Incarnations {
        /** The highest that was ever begun, 0 if none is known. */
        long last();

        /** A process begins; when this returns, no crash makes the number forgotten. */
        void begin(long incarnation);

        /** For a node whose metadata cannot have missed any of its processes. */
        Incarnations OF_THE_METADATA = new Incarnations() {
            @Override
            public long last() {
                return 0;
            }

            @Override
            public void begin(long incarnation) {}
        };
    }

    /** As RabbitMQ is by default: queues live where they are declared, a start waits for ten times 30 s. */
    public static NodeSettings named(String name, String address) {
        return new NodeSettings(
                name,
                address,
                Duration.ofMillis(500),
                Duration.ofSeconds(30),
                10,
                definition -> null,
                Incarnations.OF_THE_METADATA,
                PartitionHandling.QUORUM,
                builder -> builder);
    }

    public NodeSettings {
        if (name.isEmpty() || heartbeat.toNanos() < 1 || startTry.toNanos() < 1 || startTries < 1) {
            throw new IllegalArgumentException("name='" + name + "' heartbeat=" + heartbeat + " startTry=" + startTry
                    + " startTries=" + startTries + ": a node has a name, and the others are more than nothing");
        }
    }

    public NodeSettings heartbeat(Duration period) {
        return new NodeSettings(
                name, address, period, startTry, startTries, home, incarnations, partitionHandling, broker);
    }

    /** Sets how long a start waits for a majority. */
    public NodeSettings startWindow(Duration aTry, int tries) {
        return new NodeSettings(name, address, heartbeat, aTry, tries, home, incarnations, partitionHandling, broker);
    }

    public NodeSettings home(Function<QueueDefinition, @Nullable String> choice) {
        return new NodeSettings(
                name, address, heartbeat, startTry, startTries, choice, incarnations, partitionHandling, broker);
    }

    /** Adds settings of the broker to those there are. */
    public NodeSettings broker(UnaryOperator<BrokerBuilder> settings) {
        return new NodeSettings(
                name,
                address,
                heartbeat,
                startTry,
                startTries,
                home,
                incarnations,
                partitionHandling,
                builder -> settings.apply(broker.apply(builder)));
    }

    /** Sets where the numbers of this node's processes are kept. */
    public NodeSettings incarnations(Incarnations kept) {
        return new NodeSettings(name, address, heartbeat, startTry, startTries, home, kept, partitionHandling, broker);
    }

    /** Sets what the node does that hears no majority; {@link PartitionHandling#IGNORE} is for clusters of two nodes only. */
    public NodeSettings partitionHandling(PartitionHandling handling) {
        return new NodeSettings(name, address, heartbeat, startTry, startTries, home, incarnations, handling, broker);
    }
}
