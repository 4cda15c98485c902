package io.warren.routing;

import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * An immutable hash map whose changes return a new map that shares all but one path with the old one.
 *
 * <p>Why: topology is one value that publishers read without a lock while commands replace it, and binding the
 * ten-thousandth key must copy no table. A hash array mapped trie of 32-way nodes gives both: {@link #get},
 * {@link #put} and {@link #remove} touch at most eight nodes, for a million keys about four.
 *
 * <p>Neither keys nor values may be null. Iteration order is a function of the contents where hash codes are
 * deterministic (strings, and records of strings; not enum constants, whose hash code changes from one JVM to the
 * next), with one exception: keys with the very same 32-bit hash code come in the order in which they were put.
 *
 * <p>Any thread may use any map; there is nothing to own.
 *
 * @param <K> the key
 * @param <V> the value
 */
public final class PersistentMap<K, V> {

    private static final PersistentMap<?, ?> EMPTY = new PersistentMap<>(BranchNode.emptyRoot(), 0);

    private final TrieNode<K, V> root;
    private final int size;

    private PersistentMap(TrieNode<K, V> root, int size) {
        this.root = root;
        this.size = size;
    }

    /** The map without entries. */
    @SuppressWarnings("unchecked")
    public static <K, V> PersistentMap<K, V> empty() {
        return (PersistentMap<K, V>) EMPTY;
    }

    /** The value under the key, or null. */
    public @Nullable V get(Object key) {
        int hash = TrieNode.hashOf(key);
        TrieNode<K, V> home = home(hash);
        int end = home.candidatesEnd(hash);
        for (int i = home.candidatesStart(hash); i < end; i++) {
            if (key.equals(home.key(i))) {
                return home.value(i);
            }
        }
        return null;
    }

    /**
     * The value under one word of a routing key, or null; as {@link #get} with that word, but the word is never made
     * into a string.
     */
    @Nullable V getWord(RoutingKey routingKey, int word) {
        int hash = TrieNode.spread(routingKey.hashOfWord(word));
        TrieNode<K, V> home = home(hash);
        int end = home.candidatesEnd(hash);
        for (int i = home.candidatesStart(hash); i < end; i++) {
            if (routingKey.isWord(word, home.key(i))) {
                return home.value(i);
            }
        }
        return null;
    }

    /** The one node that holds keys of this hash, if there are any. */
    private TrieNode<K, V> home(int hash) {
        TrieNode<K, V> node = root;
        for (TrieNode<K, V> child = node.childFor(hash); child != null; child = node.childFor(hash)) {
            node = child;
        }
        return node;
    }

    /** Whether there is a value under the key. */
    public boolean containsKey(Object key) {
        return get(key) != null;
    }

    /** A map with the value under the key, added or replaced; this map if that very object is there already. */
    public PersistentMap<K, V> put(K key, V value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        V old = get(key);
        if (old == value) {
            return this;
        }
        return new PersistentMap<>(root.put(TrieNode.hashOf(key), key, value), old == null ? size + 1 : size);
    }

    /** A map without the key; this map if it is not there. */
    public PersistentMap<K, V> remove(Object key) {
        if (!containsKey(key)) {
            return this;
        }
        return size == 1 ? empty() : new PersistentMap<>(root.remove(TrieNode.hashOf(key), key), size - 1);
    }

    /** Number of entries. */
    public int size() {
        return size;
    }

    /** Whether there is no entry. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Calls the action with every key and its value. */
    public void forEach(BiConsumer<? super K, ? super V> action) {
        root.forEach(action);
    }

    /** The entries, in the order of {@link #forEach}. */
    public Iterable<Map.Entry<K, V>> entries() {
        return () -> iterator(Map::entry);
    }

    /** The keys, in the order of {@link #forEach}. */
    public Iterable<K> keys() {
        return () -> iterator((key, value) -> key);
    }

    /** The values, in the order of {@link #forEach}. */
    public Iterable<V> values() {
        return () -> iterator((key, value) -> value);
    }

    private <R> Iterator<R> iterator(BiFunction<K, V, R> view) {
        return new TrieIterator<>(root, view);
    }

    /** By content, whatever the order of changes was. */
    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof PersistentMap<?, ?> that) || that.size != size) {
            return false;
        }
        for (Map.Entry<K, V> entry : entries()) {
            if (!entry.getValue().equals(that.get(entry.getKey()))) {
                return false;
            }
        }
        return true;
    }

    /** The sum over the entries, as {@link Map#hashCode} has it. */
    @Override
    public int hashCode() {
        int sum = 0;
        for (Map.Entry<K, V> entry : entries()) {
            sum += entry.hashCode();
        }
        return sum;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        forEach((key, value) -> text.append(text.length() == 1 ? "" : ", ")
                .append(key)
                .append('=')
                .append(value));
        return text.append('}').toString();
    }
}
