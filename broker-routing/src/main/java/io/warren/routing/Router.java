package io.warren.routing;

import java.util.Map;

/**
 * The bindings of one exchange, and the answer to where a message goes.
 *
 * <p>A router is an immutable value: {@link #bind} and {@link #unbind} return another router that shares all but the
 * changed path with this one, so a change costs O(log n) however many bindings there are, and whoever reads an older
 * value (a publisher in the middle of a route) is not disturbed. Any thread may use any router without a lock.
 *
 * <p>A binding is the triple of destination, binding key and arguments, as in RabbitMQ; the same triple twice is one
 * binding. Arguments are compared with their types (int 1 and long 1 make two bindings), byte arrays by content, and
 * the order of their keys does not matter. Values may be null (AMQP's void).
 *
 * @param <D> the destination; its {@code equals} and {@code hashCode} identify it, and the order in which destinations
 *     are emitted is as deterministic as that hash code is
 */
public interface Router<D> {

    /** Adds a binding; returns this router when the binding is there already. The arguments are copied. */
    Router<D> bind(D destination, String bindingKey, Map<String, ?> arguments);

    /** Removes a binding; returns this router when there is no such binding. */
    Router<D> unbind(D destination, String bindingKey, Map<String, ?> arguments);

    /**
     * Emits every destination that a message with this routing key and these headers goes to.
     *
     * <p>The same destination may be emitted more than once; the caller de-duplicates. A message without headers is
     * routed as one with empty headers.
     */
    void route(String routingKey, Map<String, ?> headers, RouteSink<? super D> sink);

    /** Whether there is no binding. */
    default boolean isEmpty() {
        return size() == 0;
    }

    /** Number of bindings, those that differ only in arguments counted one by one. */
    int size();

    /** An empty direct exchange: the routing key equals the binding key. */
    static <D> Router<D> direct() {
        return DirectRouter.empty();
    }

    /** An empty fanout exchange: every message goes everywhere. */
    static <D> Router<D> fanout() {
        return FanoutRouter.empty();
    }

    /** An empty topic exchange: {@code *} stands for one word of the routing key, {@code #} for any number of words. */
    static <D> Router<D> topic() {
        return TopicRouter.empty();
    }

    /** An empty headers exchange: see {@link HeadersMatch} for the rules. */
    static <D> Router<D> headers() {
        return HeadersRouter.empty();
    }
}
