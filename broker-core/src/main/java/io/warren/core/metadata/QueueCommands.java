package io.warren.core.metadata;

import io.warren.core.error.AmqpError;
import io.warren.core.error.Refusals;
import io.warren.core.metadata.Definitions.Refused;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Commands about queues. */
final class QueueCommands {

    private QueueCommands() {}

    static Outcome declare(Definitions definitions, String vhostName, QueueDefinition definition) {
        long id = definitions.nextQueueId();
        Outcome outcome = definitions.inVhost(vhostName, (vhost, changes) -> {
            Queue existing = vhost.queue(definition.name());
            AmqpError refusal = existing == null
                    ? QueueArguments.invalid(vhostName, definition)
                    : difference(vhostName, existing.definition(), definition);
            if (refusal != null) {
                throw new Refused(refusal);
            }
            if (existing != null) {
                return vhost;
            }
            Queue queue = PolicyCommands.applied(vhost, id, definition);
            changes.add(new Change.QueueDeclared(vhostName, queue));
            return vhost.withQueue(queue);
        });
        return outcome.changes().isEmpty()
                ? outcome
                : Outcome.applied(outcome.definitions().withNextQueueId(id + 1), outcome.changes());
    }

    private static @Nullable AmqpError difference(String vhost, QueueDefinition current, QueueDefinition received) {
        if (!Objects.equals(current.owner(), received.owner())) {
            return Refusals.queueLocked(vhost, current.name());
        }
        Equivalence equivalence = new Equivalence("queue '" + current.name() + "' in vhost '" + vhost + "'");
        equivalence.check("durable", received.durable(), current.durable());
        equivalence.check("auto_delete", received.autoDelete(), current.autoDelete());
        equivalence.checkArguments(received.arguments(), current.arguments(), QueueArguments.compared());
        return equivalence.difference();
    }

    static Outcome delete(Definitions definitions, String vhostName, String name, long id) {
        return definitions.inVhost(vhostName, (vhost, changes) -> {
            Queue queue = vhost.queue(name);
            return queue == null || queue.id() != id ? vhost : remove(vhost, queue, changes);
        });
    }

    static Outcome deleteOf(Definitions definitions, String vhostName, String connection) {
        return definitions.inVhost(vhostName, (vhost, changes) -> {
            VirtualHost changed = vhost;
            for (Queue queue : vhost.queues().values()) {
                if (connection.equals(queue.definition().owner())) {
                    changed = remove(changed, queue, changes);
                }
            }
            return changed;
        });
    }

    static VirtualHost remove(VirtualHost vhost, Queue queue, List<Change> changes) {
        changes.add(new Change.QueueDeleted(vhost.name(), queue));
        return BindingCommands.removeAllTo(vhost.withoutQueue(queue.name()), Destination.queue(queue.name()), changes);
    }
}
