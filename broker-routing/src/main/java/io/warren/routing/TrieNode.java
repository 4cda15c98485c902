package io.warren.routing;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One immutable node of a {@link PersistentMap}: some entries, and for a branch some children.
 *
 * <p>Entries lie in {@link #slots} as key, value, key, value; a branch puts its children behind them. Canonical form:
 * only the root may be empty or hold a single entry and nothing else; a lone entry always moves up to its parent.
 *
 * @param <K> the key
 * @param <V> the value
 */
abstract sealed class TrieNode<K, V> permits BranchNode, CollisionNode {

    /** Hash bits that choose among the slots of one node. */
    static final int BITS_PER_LEVEL = 5;

    /** Bits in a hash: from this shift on, keys differ only by {@code equals}. */
    static final int HASH_BITS = 32;

    final Object[] slots;

    TrieNode(Object[] slots) {
        this.slots = slots;
    }

    /** Mixes the high half into the low one, since the root looks at the low bits only. */
    static int hashOf(Object key) {
        return spread(key.hashCode());
    }

    static int spread(int hashCode) {
        return hashCode ^ (hashCode >>> 16);
    }

    abstract int entryCount();

    abstract int childCount();

    /** The child that keys of this hash belong to; null when they belong into this node itself. */
    abstract @Nullable TrieNode<K, V> childFor(int hash);

    /** First entry that may have this hash; the candidates end before {@link #candidatesEnd}. */
    abstract int candidatesStart(int hash);

    abstract int candidatesEnd(int hash);

    /** This node with the value under the key, added or replaced. */
    abstract TrieNode<K, V> put(int hash, K key, V value);

    /** This node without the key, which must be in it or below it. */
    abstract TrieNode<K, V> remove(int hash, Object key);

    @SuppressWarnings("unchecked")
    final K key(int entry) {
        return (K) slots[2 * entry];
    }

    @SuppressWarnings("unchecked")
    final V value(int entry) {
        return (V) slots[2 * entry + 1];
    }

    @SuppressWarnings("unchecked")
    final TrieNode<K, V> child(int index) {
        return (TrieNode<K, V>) slots[2 * entryCount() + index];
    }

    /** Whether nothing is left here but one entry, which then belongs into the parent. */
    final boolean isSingleEntry() {
        return slots.length == 2 && entryCount() == 1;
    }

    final void forEach(BiConsumer<? super K, ? super V> action) {
        int entries = entryCount();
        for (int i = 0; i < entries; i++) {
            action.accept(key(i), value(i));
        }
        int children = childCount();
        for (int i = 0; i < children; i++) {
            child(i).forEach(action);
        }
    }

    /** A copy of the slots with one of them replaced. */
    final Object[] withSlot(int slot, Object value) {
        Object[] copy = slots.clone();
        copy[slot] = value;
        return copy;
    }
}
