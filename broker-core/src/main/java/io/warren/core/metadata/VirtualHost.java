package io.warren.core.metadata;

import io.warren.core.message.FieldTable;
import io.warren.routing.PersistentMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A namespace of exchanges, queues, bindings and policies; nothing in it sees another one.
 *
 * @param bindingsTo the bindings of every destination, to take them away with it
 */
public record VirtualHost(
        String name,
        PersistentMap<String, Exchange> exchanges,
        PersistentMap<String, Queue> queues,
        PersistentMap<Destination, PersistentMap<Binding, Boolean>> bindingsTo,
        PersistentMap<String, Policy> policies,
        PersistentMap<String, Policy> operatorPolicies) {

    private static final List<ExchangeDefinition> PREDECLARED = List.of(
            predeclared("", ExchangeType.DIRECT, false),
            predeclared("amq.direct", ExchangeType.DIRECT, false),
            predeclared("amq.fanout", ExchangeType.FANOUT, false),
            predeclared("amq.topic", ExchangeType.TOPIC, false),
            predeclared("amq.headers", ExchangeType.HEADERS, false),
            predeclared("amq.match", ExchangeType.HEADERS, false),
            predeclared("amq.rabbitmq.trace", ExchangeType.TOPIC, true));

    private static ExchangeDefinition predeclared(String name, ExchangeType type, boolean internal) {
        return new ExchangeDefinition(name, type, true, false, internal, FieldTable.EMPTY);
    }

    static VirtualHost created(String name) {
        PersistentMap<String, Exchange> exchanges = PersistentMap.empty();
        for (ExchangeDefinition definition : PREDECLARED) {
            exchanges = exchanges.put(definition.name(), Exchange.declared(definition, null));
        }
        return new VirtualHost(
                name,
                exchanges,
                PersistentMap.empty(),
                PersistentMap.empty(),
                PersistentMap.empty(),
                PersistentMap.empty());
    }

    public @Nullable Exchange exchange(String exchangeName) {
        return exchanges.get(exchangeName);
    }

    public @Nullable Queue queue(String queueName) {
        return queues.get(queueName);
    }

    boolean exists(Destination destination) {
        return switch (destination.kind()) {
            case QUEUE -> queues.containsKey(destination.name());
            case EXCHANGE -> exchanges.containsKey(destination.name());
        };
    }

    PersistentMap<Binding, Boolean> bindingsOf(Destination destination) {
        PersistentMap<Binding, Boolean> bindings = bindingsTo.get(destination);
        return bindings == null ? PersistentMap.empty() : bindings;
    }

    /** The policy that applies to an object of that name, there or not, or null. */
    public @Nullable Policy policyFor(Policy.AppliesTo kind, String objectName) {
        return highest(policies, kind, objectName);
    }

    @Nullable Policy operatorPolicyFor(String queueName) {
        return highest(operatorPolicies, Policy.AppliesTo.QUEUES, queueName);
    }

    /** Of equal priorities the first by name: RabbitMQ leaves it open, a replicated state must not. */
    private static @Nullable Policy highest(
            PersistentMap<String, Policy> candidates, Policy.AppliesTo kind, String objectName) {
        Policy best = null;
        for (Policy policy : candidates.values()) {
            if (policy.matches(kind, objectName)
                    && (best == null
                            || policy.priority() > best.priority()
                            || (policy.priority() == best.priority()
                                    && policy.name().compareTo(best.name()) < 0))) {
                best = policy;
            }
        }
        return best;
    }

    VirtualHost withExchange(Exchange exchange) {
        return new VirtualHost(
                name, exchanges.put(exchange.name(), exchange), queues, bindingsTo, policies, operatorPolicies);
    }

    VirtualHost withoutExchange(String exchangeName) {
        return new VirtualHost(name, exchanges.remove(exchangeName), queues, bindingsTo, policies, operatorPolicies);
    }

    VirtualHost withQueue(Queue queue) {
        return new VirtualHost(
                name, exchanges, queues.put(queue.name(), queue), bindingsTo, policies, operatorPolicies);
    }

    VirtualHost withoutQueue(String queueName) {
        return new VirtualHost(name, exchanges, queues.remove(queueName), bindingsTo, policies, operatorPolicies);
    }

    VirtualHost withBindingsTo(Destination destination, PersistentMap<Binding, Boolean> bindings) {
        return new VirtualHost(
                name,
                exchanges,
                queues,
                bindings.isEmpty() ? bindingsTo.remove(destination) : bindingsTo.put(destination, bindings),
                policies,
                operatorPolicies);
    }

    VirtualHost withPolicies(PersistentMap<String, Policy> changed) {
        return new VirtualHost(name, exchanges, queues, bindingsTo, changed, operatorPolicies);
    }

    VirtualHost withOperatorPolicies(PersistentMap<String, Policy> changed) {
        return new VirtualHost(name, exchanges, queues, bindingsTo, policies, changed);
    }
}
