package io.warren.mirroring.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageTableTest {
    private final MessageTable table = new MessageTable();

    private void putAll(int from, int to) {
        for (int offset = from; offset < to; offset++) {
            table.put(offset, new byte[] {(byte) offset, 0});
        }
    }

    private List<Integer> held() {
        List<Integer> held = new ArrayList<>();
        table.forEach(entry -> held.add(entry[0] & 0xff));
        return held;
    }

    @Test
    void shouldHoldWhatIsPutUntilItIsRemoved() {
        putAll(0, 200);

        table.remove(new OffsetRange(1, 63));
        table.remove(new OffsetRange(65, 198));

        assertThat(held()).containsExactly(0, 64, 199);
        assertThat(table.size()).isEqualTo(3);
        assertThat(table.bytes()).isEqualTo(6);
        assertThat(table.get(64)).isNotNull();
        assertThat(table.get(65)).isNull();
        assertThat(table.get(100_000)).isNull();
    }

    @Test
    void shouldLookOnlyAtWhatIsThereWhenARangeIsHuge() {
        putAll(70, 75);

        table.remove(new OffsetRange(0, Long.MAX_VALUE));
        table.remove(new OffsetRange(0, Long.MAX_VALUE));

        assertThat(table.size()).isZero();
        assertThat(table.bytes()).isZero();
    }

    @Test
    void shouldStopWhenAnOffsetIsUsedTwice() {
        putAll(1, 2);

        assertThatThrownBy(() -> putAll(1, 2)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldMakeRangesOfEverythingBelowAnEndButForSome() {
        assertThat(OffsetRange.below(10, List.of())).containsExactly(new OffsetRange(0, 9));
        assertThat(OffsetRange.below(10, List.of(0L, 3L, 4L, 9L, 12L)))
                .containsExactly(new OffsetRange(1, 2), new OffsetRange(5, 8));
        assertThat(OffsetRange.below(0, List.of())).isEmpty();
    }
}
