package io.warren.core.metadata;

import io.warren.core.error.AmqpError;
import io.warren.core.error.Refusals;
import io.warren.core.error.ReplyCode;
import io.warren.core.metadata.Definitions.Refused;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Commands about exchanges. */
final class ExchangeCommands {

    /** The only exchange argument that must be the same when an exchange is declared again. */
    private static final Set<String> COMPARED = Set.of("alternate-exchange");

    private ExchangeCommands() {}

    static Outcome declare(Definitions definitions, String vhostName, ExchangeDefinition definition) {
        return definitions.inVhost(vhostName, (vhost, changes) -> {
            Exchange existing = vhost.exchange(definition.name());
            if (existing == null) {
                Policy policy = vhost.policyFor(Policy.AppliesTo.EXCHANGES, definition.name());
                return vhost.withExchange(Exchange.declared(definition, policy));
            }
            AmqpError difference = difference(vhostName, existing.definition(), definition);
            if (difference != null) {
                throw new Refused(difference);
            }
            return vhost;
        });
    }

    private static @Nullable AmqpError difference(
            String vhost, ExchangeDefinition current, ExchangeDefinition received) {
        Equivalence equivalence = new Equivalence("exchange '" + current.name() + "' in vhost '" + vhost + "'");
        equivalence.check("type", received.type().typeName(), current.type().typeName());
        equivalence.check("durable", received.durable(), current.durable());
        equivalence.check("auto_delete", received.autoDelete(), current.autoDelete());
        equivalence.check("internal", received.internal(), current.internal());
        equivalence.checkArguments(received.arguments(), current.arguments(), COMPARED);
        return equivalence.difference();
    }

    static Outcome delete(Definitions definitions, String vhostName, String name, boolean ifUnused) {
        return definitions.inVhost(vhostName, (vhost, changes) -> {
            Exchange exchange = vhost.exchange(name);
            if (exchange == null) {
                return vhost;
            }
            if (name.isEmpty() || name.startsWith("amq.")) {
                throw new Refused(AmqpError.channel(
                        ReplyCode.ACCESS_REFUSED,
                        "deletion of system exchange '" + name + "' in vhost '" + vhostName + "' not allowed"));
            }
            if (ifUnused && !exchange.bindings().isEmpty()) {
                throw new Refused(Refusals.exchangeInUse(vhostName, name));
            }
            return remove(vhost, exchange, changes);
        });
    }

    /** Takes an exchange away with the bindings from it and to it. */
    static VirtualHost remove(VirtualHost vhost, Exchange exchange, List<Change> changes) {
        VirtualHost changed = vhost.withoutExchange(exchange.name());
        for (Binding binding : exchange.bindings().keys()) {
            changed = changed.withBindingsTo(
                    binding.destination(),
                    changed.bindingsOf(binding.destination()).remove(binding));
        }
        changes.add(new Change.ExchangeDeleted(vhost.name(), exchange.name()));
        return BindingCommands.removeAllTo(changed, Destination.exchange(exchange.name()), changes);
    }
}
