package io.warren.core.metadata;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a restart does to the topology: what is not durable is gone, and so are exclusive queues, whose connections are.
 * Auto-delete exchanges stay, for nothing was unbound: they wait for their bindings, as in RabbitMQ.
 */
public final class Restart {

    private Restart() {}

    /** The topology as it is found after a restart. */
    public static Definitions of(Definitions definitions) {
        Definitions restarted = definitions;
        for (VirtualHost vhost : definitions.vhosts().values()) {
            restarted = restarted.withVhost(durable(vhost));
        }
        return restarted;
    }

    /** What it does to a cluster's topology when a node leaves for good: all queues that live there are gone. */
    public static Outcome ofForgotten(Definitions definitions, String home) {
        return without(definitions, queue -> home.equals(queue.definition().home()));
    }

    /** The topology without some queues, whose messages are lost, and their bindings. */
    public static Outcome without(Definitions definitions, Predicate<Queue> lost) {
        Definitions left = definitions;
        List<Change> changes = new ArrayList<>();
        for (VirtualHost vhost : definitions.vhosts().values()) {
            VirtualHost kept = vhost;
            int before = changes.size();
            for (Queue queue : vhost.queues().values()) {
                if (lost.test(queue)) {
                    kept = QueueCommands.remove(kept, queue, changes);
                }
            }
            left = changes.size() == before ? left : left.withVhost(kept);
        }
        return Outcome.applied(left, changes);
    }

    private static VirtualHost durable(VirtualHost vhost) {
        VirtualHost kept = vhost;
        for (Queue queue : vhost.queues().values()) {
            if (!isKept(queue)) {
                kept = withoutBindingsTo(kept.withoutQueue(queue.name()), Destination.queue(queue.name()));
            }
        }
        for (Exchange exchange : vhost.exchanges().values()) {
            if (!exchange.definition().durable()) {
                kept = withoutBindingsTo(withoutBindingsFrom(kept, exchange), Destination.exchange(exchange.name()));
            }
        }
        return kept;
    }

    /** Whether a queue outlives a restart. */
    public static boolean isKept(Queue queue) {
        return queue.definition().durable() && !queue.definition().isExclusive();
    }

    private static VirtualHost withoutBindingsTo(VirtualHost vhost, Destination destination) {
        VirtualHost kept = vhost;
        for (Binding binding : vhost.bindingsOf(destination).keys()) {
            Exchange source = kept.exchange(binding.source());
            if (source != null) {
                kept = kept.withExchange(source.unbind(binding));
            }
            kept = kept.withBindingsTo(destination, kept.bindingsOf(destination).remove(binding));
        }
        return kept;
    }

    private static VirtualHost withoutBindingsFrom(VirtualHost vhost, Exchange exchange) {
        VirtualHost kept = vhost.withoutExchange(exchange.name());
        for (Binding binding : exchange.bindings().keys()) {
            kept = kept.withBindingsTo(
                    binding.destination(),
                    kept.bindingsOf(binding.destination()).remove(binding));
        }
        return kept;
    }
}
