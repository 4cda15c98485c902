package io.warren.routing;

import java.util.Map;

/**
 * A fanout exchange: every message goes to every destination, once.
 *
 * @param <D> the destination
 */
final class FanoutRouter<D> implements Router<D> {

    private static final FanoutRouter<?> EMPTY = new FanoutRouter<>(Destinations.none(), 0);

    private final Destinations<D, Binding> destinations;
    private final int size;

    private FanoutRouter(Destinations<D, Binding> destinations, int size) {
        this.destinations = destinations;
        this.size = size;
    }

    @SuppressWarnings("unchecked")
    static <D> Router<D> empty() {
        return (Router<D>) EMPTY;
    }

    @Override
    public Router<D> bind(D destination, String bindingKey, Map<String, ?> arguments) {
        Destinations<D, Binding> after = destinations.with(destination, Binding.of(bindingKey, arguments));
        return after == destinations ? this : new FanoutRouter<>(after, size + 1);
    }

    @Override
    public Router<D> unbind(D destination, String bindingKey, Map<String, ?> arguments) {
        Destinations<D, Binding> after = destinations.without(destination, Binding.of(bindingKey, arguments));
        return after == destinations ? this : new FanoutRouter<>(after, size - 1);
    }

    @Override
    public void route(String routingKey, Map<String, ?> headers, RouteSink<? super D> sink) {
        destinations.emit(sink);
    }

    @Override
    public int size() {
        return size;
    }

    /** What tells two bindings of one queue apart, though neither matters for where a message goes. */
    private record Binding(String key, BindingArguments arguments) {

        static Binding of(String key, Map<String, ?> arguments) {
            return new Binding(key, BindingArguments.of(arguments));
        }
    }
}
