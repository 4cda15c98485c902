package io.warren.core.store;

import io.warren.core.metadata.Binding;
import io.warren.core.metadata.Command;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Destination;
import io.warren.core.metadata.Exchange;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.Restart;
import io.warren.core.metadata.VirtualHost;
import org.jspecify.annotations.Nullable;

/** Which commands need the disk, and which change nothing. */
final class Durability {

    private Durability() {}

    /** Whether a command left everything as it was: values that did not change are the same objects. */
    @SuppressWarnings("ReferenceEquality") // comparing the values would walk the whole topology for each command
    static boolean isUnchanged(Definitions before, Definitions after) {
        if (before.users() != after.users() || before.nextQueueId() != after.nextQueueId()) {
            return false;
        }
        if (before.vhosts().size() != after.vhosts().size()) {
            return false;
        }
        for (VirtualHost vhost : before.vhosts().values()) {
            if (after.vhost(vhost.name()) != vhost) {
                return false;
            }
        }
        return true;
    }

    /** Whether what a command changes is still there after a restart, so that its answer has to wait for the disk. */
    static boolean outlivesRestart(Definitions before, Command command) {
        if (command instanceof Command.DeclareQueue declare) {
            return declare.definition().durable() && !declare.definition().isExclusive();
        }
        if (command instanceof Command.DeclareExchange declare) {
            return declare.definition().durable();
        }
        if (command instanceof Command.DeleteQueue delete) {
            return isKept(before, delete.vhost(), Destination.queue(delete.name()));
        }
        if (command instanceof Command.DeleteExchange delete) {
            return isKept(before, delete.vhost(), Destination.exchange(delete.name()));
        }
        if (command instanceof Command.Bind bind) {
            return isKept(before, bind.vhost(), bind.binding());
        }
        if (command instanceof Command.Unbind unbind) {
            return isKept(before, unbind.vhost(), unbind.binding());
        }
        return !(command instanceof Command.DeleteQueuesOf);
    }

    private static boolean isKept(Definitions before, String vhost, Binding binding) {
        return isKept(before, vhost, Destination.exchange(binding.source()))
                && isKept(before, vhost, binding.destination());
    }

    private static boolean isKept(Definitions before, String vhostName, Destination object) {
        VirtualHost vhost = before.vhost(vhostName);
        if (vhost == null) {
            return false;
        }
        return switch (object.kind()) {
            case QUEUE -> isKept(vhost.queue(object.name()));
            case EXCHANGE -> isDurable(vhost.exchange(object.name()));
        };
    }

    private static boolean isKept(@Nullable Queue queue) {
        return queue != null && Restart.isKept(queue);
    }

    private static boolean isDurable(@Nullable Exchange exchange) {
        return exchange != null && exchange.definition().durable();
    }
}
