package io.warren.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

class PersistentMapPropertyTest {

    @Property(tries = 2_000)
    void shouldEqualHashMapAfterAnyChanges(@ForAll("changes") List<Change> changes) {
        Map<Key, Integer> expected = new HashMap<>();
        PersistentMap<Key, Integer> map = PersistentMap.empty();

        for (Change change : changes) {
            Statistics.collect(change.value == null ? "remove" : "put", expected.containsKey(change.key));
            map = change.value == null ? map.remove(change.key) : map.put(change.key, change.value);
            if (change.value == null) {
                expected.remove(change.key);
            } else {
                expected.put(change.key, change.value);
            }
            assertThat(map.get(change.key)).isEqualTo(expected.get(change.key));
            assertThat(map.size()).isEqualTo(expected.size());
        }

        Map<Key, Integer> actual = new HashMap<>();
        map.forEach(actual::put);
        assertThat(actual).isEqualTo(expected);
        assertThat(map.entries()).containsExactlyInAnyOrderElementsOf(expected.entrySet());
        assertThat(map).hasSameHashCodeAs(expected);
    }

    @Provide
    Arbitrary<List<Change>> changes() {
        // Few hash codes, so that most keys collide; they part at the first, the fourth or the last level, or never.
        Arbitrary<Integer> hashes = Arbitraries.of(0, 1, 32, 0x8000, 0x4000_0000, 0x8000_0000, 0xffff_ffff);
        Arbitrary<Key> keys = Combinators.combine(Arbitraries.integers().between(0, 40), hashes)
                .as(Key::new);
        Arbitrary<Integer> values = Arbitraries.integers().between(0, 3).injectNull(0.4);
        return Combinators.combine(keys, values).as(Change::new).list().ofMaxSize(120);
    }

    /** A null value removes the key. */
    record Change(Key key, Integer value) {}

    record Key(int name, int hash) {

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
