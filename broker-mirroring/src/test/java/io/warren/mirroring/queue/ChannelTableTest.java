package io.warren.mirroring.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.mirroring.queue.ChannelTable.Known;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChannelTableTest {
    private static final ChannelId A = new ChannelId("a", 1, 1);
    private static final ChannelId B = new ChannelId("a", 1, 2);

    private final ChannelTable table = new ChannelTable();

    @Test
    void shouldKnowAPublishWhenItWasTaken() {
        table.onPublish(A, 1, 1);
        table.onPublish(A, 2, 1);

        assertThat(table.recognise(A, 1)).isEqualTo(Known.TAKEN);
        assertThat(table.recognise(A, 2)).isEqualTo(Known.TAKEN);
        assertThat(table.recognise(A, 3)).isEqualTo(Known.NEW);
        assertThat(table.recognise(B, 1)).isEqualTo(Known.NEW);
    }

    @Test
    void shouldTellWhatWasRefusedFromWhatWasTaken() {
        table.onPublish(A, 3, 2);
        table.onPublish(A, 7, 3);

        assertThat(table.recognise(A, 2)).isEqualTo(Known.TAKEN); // its answer was heard: nobody asks
        assertThat(table.recognise(A, 3)).isEqualTo(Known.TAKEN);
        assertThat(table.recognise(A, 4)).isEqualTo(Known.REFUSED);
        assertThat(table.recognise(A, 6)).isEqualTo(Known.REFUSED);
        assertThat(table.recognise(A, 7)).isEqualTo(Known.TAKEN);
        assertThat(table.recognise(A, 8)).isEqualTo(Known.NEW);
    }

    @Test
    void shouldForgetWhatIsBelowTheFirstOpenNumber() {
        table.onPublish(A, 3, 1);
        table.onPublish(A, 9, 2);
        assertThat(table.rows().get(0).gaps()).containsExactly(new OffsetRange(2, 2), new OffsetRange(4, 8));

        table.onPublish(A, 10, 6);

        assertThat(table.rows()).containsExactly(new ChannelTable.Row(A, 10, 6, List.of(new OffsetRange(6, 8))));
        table.onPublish(A, 11, 11);
        assertThat(table.rows()).containsExactly(new ChannelTable.Row(A, 11, 11, List.of()));
    }

    @Test
    void shouldRefuseWhatWasTakenAndNotKept() {
        for (long sequence : new long[] {1, 2, 4, 5, 6, 9}) {
            table.onPublish(A, sequence, Math.min(sequence, 2));
        }

        for (long sequence : new long[] {1, 4, 6, 9, 5}) {
            table.onNotKept(A, sequence);
        }
        table.onNotKept(B, 1);

        assertThat(table.rows()).containsExactly(new ChannelTable.Row(A, 9, 2, List.of(new OffsetRange(3, 9))));
        assertThat(table.recognise(A, 2)).isEqualTo(Known.TAKEN);
        assertThat(table.recognise(A, 9)).isEqualTo(Known.REFUSED);
        assertThat(table.recognise(A, 10)).isEqualTo(Known.NEW);
    }

    @Test
    void shouldStopWhenAPublishComesTwice() {
        table.onPublish(A, 3, 1);

        assertThatThrownBy(() -> table.onPublish(A, 3, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("once and in order");
    }

    @Test
    void shouldForgetAChannelWhenItIsGone() {
        table.onPublish(A, 3, 1);
        table.onPublish(B, 1, 1);

        table.remove(A);
        table.remove(A);

        assertThat(table.channels()).containsExactly(B);
        assertThat(table.recognise(A, 3)).isEqualTo(Known.NEW);
    }

    @Test
    void shouldKnowTheSameWhenCopied() {
        table.onPublish(A, 3, 1);
        table.onPublish(B, 7, 2);

        ChannelTable copy = table.copy();
        table.onPublish(A, 4, 4);

        assertThat(copy.recognise(A, 4)).isEqualTo(Known.NEW);
        assertThat(copy.recognise(A, 2)).isEqualTo(Known.REFUSED);
        assertThat(copy.recognise(B, 7)).isEqualTo(Known.TAKEN);
    }
}
