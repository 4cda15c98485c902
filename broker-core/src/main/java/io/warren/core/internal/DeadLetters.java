package io.warren.core.internal;

import io.warren.core.message.Message;
import io.warren.core.metadata.Exchange;
import io.warren.core.metadata.VirtualHost;
import io.warren.core.queue.DeadLettering;
import io.warren.core.queue.DeathReason;
import io.warren.core.spi.BackingQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes dead messages to their dead letter exchange and breaks automatic cycles. Called by queues, any thread. */
final class DeadLetters {

    private static final Logger LOG = LoggerFactory.getLogger("io.warren.core.deadletter");

    /** Cycles are logged once each; beyond this many, no more are. */
    private static final int LOGGED_CYCLES_MAX = 1_000;

    private final BrokerWiring wiring;
    private final Set<String> loggedCycles = ConcurrentHashMap.newKeySet();

    DeadLetters(BrokerWiring wiring) {
        this.wiring = wiring;
    }

    /** @param number under which mirrored queues recognise it, of a queue that is mirrored itself; else 0 */
    void publish(
            QueueProcess source,
            long number,
            long offset,
            Message message,
            DeathReason reason,
            String exchangeName,
            @Nullable String routingKey) {
        Message dead = DeadLettering.deadLetter(
                message,
                reason,
                source.name(),
                exchangeName,
                routingKey,
                wiring.ticker().now());
        List<QueueAddress> targets = targets(source, dead, reason, exchangeName);
        if (targets.isEmpty()) {
            LOG.debug("dead letter of queue '{}' has nowhere to go through exchange '{}'", source.name(), exchangeName);
            if (offset != BackingQueue.NONE) {
                source.deadLettered(offset);
            }
            return;
        }
        DeadLetterPublish publish =
                offset == BackingQueue.NONE ? null : new DeadLetterPublish(source, number, offset, targets.size());
        targets.forEach(target -> target.publishDeadLetter(source, publish, dead));
    }

    private List<QueueAddress> targets(QueueProcess source, Message dead, DeathReason reason, String exchangeName) {
        List<QueueAddress> targets = new ArrayList<>();
        VirtualHost vhost = wiring.definitions().vhost(source.vhost());
        Exchange exchange = vhost == null ? null : vhost.exchange(exchangeName);
        if (vhost == null || exchange == null) {
            return targets;
        }
        for (QueueAddress target : wiring.topology().route(vhost, exchange, dead)) {
            if (DeadLettering.isCycle(dead, reason, target.name())) {
                logCycle(source, target);
            } else {
                targets.add(target);
            }
        }
        return targets;
    }

    private void logCycle(QueueProcess source, QueueAddress target) {
        if (loggedCycles.size() < LOGGED_CYCLES_MAX
                && loggedCycles.add(source.vhost() + '\n' + source.name() + '\n' + target.name())) {
            LOG.warn(
                    "dead letters of queue '{}' in vhost '{}' would return to queue '{}' for ever: dropped there",
                    source.name(),
                    source.vhost(),
                    target.name());
        }
    }
}
