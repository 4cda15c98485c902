package io.warren.core.metadata;

import io.warren.core.error.AmqpError;
import io.warren.routing.PersistentMap;
import java.util.List;
import java.util.Objects;

/** Commands about policies, and what policies make of queues and exchanges. */
final class PolicyCommands {

    private PolicyCommands() {}

    static Outcome put(Definitions definitions, String vhostName, Policy policy) {
        AmqpError invalid = PolicyKeys.invalid(policy);
        if (invalid != null) {
            return Outcome.refused(definitions, invalid);
        }
        return definitions.inVhost(
                vhostName,
                (vhost, changes) ->
                        reapplied(vhost.withPolicies(vhost.policies().put(policy.name(), policy)), changes));
    }

    static Outcome delete(Definitions definitions, String vhostName, String name) {
        return definitions.inVhost(
                vhostName,
                (vhost, changes) ->
                        reapplied(vhost.withPolicies(vhost.policies().remove(name)), changes));
    }

    static Outcome putOperator(Definitions definitions, String vhostName, Policy policy) {
        AmqpError invalid = PolicyKeys.invalidForOperator(policy);
        if (invalid != null) {
            return Outcome.refused(definitions, invalid);
        }
        return operatorPolicies(definitions, vhostName, policies -> policies.put(policy.name(), policy));
    }

    static Outcome deleteOperator(Definitions definitions, String vhostName, String name) {
        return operatorPolicies(definitions, vhostName, policies -> policies.remove(name));
    }

    private static Outcome operatorPolicies(
            Definitions definitions,
            String vhostName,
            java.util.function.UnaryOperator<PersistentMap<String, Policy>> change) {
        return definitions.inVhost(
                vhostName,
                (vhost, changes) ->
                        reapplied(vhost.withOperatorPolicies(change.apply(vhost.operatorPolicies())), changes));
    }

    /** A queue with what applies to it now. */
    static Queue applied(VirtualHost vhost, long id, QueueDefinition definition) {
        Policy policy = vhost.policyFor(Policy.AppliesTo.QUEUES, definition.name());
        Policy operatorPolicy = vhost.operatorPolicyFor(definition.name());
        return new Queue(
                id,
                definition,
                QueueArguments.settings(vhost.name(), definition, policy, operatorPolicy),
                policy,
                operatorPolicy);
    }

    private static VirtualHost reapplied(VirtualHost vhost, List<Change> changes) {
        VirtualHost changed = vhost;
        for (Queue queue : vhost.queues().values()) {
            Queue now = applied(vhost, queue.id(), queue.definition());
            if (!now.equals(queue)) {
                changed = changed.withQueue(now);
                changes.add(new Change.QueueSettingsChanged(vhost.name(), now));
            }
        }
        for (Exchange exchange : vhost.exchanges().values()) {
            Policy policy = vhost.policyFor(Policy.AppliesTo.EXCHANGES, exchange.name());
            if (!Objects.equals(policy, exchange.policy())) {
                changed = changed.withExchange(exchange.withPolicy(policy));
            }
        }
        return changed;
    }
}
