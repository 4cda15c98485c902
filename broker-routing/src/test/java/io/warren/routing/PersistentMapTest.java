package io.warren.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersistentMapTest {

    private final PersistentMap<Key, String> empty = PersistentMap.empty();

    @Test
    void shouldHoldNothingWhenEmpty() {
        assertThat(empty.isEmpty()).isTrue();
        assertThat(empty.size()).isZero();
        assertThat(empty.get(key(1))).isNull();
        assertThat(empty.containsKey(key(1))).isFalse();
        assertThat(empty.entries()).isEmpty();
        assertThat(empty.remove(key(1))).isSameAs(empty);
        assertThat(empty).hasToString("{}");
    }

    @Test
    void shouldAddReplaceAndRemove() {
        PersistentMap<Key, String> one = empty.put(key(1), "a");
        PersistentMap<Key, String> replaced = one.put(key(1), "b");
        PersistentMap<Key, String> removed = replaced.remove(key(1));

        assertThat(one.get(key(1))).isEqualTo("a");
        assertThat(one.isEmpty()).isFalse();
        assertThat(replaced.get(key(1))).isEqualTo("b");
        assertThat(replaced.size()).isEqualTo(1);
        assertThat(removed).isSameAs(empty);
    }

    @Test
    void shouldReturnItselfWhenNothingChanges() {
        PersistentMap<Key, String> map = empty.put(key(1), "a");

        assertThat(map.put(key(1), "a")).isSameAs(map);
        assertThat(map.remove(key(2))).isSameAs(map);
        assertThat(map.remove(new Key(2, 1))).isSameAs(map);
    }

    @Test
    @SuppressWarnings("NullAway") // for callers that are not checked by it
    void shouldRefuseNull() {
        assertThatThrownBy(() -> empty.put(null, "a")).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> empty.put(key(1), null)).isInstanceOf(NullPointerException.class);
    }

    /** Keys with one hash code, keys that part at the last level, at the first, and in the middle. */
    @ParameterizedTest
    @ValueSource(ints = {0x0, 0x4000_0000, 0x1, 0x8000, 0x8000_0000, 0x21, 0x0400_0000})
    void shouldTellKeysApartAtEveryDepth(int otherHash) {
        Key first = new Key(1, 0);
        Key second = new Key(2, otherHash);
        Key third = new Key(3, otherHash);

        PersistentMap<Key, String> map = empty.put(first, "a").put(second, "b").put(third, "c");
        PersistentMap<Key, String> replaced = map.put(third, "d");

        assertThat(map.get(first)).isEqualTo("a");
        assertThat(map.get(second)).isEqualTo("b");
        assertThat(map.get(third)).isEqualTo("c");
        assertThat(map.get(new Key(4, otherHash))).isNull();
        assertThat(replaced.get(third)).isEqualTo("d");
        assertThat(replaced.get(second)).isEqualTo("b");
        assertThat(replaced.size()).isEqualTo(3);
        assertThat(map.remove(second).get(second)).isNull();
        assertThat(map.remove(second).get(third)).isEqualTo("c");
        assertThat(map.remove(second).remove(first).entries()).containsExactly(Map.entry(third, "c"));
        assertThat(map.remove(first).remove(third).entries()).containsExactly(Map.entry(second, "b"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 32, 33, 1_000, 5_000})
    void shouldHoldWhatAHashMapHolds(int count) {
        Map<Key, String> expected = new HashMap<>();
        PersistentMap<Key, String> map = empty;

        for (Key key : shuffledKeys(count, 1)) {
            expected.put(key, "v" + key.name);
            map = map.put(key, "v" + key.name);
        }

        assertHolds(map, expected);
    }

    @Test
    void shouldHoldWhatIsLeftAfterRemovals() {
        Map<Key, String> expected = new HashMap<>();
        PersistentMap<Key, String> map = fill(shuffledKeys(1_000, 1));
        map.forEach(expected::put);

        for (Key key : shuffledKeys(1_000, 2).subList(0, 900)) {
            expected.remove(key);
            map = map.remove(key);
        }

        assertHolds(map, expected);
    }

    /** Lemma 1. */
    @Test
    void shouldLeaveOldMapUnchanged() {
        PersistentMap<Key, String> map = fill(shuffledKeys(200, 1));
        Map<Key, String> before = new HashMap<>();
        map.forEach(before::put);

        for (Key key : shuffledKeys(400, 2)) {
            assertThat(map.put(key, "other").get(key)).isEqualTo("other");
            assertThat(map.remove(key).get(key)).isNull();
        }

        assertHolds(map, before);
    }

    /** Lemma 4: the order of iteration shows the shape. */
    @Test
    void shouldHaveOneShapeWhateverTheOrderOfChanges() {
        List<Key> keys = distinctHashes(300);
        List<Key> shuffled = new ArrayList<>(keys);
        Collections.shuffle(shuffled, new Random(7));
        PersistentMap<Key, String> map = fill(keys.subList(0, 100));
        PersistentMap<Key, String> other = fill(shuffled);

        for (Key key : shuffled) {
            other = keys.indexOf(key) < 100 ? other : other.remove(key);
        }

        assertThat(other.keys()).containsExactlyElementsOf(map.keys());
        assertThat(shapeOf(other)).isEqualTo(shapeOf(map));
    }

    @Test
    void shouldCompareByContent() {
        PersistentMap<Key, String> map = fill(shuffledKeys(100, 1));
        PersistentMap<Key, String> same = fill(shuffledKeys(100, 2));

        assertThat(map).isEqualTo(same).hasSameHashCodeAs(same);
        assertThat(map).isNotEqualTo(same.put(key(1), "other"));
        assertThat(map).isNotEqualTo(same.remove(key(1)));
        assertThat(map).isNotEqualTo(same.remove(key(1)).put(key(1_000), "v1"));
        assertThat(map).isNotEqualTo(Map.of());
        assertThat(map.hashCode()).isEqualTo(asHashMap(map).hashCode());
    }

    @Test
    void shouldIterateTheSameThreeWays() {
        PersistentMap<Key, String> map = fill(shuffledKeys(100, 1));
        List<Key> keys = new ArrayList<>();
        List<String> values = new ArrayList<>();

        map.forEach((key, value) -> {
            keys.add(key);
            values.add(value);
        });

        assertThat(map.keys()).containsExactlyElementsOf(keys);
        assertThat(map.values()).containsExactlyElementsOf(values);
        assertThat(map.entries()).extracting(Map.Entry::getKey).containsExactlyElementsOf(keys);
        assertThat(map.entries()).extracting(Map.Entry::getValue).containsExactlyElementsOf(values);
    }

    @Test
    void shouldEndIterationWithException() {
        Iterator<String> values = empty.put(key(1), "a").values().iterator();

        assertThat(values.next()).isEqualTo("a");
        assertThat(values.hasNext()).isFalse();
        assertThatThrownBy(values::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void shouldPrintLikeAMap() {
        PersistentMap<String, Integer> map =
                PersistentMap.<String, Integer>empty().put("a", 1).put("b", 2);

        assertThat(map).hasToString("{a=1, b=2}");
    }

    private static void assertHolds(PersistentMap<Key, String> map, Map<Key, String> expected) {
        assertThat(map.size()).isEqualTo(expected.size());
        assertThat(asHashMap(map)).isEqualTo(expected);
        assertThat(map.entries()).containsExactlyInAnyOrderElementsOf(expected.entrySet());
        expected.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
    }

    private static Map<Key, String> asHashMap(PersistentMap<Key, String> map) {
        Map<Key, String> copy = new HashMap<>();
        map.forEach(copy::put);
        return copy;
    }

    /** The nodes as nested text: how many entries each has, and its children. */
    private static String shapeOf(PersistentMap<Key, String> map) {
        return shapeOf(map.root());
    }

    private static String shapeOf(TrieNode<Key, String> node) {
        StringBuilder shape = new StringBuilder("(").append(node.entryCount());
        for (int i = 0; i < node.childCount(); i++) {
            shape.append(shapeOf(node.child(i)));
        }
        return shape.append(')').toString();
    }

    private static PersistentMap<Key, String> fill(List<Key> keys) {
        PersistentMap<Key, String> map = PersistentMap.empty();
        for (Key key : keys) {
            map = map.put(key, "v" + key.name);
        }
        return map;
    }

    /** Keys of which about a third share their hash code with others, the rest agree in many of its bits. */
    private static List<Key> shuffledKeys(int count, long seed) {
        List<Key> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(key(i));
        }
        Collections.shuffle(keys, new Random(seed));
        return keys;
    }

    private static List<Key> distinctHashes(int count) {
        List<Key> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(new Key(i, i * 0x0101_0101));
        }
        return keys;
    }

    private static Key key(int name) {
        return new Key(name, name % 3 == 0 ? name % 30 << 25 : name * 0x0100_0101);
    }

    /** A key whose hash code the test chooses. */
    private record Key(int name, int hash) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && key.name == name;
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
