package io.warren.routing;

import java.util.Map;

/**
 * A headers exchange: every binding is asked whether the message's headers match its arguments.
 *
 * <p>Work is linear in the bindings, as in RabbitMQ; a destination is emitted once for each of its bindings that match.
 *
 * @param <D> the destination
 */
final class HeadersRouter<D> implements Router<D> {

    private static final HeadersRouter<?> EMPTY = new HeadersRouter<>(PersistentMap.empty());

    private final PersistentMap<Binding<D>, HeadersMatch> bindings;

    private HeadersRouter(PersistentMap<Binding<D>, HeadersMatch> bindings) {
        this.bindings = bindings;
    }

    @SuppressWarnings("unchecked")
    static <D> Router<D> empty() {
        return (Router<D>) EMPTY;
    }

    @Override
    public Router<D> bind(D destination, String bindingKey, Map<String, ?> arguments) {
        Binding<D> binding = new Binding<>(destination, bindingKey, BindingArguments.of(arguments));
        if (bindings.containsKey(binding)) {
            return this;
        }
        return new HeadersRouter<>(bindings.put(binding, new HeadersMatch(binding.arguments.fields())));
    }

    @Override
    public Router<D> unbind(D destination, String bindingKey, Map<String, ?> arguments) {
        Binding<D> binding = new Binding<>(destination, bindingKey, BindingArguments.of(arguments));
        return bindings.containsKey(binding) ? new HeadersRouter<>(bindings.remove(binding)) : this;
    }

    @Override
    public void route(String routingKey, Map<String, ?> headers, RouteSink<? super D> sink) {
        bindings.forEach((binding, match) -> {
            if (match.matches(headers)) {
                sink.accept(binding.destination);
            }
        });
    }

    @Override
    public int size() {
        return bindings.size();
    }

    private record Binding<D>(D destination, String key, BindingArguments arguments) {}
}
