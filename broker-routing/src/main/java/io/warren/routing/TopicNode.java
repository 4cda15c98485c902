package io.warren.routing;

import org.jspecify.annotations.Nullable;

/**
 * One node of the topic trie: where the binding keys end whose words lead here, and where longer ones go on.
 *
 * <p>Immutable; a node without bindings and without children exists only as the root of an empty exchange. Depth, and
 * with it the recursion here and in {@link TopicMatch}, is the number of words in the longest binding key: at most 256,
 * where names end at AMQP's 255 bytes.
 *
 * @param <D> the destination
 */
final class TopicNode<D> {

    private static final TopicNode<?> ROOT =
            new TopicNode<>(false, Destinations.none(), PersistentMap.empty(), null, null);

    /** Whether a {@code #} leads here, as the last word or before: then a route may come here at several positions. */
    final boolean isAfterHash;

    /** Of the binding keys that end here. */
    final Destinations<D, BindingArguments> destinations;

    /** The nodes behind literal words. */
    final PersistentMap<String, TopicNode<D>> words;

    /** The node behind {@code *}. */
    final @Nullable TopicNode<D> star;

    /** The node behind {@code #}. */
    final @Nullable TopicNode<D> hash;

    private TopicNode(
            boolean isAfterHash,
            Destinations<D, BindingArguments> destinations,
            PersistentMap<String, TopicNode<D>> words,
            @Nullable TopicNode<D> star,
            @Nullable TopicNode<D> hash) {
        this.isAfterHash = isAfterHash;
        this.destinations = destinations;
        this.words = words;
        this.star = star;
        this.hash = hash;
    }

    @SuppressWarnings("unchecked")
    static <D> TopicNode<D> root() {
        return (TopicNode<D>) ROOT;
    }

    /** With this binding, whose words from {@code depth} on lie below; this node if it is there already. */
    TopicNode<D> with(RoutingKey key, int depth, D destination, BindingArguments arguments) {
        if (depth == key.wordCount()) {
            return withDestinations(destinations.with(destination, arguments));
        }
        String word = key.word(depth);
        TopicNode<D> before = child(word);
        TopicNode<D> child = before == null ? emptyChild(word) : before;
        TopicNode<D> after = child.with(key, depth + 1, destination, arguments);
        return after == before ? this : withChild(word, after);
    }

    /** Without this binding; this node if it is not there. May return an empty node, which its parent drops. */
    TopicNode<D> without(RoutingKey key, int depth, D destination, BindingArguments arguments) {
        if (depth == key.wordCount()) {
            return withDestinations(destinations.without(destination, arguments));
        }
        String word = key.word(depth);
        TopicNode<D> before = child(word);
        if (before == null) {
            return this;
        }
        TopicNode<D> after = before.without(key, depth + 1, destination, arguments);
        if (after == before) {
            return this;
        }
        return withChild(word, after.isEmpty() ? null : after);
    }

    /** Whether no binding key goes on from here. */
    boolean isLeaf() {
        return words.isEmpty() && star == null && hash == null;
    }

    private boolean isEmpty() {
        return isLeaf() && destinations.isEmpty();
    }

    private @Nullable TopicNode<D> child(String word) {
        return switch (word) {
            case "*" -> star;
            case "#" -> hash;
            default -> words.get(word);
        };
    }

    private TopicNode<D> emptyChild(String word) {
        boolean isChildAfterHash = isAfterHash || word.equals("#");
        return new TopicNode<>(isChildAfterHash, Destinations.none(), PersistentMap.empty(), null, null);
    }

    private TopicNode<D> withDestinations(Destinations<D, BindingArguments> changed) {
        return changed == destinations ? this : new TopicNode<>(isAfterHash, changed, words, star, hash);
    }

    private TopicNode<D> withChild(String word, @Nullable TopicNode<D> child) {
        return switch (word) {
            case "*" -> new TopicNode<>(isAfterHash, destinations, words, child, hash);
            case "#" -> new TopicNode<>(isAfterHash, destinations, words, star, child);
            default ->
                new TopicNode<>(
                        isAfterHash,
                        destinations,
                        child == null ? words.remove(word) : words.put(word, child),
                        star,
                        hash);
        };
    }
}
