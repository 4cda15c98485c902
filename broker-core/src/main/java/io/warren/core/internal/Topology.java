package io.warren.core.internal;

import io.warren.core.message.Message;
import io.warren.core.metadata.Change;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Exchange;
import io.warren.core.metadata.MessageRouting;
import io.warren.core.metadata.Outcome;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.QueueArguments;
import io.warren.core.metadata.VirtualHost;
import io.warren.core.queue.DeduplicationWindow;
import io.warren.core.spi.MovingHome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The running side of the topology: which queues run, and which exchanges remember what they have seen.
 *
 * <p>Follows the metadata command by command; read by any thread.
 */
final class Topology {

    private final BrokerWiring wiring;
    private final Map<ScopedName, QueueAddress> queues = new ConcurrentHashMap<>();
    private final Map<ScopedName, DeduplicationWindow> windows = new ConcurrentHashMap<>();
    private final RouteCaches routeCaches;

    /**
     * @param routeCacheLimit routes that are remembered for each topic exchange, or 0 for none
     */
    Topology(BrokerWiring wiring, int routeCacheLimit) {
        this.wiring = wiring;
        this.routeCaches = new RouteCaches(routeCacheLimit);
    }

    @Nullable QueueAddress queue(String vhost, String name) {
        return queues.get(new ScopedName(vhost, name));
    }

    /** Queues that are there from the start begin to run. */
    void begin(Definitions definitions) {
        for (VirtualHost vhost : definitions.vhosts().values()) {
            for (Queue queue : vhost.queues().values()) {
                ScopedName name = new ScopedName(vhost.name(), queue.name());
                if (!queues.containsKey(name)) {
                    queues.put(name, wiring.address(vhost.name(), queue));
                }
            }
        }
    }

    /** Called by the metadata store for each command, in order. */
    void applied(Outcome outcome) {
        outcome.changes().forEach(this::applied);
    }

    private void applied(Change change) {
        if (change instanceof Change.QueueDeclared declared) {
            queues.put(
                    new ScopedName(declared.vhost(), declared.queue().name()),
                    wiring.address(declared.vhost(), declared.queue()));
        } else if (change instanceof Change.QueueDeleted deleted) {
            QueueAddress queue = queues.remove(
                    new ScopedName(deleted.vhost(), deleted.queue().name()));
            if (queue != null) {
                queue.deleted();
            }
            wiring.led().deleted(deleted.queue().id());
            wiring.conversions().deleted(deleted.queue().id());
        } else if (change instanceof Change.QueueSettingsChanged changed) {
            QueueAddress queue =
                    queues.get(new ScopedName(changed.vhost(), changed.queue().name()));
            if (queue != null) {
                queue.settings(changed.queue().settings());
                mirrored(changed.vhost(), changed.queue(), queue);
            }
            wiring.led().settings(changed.queue().id(), changed.queue().settings());
        } else if (change instanceof Change.ExchangeDeleted deleted) {
            windows.remove(new ScopedName(deleted.vhost(), deleted.exchange()));
            routeCaches.forget(deleted.vhost(), deleted.exchange());
        } else if (change instanceof Change.VhostDeleted deleted) {
            wiring.closeConnections(
                    connection -> connection.vhost().equals(deleted.vhost()),
                    "vhost '" + deleted.vhost() + "' is deleted");
        } else if (change instanceof Change.UserDeleted deleted) {
            wiring.closeConnections(
                    connection -> connection.user().equals(deleted.user()), "user '" + deleted.user() + "' is deleted");
        }
    }

    /** A queue that was there before a policy mirrors it: channels that come now find it where its group is. */
    private void mirrored(String vhost, Queue queue, QueueAddress known) {
        MovingHome moving = wiring.movingHome(vhost, queue);
        if (moving == null) {
            return;
        }
        if (known instanceof RemoteQueue away) {
            away.moves(moving);
        } else if (known instanceof QueueProcess process) {
            queues.put(new ScopedName(vhost, queue.name()), wiring.succeeded(process, moving));
            wiring.conversions().begin(process);
        }
    }

    /** The queues a message goes to. As in RabbitMQ, one whose node is down is none: the message has no way there. */
    List<QueueAddress> route(VirtualHost vhost, Exchange exchange, Message message) {
        Set<String> names = MessageRouting.route(
                vhost,
                exchange,
                message,
                deduplicating -> isDuplicate(vhost.name(), deduplicating, message),
                routeCaches.bindingsOf(vhost.name()));
        List<QueueAddress> routed = new ArrayList<>(names.size());
        for (String name : names) {
            QueueAddress queue = queue(vhost.name(), name);
            if (queue != null && queue.unavailable() == null) {
                routed.add(queue);
            }
        }
        return routed;
    }

    /** The window of an exchange is shared by its publishers: the one place where a lock is the simplest owner. */
    private boolean isDuplicate(String vhost, Exchange exchange, Message message) {
        DeduplicationWindow window = windows.computeIfAbsent(
                new ScopedName(vhost, exchange.name()),
                name -> new DeduplicationWindow(
                        QueueArguments.deduplicationLimits(exchange.definition().arguments())));
        synchronized (window) {
            return window.isDuplicate(message, wiring.nowNs());
        }
    }
}
