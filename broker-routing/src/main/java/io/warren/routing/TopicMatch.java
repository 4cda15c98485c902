package io.warren.routing;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One walk of one routing key through a topic trie.
 *
 * <p>The obvious walk tries, at every {@code #}, each number of words it may stand for, and doubles its work with every
 * further {@code #} of a pattern. This one comes to a node at most once for each position in the routing key:
 *
 * <ul>
 *   <li>With no {@code #} above it, a node can be reached at one position only, its depth.
 *   <li>A {@code #} node tries all positions from the first one on at which it is reached. Below another {@code #} it
 *       may be reached again, but only at later positions, since the upper one tries its positions in ascending order:
 *       those are done already, and {@link #hashesDone} ends them.
 *   <li>Every other node has one distance from the nearest {@code #} above it, whose positions are each tried once.
 * </ul>
 *
 * @param <D> the destination
 */
final class TopicMatch<D> {

    private final RoutingKey key;
    private final RouteSink<? super D> sink;

    /** The {@code #} nodes below another {@code #} that were walked; null until the first of them. */
    private @Nullable Set<TopicNode<D>> hashesDone;

    TopicMatch(RoutingKey key, RouteSink<? super D> sink) {
        this.key = key;
        this.sink = sink;
    }

    /** Emits what the words from {@code position} on lead to, from this node down. */
    void walk(TopicNode<D> node, int position) {
        TopicNode<D> hash = node.hash;
        if (hash != null && (!node.isAfterHash || isFirstVisit(hash))) {
            walkHash(hash, position);
        }
        if (position == key.wordCount()) {
            node.destinations.emit(sink);
            return;
        }
        TopicNode<D> next = node.words.getWord(key, position);
        if (next != null) {
            walk(next, position + 1);
        }
        if (node.star != null) {
            walk(node.star, position + 1);
        }
    }

    private void walkHash(TopicNode<D> hash, int firstPosition) {
        if (hash.isLeaf()) {
            hash.destinations.emit(sink);
            return;
        }
        for (int position = firstPosition; position <= key.wordCount(); position++) {
            walk(hash, position);
        }
    }

    private boolean isFirstVisit(TopicNode<D> hash) {
        if (hashesDone == null) {
            hashesDone = new HashSet<>();
        }
        return hashesDone.add(hash);
    }
}
