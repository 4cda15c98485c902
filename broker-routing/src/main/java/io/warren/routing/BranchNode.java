package io.warren.routing;

import org.jspecify.annotations.Nullable;

/**
 * A node that five bits of the hash lead through: for each of their 32 values an entry, a child, or nothing.
 *
 * <p>Two bit maps say which, so that the slots hold no gaps. Entries and children are each in the order of their bits,
 * which makes the shape a function of the contents.
 *
 * @param <K> the key
 * @param <V> the value
 */
final class BranchNode<K, V> extends TrieNode<K, V> {

    /** Position of this node's five bits in the hash: 0 at the root, 30 at the deepest branch. */
    private final int shift;

    private final int entryMap;
    private final int childMap;

    private BranchNode(int shift, int entryMap, int childMap, Object[] slots) {
        super(slots);
        this.shift = shift;
        this.entryMap = entryMap;
        this.childMap = childMap;
    }

    static <K, V> BranchNode<K, V> emptyRoot() {
        return new BranchNode<>(0, 0, 0, new Object[0]);
    }

    /** The smallest node, from this level down, that holds two different keys. */
    private static <K, V> TrieNode<K, V> pair(int shift, K key1, V value1, int hash2, K key2, V value2) {
        int hash1 = hashOf(key1);
        if (shift >= HASH_BITS) {
            return new CollisionNode<>(new Object[] {key1, value1, key2, value2});
        }
        int bit1 = bit(hash1, shift);
        int bit2 = bit(hash2, shift);
        if (bit1 == bit2) {
            TrieNode<K, V> below = pair(shift + BITS_PER_LEVEL, key1, value1, hash2, key2, value2);
            return new BranchNode<>(shift, 0, bit1, new Object[] {below});
        }
        Object[] slots = Integer.compareUnsigned(bit1, bit2) < 0
                ? new Object[] {key1, value1, key2, value2}
                : new Object[] {key2, value2, key1, value1};
        return new BranchNode<>(shift, bit1 | bit2, 0, slots);
    }

    private static int bit(int hash, int shift) {
        return 1 << ((hash >>> shift) & 31);
    }

    /** How many of the map's bits come before this one. */
    private static int rank(int map, int bit) {
        return Integer.bitCount(map & (bit - 1));
    }

    @Override
    int entryCount() {
        return Integer.bitCount(entryMap);
    }

    @Override
    int childCount() {
        return Integer.bitCount(childMap);
    }

    @Override
    @Nullable TrieNode<K, V> childFor(int hash) {
        int bit = bit(hash, shift);
        return (childMap & bit) == 0 ? null : child(rank(childMap, bit));
    }

    @Override
    int candidatesStart(int hash) {
        return rank(entryMap, bit(hash, shift));
    }

    @Override
    int candidatesEnd(int hash) {
        int bit = bit(hash, shift);
        return rank(entryMap, bit) + ((entryMap & bit) == 0 ? 0 : 1);
    }

    @Override
    TrieNode<K, V> put(int hash, K key, V value) {
        int bit = bit(hash, shift);
        if ((childMap & bit) != 0) {
            int index = rank(childMap, bit);
            return withChild(index, child(index).put(hash, key, value));
        }
        int entry = rank(entryMap, bit);
        if ((entryMap & bit) == 0) {
            return withEntry(bit, entry, key, value);
        }
        if (key(entry).equals(key)) {
            return new BranchNode<>(shift, entryMap, childMap, withSlot(2 * entry + 1, value));
        }
        return entryToChild(
                bit, entry, pair(shift + BITS_PER_LEVEL, this.key(entry), this.value(entry), hash, key, value));
    }

    @Override
    TrieNode<K, V> remove(int hash, Object key) {
        int bit = bit(hash, shift);
        if ((childMap & bit) == 0) {
            return withoutEntry(bit);
        }
        int index = rank(childMap, bit);
        TrieNode<K, V> child = child(index).remove(hash, key);
        return child.isSingleEntry() ? childToEntry(bit, index, child) : withChild(index, child);
    }

    private BranchNode<K, V> withChild(int index, TrieNode<K, V> child) {
        return new BranchNode<>(shift, entryMap, childMap, withSlot(2 * entryCount() + index, child));
    }

    private BranchNode<K, V> withEntry(int bit, int entry, K key, V value) {
        int at = 2 * entry;
        Object[] copy = new Object[slots.length + 2];
        System.arraycopy(slots, 0, copy, 0, at);
        copy[at] = key;
        copy[at + 1] = value;
        System.arraycopy(slots, at, copy, at + 2, slots.length - at);
        return new BranchNode<>(shift, entryMap | bit, childMap, copy);
    }

    private BranchNode<K, V> withoutEntry(int bit) {
        int at = 2 * rank(entryMap, bit);
        Object[] copy = new Object[slots.length - 2];
        System.arraycopy(slots, 0, copy, 0, at);
        System.arraycopy(slots, at + 2, copy, at, copy.length - at);
        return new BranchNode<>(shift, entryMap & ~bit, childMap, copy);
    }

    /** Two entries met in one slot: both go down into a child. */
    private BranchNode<K, V> entryToChild(int bit, int entry, TrieNode<K, V> child) {
        int from = 2 * entry;
        int to = 2 * (entryCount() - 1) + rank(childMap, bit);
        Object[] copy = new Object[slots.length - 1];
        System.arraycopy(slots, 0, copy, 0, from);
        System.arraycopy(slots, from + 2, copy, from, to - from);
        copy[to] = child;
        System.arraycopy(slots, to + 2, copy, to + 1, copy.length - to - 1);
        return new BranchNode<>(shift, entryMap & ~bit, childMap | bit, copy);
    }

    /** A child is down to one entry: it comes up, which keeps the canonical form. */
    private BranchNode<K, V> childToEntry(int bit, int index, TrieNode<K, V> child) {
        int from = 2 * entryCount() + index;
        int to = 2 * rank(entryMap, bit);
        Object[] copy = new Object[slots.length + 1];
        System.arraycopy(slots, 0, copy, 0, to);
        copy[to] = child.key(0);
        copy[to + 1] = child.value(0);
        System.arraycopy(slots, to, copy, to + 2, from - to);
        System.arraycopy(slots, from + 1, copy, from + 2, slots.length - from - 1);
        return new BranchNode<>(shift, entryMap | bit, childMap & ~bit, copy);
    }
}
