package io.warren.core.metadata;

import org.jspecify.annotations.Nullable;

/**
 * A queue in the topology: as declared, and what applies to it now.
 *
 * @param id tells it from an earlier queue of the same name; grows
 * @param settings what arguments and policies together ask
 * @param policy the policy that applies, or null
 * @param operatorPolicy the operator policy that applies, or null
 */
public record Queue(
        long id,
        QueueDefinition definition,
        QueueSettings settings,
        @Nullable Policy policy,
        @Nullable Policy operatorPolicy) {

    public String name() {
        return definition.name();
    }

    /** The same queue, living at this node. */
    Queue at(String home) {
        return new Queue(id, definition.at(home), settings, policy, operatorPolicy);
    }
}
