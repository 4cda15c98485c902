package io.warren.routing;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.BiFunction;

/**
 * Walks the entries of a trie: those of a node first, then its children from left to right.
 *
 * <p>Owned by whoever iterates; the nodes under it never change, so there is no ConcurrentModificationException.
 *
 * @param <K> the key
 * @param <V> the value
 * @param <R> what is made of each entry
 */
final class TrieIterator<K, V, R> implements Iterator<R> {

    private final BiFunction<K, V, R> view;
    /** Nodes still to visit, the next one first; never more than 32 for each of eight levels. */
    private final ArrayDeque<TrieNode<K, V>> pending = new ArrayDeque<>();

    private TrieNode<K, V> node;
    private int entry;

    TrieIterator(TrieNode<K, V> root, BiFunction<K, V, R> view) {
        this.view = view;
        this.node = root;
        pushChildren();
    }

    @Override
    public boolean hasNext() {
        // A node without entries of its own leads to one that has some: only an empty root has nothing below it.
        while (entry == node.entryCount() && !pending.isEmpty()) {
            node = pending.pop();
            entry = 0;
            pushChildren();
        }
        return entry < node.entryCount();
    }

    @Override
    public R next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        int current = entry++;
        return view.apply(node.key(current), node.value(current));
    }

    private void pushChildren() {
        for (int i = node.childCount() - 1; i >= 0; i--) {
            pending.push(node.child(i));
        }
    }
}
