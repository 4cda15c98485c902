package io.warren.core.internal;

import io.warren.core.channel.Routing;
import io.warren.core.message.Message;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Exchange;
import io.warren.core.metadata.ExchangeType;
import io.warren.core.metadata.VirtualHost;
import io.warren.core.queue.QueueRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Routes the messages of one channel, and remembers the last route: most publishers say the same key again and again.
 *
 * <p>What is remembered holds for one version of the topology, and for messages without headers, which could route
 * otherwise.
 */
final class RouteMemo implements Routing {

    private final BrokerWiring wiring;
    private final String vhostName;
    private @Nullable Definitions version;
    private String exchangeName = "";
    private String routingKey = "";
    private List<QueueRef> queues = List.of();

    RouteMemo(BrokerWiring wiring, String vhostName) {
        this.wiring = wiring;
        this.vhostName = vhostName;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a version of the topology is one object
    public List<QueueRef> route(Message message) {
        Definitions now = wiring.definitions();
        boolean plain = message.properties().headers() == null;
        if (plain
                && now == version
                && message.routingKey().equals(routingKey)
                && message.exchange().equals(exchangeName)) {
            return queues;
        }
        if (wiring.directReplies().deliver(vhostName, message)) {
            return List.of();
        }
        VirtualHost vhost = now.vhost(vhostName);
        Exchange exchange = vhost == null ? null : vhost.exchange(message.exchange());
        if (vhost == null || exchange == null) {
            // Deleted between the check and now: as RabbitMQ, it is routed nowhere.
            return List.of();
        }
        List<QueueRef> routed = List.copyOf(wiring.topology().route(vhost, exchange, message));
        if (plain && !deduplicates(vhost)) {
            version = now;
            exchangeName = message.exchange();
            routingKey = message.routingKey();
            queues = routed;
        }
        return routed;
    }

    /** Whether the route of equal messages can differ, because an exchange remembers them. */
    private static boolean deduplicates(VirtualHost vhost) {
        for (Exchange exchange : vhost.exchanges().values()) {
            if (exchange.definition().type() == ExchangeType.DEDUPLICATION) {
                return true;
            }
        }
        return false;
    }
}
