package io.warren.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.spi.BackingQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OffsetBitsTest {
    /** A few chunks, and offsets that no int holds. */
    private static final long FAR = 1L << 40;

    private static final int SPAN = 5 * OffsetBits.CHUNK_BITS;
    private static final int STEPS = 20_000;

    private final OffsetBits bits = new OffsetBits();

    private List<Long> all() {
        List<Long> all = new ArrayList<>();
        bits.forEach(all::add);
        return all;
    }

    @Test
    void shouldHoldOffsetsOfSeveralChunksInOrder() {
        List<Long> offsets = List.of(0L, 63L, 64L, 1_023L, 1_024L, 1_087L, 1_088L, 5_000L, FAR + 7);

        offsets.forEach(bits::add);

        assertThat(all()).isEqualTo(offsets);
        assertThat(bits.size()).isEqualTo(9);
        assertThat(bits.first()).isZero();
        assertThat(bits.next(1)).isEqualTo(63);
        assertThat(bits.next(65)).isEqualTo(1_023);
        assertThat(bits.next(1_023)).isEqualTo(1_023);
        assertThat(bits.next(1_089)).isEqualTo(5_000);
        assertThat(bits.next(5_001)).isEqualTo(FAR + 7);
        assertThat(bits.next(FAR + 8)).isEqualTo(BackingQueue.NONE);
    }

    @Test
    void shouldFindWhatComesBehindAChunkThatIsEmptyAgain() {
        bits.add(10);
        bits.add(2_000);
        bits.add(9_000);

        assertThat(bits.remove(2_000)).isTrue();

        assertThat(bits.remove(2_000)).isFalse();
        assertThat(bits.contains(2_000)).isFalse();
        assertThat(bits.next(11)).isEqualTo(9_000);
        assertThat(all()).containsExactly(10L, 9_000L);
    }

    @Test
    void shouldTakeOffsetsBelowTheFirstBack() {
        bits.add(9_000);
        assertThat(bits.first()).isEqualTo(9_000);

        bits.add(5);

        assertThat(bits.first()).isEqualTo(5);
        assertThat(bits.next(6)).isEqualTo(9_000);
    }

    @Test
    void shouldCountAnOffsetThatComesTwiceOnce() {
        bits.add(1_500);
        bits.add(1_500);

        assertThat(bits.size()).isEqualTo(1);
        assertThat(bits.remove(1_500)).isTrue();
        assertThat(bits.size()).isZero();
        assertThat(bits.first()).isEqualTo(BackingQueue.NONE);
        assertThat(bits.next(0)).isEqualTo(BackingQueue.NONE);
    }

    /** Ten million offsets that come and go in order keep no chunk but the last. */
    @Test
    void shouldGoOnBehindWhatHasGone() {
        for (long offset = FAR; offset < FAR + 3 * OffsetBits.CHUNK_BITS; offset++) {
            bits.add(offset);
            assertThat(bits.first()).isEqualTo(offset);
            assertThat(bits.remove(offset)).isTrue();
        }

        bits.add(FAR + SPAN);
        assertThat(all()).containsExactly(FAR + SPAN);
    }

    @Test
    void shouldAgreeWithASortedSetWhateverIsDone() {
        SplittableRandom random = new SplittableRandom(42);
        TreeSet<Long> expected = new TreeSet<>();
        for (int step = 0; step < STEPS; step++) {
            long offset = (random.nextInt(4) == 0 ? FAR : 0) + random.nextInt(SPAN);
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    bits.add(offset);
                    expected.add(offset);
                }
                case 2, 3 -> assertThat(bits.remove(offset)).isEqualTo(expected.remove(offset));
                default -> {
                    Long next = expected.ceiling(offset);
                    assertThat(bits.next(offset)).isEqualTo(next == null ? BackingQueue.NONE : next);
                    assertThat(bits.first()).isEqualTo(expected.isEmpty() ? BackingQueue.NONE : expected.first());
                    assertThat(bits.contains(offset)).isEqualTo(expected.contains(offset));
                }
            }
            assertThat(bits.size()).isEqualTo(expected.size());
        }
        assertThat(all()).isEqualTo(List.copyOf(expected));
    }
}
