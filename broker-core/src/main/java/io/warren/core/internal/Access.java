package io.warren.core.internal;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.core.metadata.Destination;
import io.warren.core.metadata.Exchange;
import io.warren.core.metadata.ExchangeType;
import io.warren.core.metadata.Permission.Operation;
import io.warren.core.metadata.User;
import org.jspecify.annotations.Nullable;

/** What the user of a connection may do, by the permissions as they are now. */
final class Access {

    private final BrokerWiring wiring;
    private final String user;
    private final String vhost;

    /** The last exchange the user was allowed to publish to, and the user's definition that allowed it. */
    private @Nullable User allowedBy;

    private String allowedExchange = "";

    Access(BrokerWiring wiring, String user, String vhost) {
        this.wiring = wiring;
        this.user = user;
        this.vhost = vhost;
    }

    String user() {
        return user;
    }

    boolean hasTag(String tag) {
        User definition = wiring.definitions().user(user);
        return definition != null && definition.tags().contains(tag);
    }

    @Nullable AmqpError check(Operation operation, Destination object) {
        User definition = wiring.definitions().user(user);
        // RabbitMQ checks the default exchange under the name its own protocol could not give it.
        String name =
                object.name().isEmpty() && object.kind() == Destination.Kind.EXCHANGE ? "amq.default" : object.name();
        if (definition != null && definition.may(operation, vhost, name)) {
            return null;
        }
        String kind = object.kind() == Destination.Kind.QUEUE ? "queue" : "exchange";
        return refused(kind + " '" + name + "' in vhost '" + vhost + "'");
    }

    /** As {@link #check} for the exchange of a publish, remembering the last answer: it is asked for every message. */
    @SuppressWarnings("ReferenceEquality") // the very same value was asked before: comparing it would cost more
    @Nullable AmqpError checkPublish(String exchange) {
        User definition = wiring.definitions().user(user);
        if (definition != null && definition == allowedBy && exchange.equals(allowedExchange)) {
            return null;
        }
        AmqpError refusal = check(Operation.WRITE, Destination.exchange(exchange));
        if (refusal == null) {
            allowedBy = definition;
            allowedExchange = exchange;
        }
        return refusal;
    }

    /** Topic permissions: which keys the user may publish or bind with, on topic exchanges only. */
    @Nullable AmqpError checkKey(Operation operation, Exchange exchange, String routingKey) {
        if (exchange.definition().type() != ExchangeType.TOPIC) {
            return null;
        }
        User definition = wiring.definitions().user(user);
        if (definition != null && definition.mayUseKey(operation, vhost, exchange.name(), routingKey)) {
            return null;
        }
        return refused("topic '" + routingKey + "' in exchange '" + exchange.name() + "' in vhost '" + vhost + "'");
    }

    private AmqpError refused(String object) {
        return AmqpError.channel(ReplyCode.ACCESS_REFUSED, "access to " + object + " refused for user '" + user + "'");
    }
}
