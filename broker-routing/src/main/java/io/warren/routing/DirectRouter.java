package io.warren.routing;

import java.util.Map;

/**
 * A direct exchange: a table from binding key to destinations.
 *
 * @param <D> the destination
 */
final class DirectRouter<D> implements Router<D> {

    private static final DirectRouter<?> EMPTY = new DirectRouter<>(PersistentMap.empty(), 0);

    /** No key with an empty set of destinations in it. */
    private final PersistentMap<String, Destinations<D, BindingArguments>> table;

    private final int size;

    private DirectRouter(PersistentMap<String, Destinations<D, BindingArguments>> table, int size) {
        this.table = table;
        this.size = size;
    }

    @SuppressWarnings("unchecked")
    static <D> Router<D> empty() {
        return (Router<D>) EMPTY;
    }

    @Override
    public Router<D> bind(D destination, String bindingKey, Map<String, ?> arguments) {
        Destinations<D, BindingArguments> before = destinationsOf(bindingKey);
        Destinations<D, BindingArguments> after = before.with(destination, BindingArguments.of(arguments));
        return after == before ? this : new DirectRouter<>(table.put(bindingKey, after), size + 1);
    }

    @Override
    public Router<D> unbind(D destination, String bindingKey, Map<String, ?> arguments) {
        Destinations<D, BindingArguments> before = destinationsOf(bindingKey);
        Destinations<D, BindingArguments> after = before.without(destination, BindingArguments.of(arguments));
        if (after == before) {
            return this;
        }
        return new DirectRouter<>(after.isEmpty() ? table.remove(bindingKey) : table.put(bindingKey, after), size - 1);
    }

    @Override
    public void route(String routingKey, Map<String, ?> headers, RouteSink<? super D> sink) {
        destinationsOf(routingKey).emit(sink);
    }

    private Destinations<D, BindingArguments> destinationsOf(String key) {
        Destinations<D, BindingArguments> destinations = table.get(key);
        return destinations == null ? Destinations.none() : destinations;
    }

    @Override
    public int size() {
        return size;
    }
}
