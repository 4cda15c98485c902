package io.warren.core.metadata;

import io.warren.core.message.Message;
import io.warren.routing.RouteSink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds the queues of a message: from exchange to exchange by their bindings, each exchange once, each queue once.
 *
 * <p>An exchange that leads nowhere hands the message to its alternate exchange. The keys are the message's own and
 * those of its CC and BCC headers.
 */
public final class MessageRouting {

    /** Follows the bindings of one exchange: its router, or a cache in front of it. */
    @FunctionalInterface
    public interface Bindings {

        /** Asks the exchange's router itself. */
        Bindings UNCACHED = (exchange, key, headers, sink) -> exchange.router().route(key, headers, sink);

        /** Tells the sink where the exchange's bindings lead for this key and these headers. */
        void follow(Exchange exchange, String key, Map<String, ?> headers, RouteSink<Destination> sink);
    }

    private final VirtualHost vhost;
    private final Message message;
    private final Predicate<Exchange> isDuplicate;
    private final Bindings bindings;
    private final List<String> keys;
    private final Set<String> queues = new LinkedHashSet<>();
    private final Set<String> visited = new HashSet<>();
    private final ArrayDeque<Exchange> toVisit = new ArrayDeque<>();
    private boolean reached;

    private MessageRouting(VirtualHost vhost, Message message, Predicate<Exchange> isDuplicate, Bindings bindings) {
        this.vhost = vhost;
        this.message = message;
        this.isDuplicate = isDuplicate;
        this.bindings = bindings;
        this.keys = keys(message);
    }

    /**
     * The names of the queues, none twice.
     *
     * @param isDuplicate asked of exchanges that de-duplicate: whether they have seen the message
     * @param bindings asked where the bindings of an exchange lead
     */
    public static Set<String> route(
            VirtualHost vhost, Exchange exchange, Message message, Predicate<Exchange> isDuplicate, Bindings bindings) {
        MessageRouting routing = new MessageRouting(vhost, message, isDuplicate, bindings);
        routing.visit(exchange.name());
        for (Exchange next = routing.toVisit.poll(); next != null; next = routing.toVisit.poll()) {
            routing.follow(next);
        }
        return routing.queues;
    }

    private void follow(Exchange exchange) {
        if (exchange.name().isEmpty()) {
            keys.stream().filter(vhost.queues()::containsKey).forEach(queues::add);
            return;
        }
        if (exchange.definition().type() == ExchangeType.DEDUPLICATION && isDuplicate.test(exchange)) {
            return;
        }
        Map<String, Object> headers = message.properties().headersOrEmpty().asMap();
        reached = false;
        for (String key : keys) {
            bindings.follow(exchange, key, headers, this::reach);
        }
        String alternate = exchange.alternate();
        if (!reached && alternate != null) {
            visit(alternate);
        }
    }

    private void reach(Destination destination) {
        reached = true;
        switch (destination.kind()) {
            case QUEUE -> queues.add(destination.name());
            case EXCHANGE -> visit(destination.name());
        }
    }

    private void visit(String exchangeName) {
        Exchange exchange = vhost.exchange(exchangeName);
        if (exchange != null && visited.add(exchangeName)) {
            toVisit.add(exchange);
        }
    }

    private static List<String> keys(Message message) {
        Object copies = message.properties().headersOrEmpty().get("CC");
        if (!(copies instanceof List<?>) && message.blindRoutingKeys().isEmpty()) {
            return List.of(message.routingKey());
        }
        List<String> keys = new ArrayList<>();
        keys.add(message.routingKey());
        if (copies instanceof List<?> list) {
            list.stream()
                    .filter(String.class::isInstance)
                    .map(String.class::cast)
                    .forEach(keys::add);
        }
        keys.addAll(message.blindRoutingKeys());
        return keys;
    }
}
