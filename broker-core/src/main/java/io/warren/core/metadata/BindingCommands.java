package io.warren.core.metadata;

import io.warren.core.error.Refusals;
import io.warren.core.metadata.Definitions.Refused;
import java.util.List;

/** Commands about bindings. */
final class BindingCommands {

    private BindingCommands() {}

    static Outcome bind(Definitions definitions, String vhostName, Binding binding) {
        return definitions.inVhost(vhostName, (vhost, changes) -> {
            Exchange source = vhost.exchange(binding.source());
            checkEnds(vhost, source != null, binding);
            if (source == null || source.bindings().containsKey(binding)) {
                return vhost;
            }
            return vhost.withExchange(source.bind(binding))
                    .withBindingsTo(
                            binding.destination(),
                            vhost.bindingsOf(binding.destination()).put(binding, Boolean.TRUE));
        });
    }

    private static void checkEnds(VirtualHost vhost, boolean sourceExists, Binding binding) {
        if (!vhost.exists(binding.destination())) {
            String name = binding.destination().name();
            throw new Refused(
                    switch (binding.destination().kind()) {
                        case QUEUE -> Refusals.noQueue(vhost.name(), name);
                        case EXCHANGE -> Refusals.noExchange(vhost.name(), name);
                    });
        }
        if (!sourceExists) {
            throw new Refused(Refusals.noExchange(vhost.name(), binding.source()));
        }
    }

    static Outcome unbind(Definitions definitions, String vhostName, Binding binding) {
        return definitions.inVhost(vhostName, (vhost, changes) -> remove(vhost, binding, changes));
    }

    /** Takes every binding to a destination away. */
    static VirtualHost removeAllTo(VirtualHost vhost, Destination destination, List<Change> changes) {
        VirtualHost changed = vhost;
        for (Binding binding : vhost.bindingsOf(destination).keys()) {
            changed = remove(changed, binding, changes);
        }
        return changed;
    }

    /** Takes a binding away, and with the last of its source an auto-delete exchange. */
    private static VirtualHost remove(VirtualHost vhost, Binding binding, List<Change> changes) {
        Exchange source = vhost.exchange(binding.source());
        if (source == null || !source.bindings().containsKey(binding)) {
            return vhost;
        }
        Exchange left = source.unbind(binding);
        VirtualHost changed = vhost.withExchange(left)
                .withBindingsTo(
                        binding.destination(),
                        vhost.bindingsOf(binding.destination()).remove(binding));
        boolean unused = left.definition().autoDelete() && left.bindings().isEmpty();
        return unused ? ExchangeCommands.remove(changed, left, changes) : changed;
    }
}
