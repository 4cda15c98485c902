package io.warren.routing;

import java.util.Map;

/**
 * A topic exchange: a trie over the words of the binding keys.
 *
 * <p>A binding key is cut at its dots; the word {@code *} stands for exactly one word of the routing key, which may be
 * empty, and {@code #} for any number of words, none included. Each is a wildcard only as a whole word.
 *
 * @param <D> the destination
 */
final class TopicRouter<D> implements Router<D> {

    private static final TopicRouter<?> EMPTY = new TopicRouter<>(TopicNode.root(), 0);

    private final TopicNode<D> root;
    private final int size;

    private TopicRouter(TopicNode<D> root, int size) {
        this.root = root;
        this.size = size;
    }

    @SuppressWarnings("unchecked")
    static <D> Router<D> empty() {
        return (Router<D>) EMPTY;
    }

    @Override
    public Router<D> bind(D destination, String bindingKey, Map<String, ?> arguments) {
        TopicNode<D> after = root.with(new RoutingKey(bindingKey), 0, destination, BindingArguments.of(arguments));
        return after == root ? this : new TopicRouter<>(after, size + 1);
    }

    @Override
    public Router<D> unbind(D destination, String bindingKey, Map<String, ?> arguments) {
        TopicNode<D> after = root.without(new RoutingKey(bindingKey), 0, destination, BindingArguments.of(arguments));
        return after == root ? this : new TopicRouter<>(after, size - 1);
    }

    @Override
    public void route(String routingKey, Map<String, ?> headers, RouteSink<? super D> sink) {
        new TopicMatch<D>(new RoutingKey(routingKey), sink).walk(root, 0);
    }

    @Override
    public int size() {
        return size;
    }
}
