package io.warren.routing;

import org.jspecify.annotations.Nullable;

/**
 * A node of keys whose hashes are the same in all 32 bits: a plain list, searched from the front.
 *
 * <p>Its order is that in which the keys came, the one place where a map's order is not a function of its contents.
 * Work is linear in the colliding keys; there is no limit, since names that collide on purpose cost their author the
 * right to declare them first.
 *
 * @param <K> the key
 * @param <V> the value
 */
final class CollisionNode<K, V> extends TrieNode<K, V> {

    CollisionNode(Object[] slots) {
        super(slots);
    }

    @Override
    int entryCount() {
        return slots.length / 2;
    }

    @Override
    int childCount() {
        return 0;
    }

    @Override
    @Nullable TrieNode<K, V> childFor(int hash) {
        return null;
    }

    @Override
    int candidatesStart(int hash) {
        return 0;
    }

    @Override
    int candidatesEnd(int hash) {
        return entryCount();
    }

    @Override
    TrieNode<K, V> put(int hash, K key, V value) {
        int entry = indexOf(key);
        if (entry < entryCount()) {
            return new CollisionNode<>(withSlot(2 * entry + 1, value));
        }
        Object[] copy = new Object[slots.length + 2];
        System.arraycopy(slots, 0, copy, 0, slots.length);
        copy[slots.length] = key;
        copy[slots.length + 1] = value;
        return new CollisionNode<>(copy);
    }

    @Override
    TrieNode<K, V> remove(int hash, Object key) {
        int at = 2 * indexOf(key);
        Object[] copy = new Object[slots.length - 2];
        System.arraycopy(slots, 0, copy, 0, at);
        System.arraycopy(slots, at + 2, copy, at, copy.length - at);
        return new CollisionNode<>(copy);
    }

    /** The key's entry; the number of entries when it is not here. */
    private int indexOf(Object key) {
        int entry = 0;
        while (entry < entryCount() && !key(entry).equals(key)) {
            entry++;
        }
        return entry;
    }
}
