package io.warren.core.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SequenceMapTest {

    private final SequenceMap<String> map = new SequenceMap<>();

    private void put(int from, int to) {
        for (int sequence = from; sequence <= to; sequence++) {
            map.put(sequence, "v" + sequence);
        }
    }

    private List<Long> removeUpTo(long sequence) {
        List<Long> removed = new ArrayList<>();
        map.removeUpTo(sequence, (number, value) -> {
            assertThat(value).isEqualTo("v" + number);
            removed.add(number);
        });
        return removed;
    }

    @Test
    void shouldGiveBackValuesWhenAskedByNumber() {
        put(1, 200);

        assertThat(map.size()).isEqualTo(200);
        assertThat(map.get(1)).isEqualTo("v1");
        assertThat(map.get(64)).isEqualTo("v64");
        assertThat(map.get(130)).isEqualTo("v130");
        assertThat(map.get(200)).isEqualTo("v200");
        assertThat(map.get(0)).isNull();
        assertThat(map.get(201)).isNull();
        assertThat(map.get(1_000)).isNull();
    }

    @Test
    void shouldBeEmptyWhenLastValueIsRemoved() {
        put(1, 1);
        assertThat(map.isEmpty()).isFalse();

        assertThat(map.remove(1)).isEqualTo("v1");
        assertThat(map.remove(1)).isNull();
        assertThat(map.remove(500)).isNull();

        assertThat(map.isEmpty()).isTrue();
        assertThat(map.size()).isZero();
    }

    @Test
    void shouldCountOnceWhenPutTwice() {
        put(1, 1);
        map.put(1, "again");

        assertThat(map.size()).isEqualTo(1);
        assertThat(map.get(1)).isEqualTo("again");
        map.remove(1);
        assertThat(map.isEmpty()).isTrue();
    }

    @Test
    void shouldRemoveSmallestFirstAndTheNumberItselfWhenRemovedUpTo() {
        put(1, 200);
        map.remove(3);
        map.remove(64);

        assertThat(removeUpTo(65)).hasSize(63).startsWith(1L, 2L, 4L).endsWith(63L, 65L);

        assertThat(map.size()).isEqualTo(135);
        assertThat(map.get(66)).isEqualTo("v66");
    }

    @Test
    void shouldRemoveAllWhenRemovedUpToTheGreatestNumber() {
        put(1, 200);

        assertThat(removeUpTo(Long.MAX_VALUE)).hasSize(200);

        assertThat(map.isEmpty()).isTrue();
        assertThat(removeUpTo(Long.MAX_VALUE)).isEmpty();
        put(201, 210);
        assertThat(removeUpTo(Long.MAX_VALUE)).hasSize(10);
    }

    @Test
    void shouldRemoveNothingWhenAllAreGreater() {
        put(70, 80);

        assertThat(removeUpTo(69)).isEmpty();
        assertThat(removeUpTo(5)).isEmpty();

        assertThat(map.size()).isEqualTo(11);
    }

    @Test
    void shouldStopAtNumberWhenChunksAreManyAndSparse() {
        put(1, 500);
        for (int sequence = 1; sequence <= 500; sequence++) {
            if (sequence % 100 != 0) {
                map.remove(sequence);
            }
        }

        assertThat(removeUpTo(250)).containsExactly(100L, 200L);
        assertThat(removeUpTo(499)).containsExactly(300L, 400L);
        assertThat(removeUpTo(500)).containsExactly(500L);
    }

    @Test
    void shouldKeepOneChunkWhenEachGoesBeforeTheNextComes() {
        for (int sequence = 1; sequence <= 10_000; sequence++) {
            map.put(sequence, "v" + sequence);
            map.remove(sequence);
        }

        assertThat(map.chunkCount()).isEqualTo(1);
    }

    @Test
    void shouldKeepOneChunkMoreWhenOneValueStaysForEver() {
        put(1, 1);
        for (int sequence = 2; sequence <= 10_000; sequence++) {
            map.put(sequence, "v" + sequence);
            map.remove(sequence);
        }

        assertThat(map.chunkCount()).isEqualTo(2);
        assertThat(map.get(1)).isEqualTo("v1");
    }

    @Test
    void shouldReleaseChunksWhenRemovedUpTo() {
        put(1, 1_000);

        removeUpTo(990);

        assertThat(map.chunkCount()).isEqualTo(1);
        assertThat(map.get(991)).isEqualTo("v991");
    }

    @Test
    void shouldTakeSmallerNumbersAgainWhenTheyComeBack() {
        put(1, 300);
        removeUpTo(200);

        map.put(10, "v10");
        map.put(5, "v5");
        map.put(301, "v301");

        assertThat(removeUpTo(100)).containsExactly(5L, 10L);
        assertThat(map.get(301)).isEqualTo("v301");
        assertThat(map.get(10)).isNull();
        assertThat(map.chunkCount()).isEqualTo(2);
    }

    @Test
    void shouldAgreeWithTreeMapWhenUsedAtRandom() {
        SplittableRandom random = new SplittableRandom(7);
        TreeMap<Long, String> expected = new TreeMap<>();
        long last = 0;
        for (int i = 0; i < 50_000; i++) {
            int choice = random.nextInt(100);
            long number = random.nextLong(Math.max(0, last - 300), last + 2);
            if (choice < 50) {
                last++;
                map.put(last, "v" + last);
                expected.put(last, "v" + last);
            } else if (choice < 95) {
                assertThat(map.remove(number)).isEqualTo(expected.remove(number));
            } else if (choice < 97) {
                assertThat(removeUpTo(number))
                        .isEqualTo(List.copyOf(expected.headMap(number, true).keySet()));
                expected.headMap(number, true).clear();
            } else {
                assertThat(map.get(number)).isEqualTo(expected.get(number));
            }
            assertThat(map.size()).isEqualTo(expected.size());
        }
    }
}
