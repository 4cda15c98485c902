package io.warren.core.metadata;

import io.warren.routing.PersistentMap;
import io.warren.routing.Router;
import org.jspecify.annotations.Nullable;

/**
 * An exchange in the topology: as declared, with its bindings and what applies to it now.
 *
 * @param router its bindings, for routing
 * @param bindings its bindings as a source, for listing
 * @param alternate where unroutable messages go, by argument or policy, or null
 * @param policy the policy that applies, or null
 */
public record Exchange(
        ExchangeDefinition definition,
        Router<Destination> router,
        PersistentMap<Binding, Boolean> bindings,
        @Nullable String alternate,
        @Nullable Policy policy) {

    public String name() {
        return definition.name();
    }

    Exchange bind(Binding binding) {
        return new Exchange(
                definition,
                router.bind(
                        binding.destination(),
                        binding.key(),
                        binding.arguments().asMap()),
                bindings.put(binding, Boolean.TRUE),
                alternate,
                policy);
    }

    Exchange unbind(Binding binding) {
        return new Exchange(
                definition,
                router.unbind(
                        binding.destination(),
                        binding.key(),
                        binding.arguments().asMap()),
                bindings.remove(binding),
                alternate,
                policy);
    }

    Exchange withPolicy(@Nullable Policy applied) {
        return new Exchange(definition, router, bindings, alternateOf(definition, applied), applied);
    }

    static Exchange declared(ExchangeDefinition definition, @Nullable Policy policy) {
        return new Exchange(
                definition,
                definition.type().emptyRouter(),
                PersistentMap.empty(),
                alternateOf(definition, policy),
                policy);
    }

    private static @Nullable String alternateOf(ExchangeDefinition definition, @Nullable Policy policy) {
        if (definition.arguments().get("alternate-exchange") instanceof String name) {
            return name;
        }
        return policy != null && policy.definition().get("alternate-exchange") instanceof String name ? name : null;
    }
}
