package io.warren.core.metadata;

import io.warren.core.message.Message;
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

    private final VirtualHost vhost;
    private final Message message;
    private final Predicate<Exchange> isDuplicate;
    private final List<String> keys;
    private final Set<String> queues = new LinkedHashSet<>();
    private final Set<String> visited = new HashSet<>();
    private final ArrayDeque<Exchange> toVisit = new ArrayDeque<>();
    private boolean reached;

    private MessageRouting(VirtualHost vhost, Message message, Predicate<Exchange> isDuplicate) {
        this.vhost = vhost;
        this.message = message;
        this.isDuplicate = isDuplicate;
        this.keys = keys(message);
    }

    /**
     * The names of the queues, none twice.
     *
     * @param isDuplicate asked of exchanges that de-duplicate: whether they have seen the message
     */
    public static Set<String> route(
            VirtualHost vhost, Exchange exchange, Message message, Predicate<Exchange> isDuplicate) {
        MessageRouting routing = new MessageRouting(vhost, message, isDuplicate);
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
            exchange.router().route(key, headers, this::reach);
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
