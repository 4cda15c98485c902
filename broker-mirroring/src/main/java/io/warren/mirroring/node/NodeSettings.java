package io.warren.mirroring.node;

import io.warren.core.BrokerBuilder;
import io.warren.core.metadata.QueueDefinition;
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
 * @param broker further settings of the node's broker
 */
public record NodeSettings(
        String name,
        String address,
        Duration heartbeat,
        Duration startTry,
        int startTries,
        Function<QueueDefinition, @Nullable String> home,
        UnaryOperator<BrokerBuilder> broker) {

    /** As RabbitMQ is by default: queues live where they are declared, a start waits for ten times 30 s. */
    public static NodeSettings named(String name, String address) {
        return new NodeSettings(
                name,
                address,
                Duration.ofMillis(500),
                Duration.ofSeconds(30),
                10,
                definition -> null,
                builder -> builder);
    }

    public NodeSettings {
        if (name.isEmpty() || heartbeat.toNanos() < 1 || startTry.toNanos() < 1 || startTries < 1) {
            throw new IllegalArgumentException("name='" + name + "' heartbeat=" + heartbeat + " startTry=" + startTry
                    + " startTries=" + startTries + ": a node has a name, and the others are more than nothing");
        }
    }

    public NodeSettings heartbeat(Duration period) {
        return new NodeSettings(name, address, period, startTry, startTries, home, broker);
    }

    /** Sets how long a start waits for a majority. */
    public NodeSettings startWindow(Duration aTry, int tries) {
        return new NodeSettings(name, address, heartbeat, aTry, tries, home, broker);
    }

    public NodeSettings home(Function<QueueDefinition, @Nullable String> choice) {
        return new NodeSettings(name, address, heartbeat, startTry, startTries, choice, broker);
    }

    /** Adds settings of the broker to those there are. */
    public NodeSettings broker(UnaryOperator<BrokerBuilder> settings) {
        return new NodeSettings(
                name, address, heartbeat, startTry, startTries, home, builder -> settings.apply(broker.apply(builder)));
    }
}
