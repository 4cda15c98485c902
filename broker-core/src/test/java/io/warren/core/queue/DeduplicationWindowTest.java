package io.warren.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.metadata.DeduplicationLimits;
import org.junit.jupiter.api.Test;

class DeduplicationWindowTest {

    private static Message withHeader(Object id) {
        return Messages.message(
                "m", Properties.builder().header("x-deduplication-header", id).build());
    }

    private static DeduplicationWindow window(int countMax, long ageNs) {
        return new DeduplicationWindow(new DeduplicationLimits(countMax, ageNs));
    }

    @Test
    void shouldFindDuplicateWhenMessageIdWasSeen() {
        DeduplicationWindow window = window(10, 100);

        assertThat(window.isDuplicate(Messages.identified("m1", "a"), 0)).isFalse();
        assertThat(window.isDuplicate(Messages.identified("m2", "b"), 0)).isFalse();
        assertThat(window.isDuplicate(Messages.identified("m3", "a"), 0)).isTrue();
    }

    @Test
    void shouldFindNoDuplicateWhenMessagesHaveNoId() {
        DeduplicationWindow window = window(10, 100);

        assertThat(window.isDuplicate(Messages.message("m"), 0)).isFalse();
        assertThat(window.isDuplicate(Messages.message("m"), 0)).isFalse();
    }

    @Test
    void shouldPreferHeaderWhenMessageIdIsThereToo() {
        DeduplicationWindow window = window(10, 100);
        Message both = Messages.message(
                "m",
                Properties.builder()
                        .messageId("a")
                        .header("x-deduplication-header", "b")
                        .build());

        window.isDuplicate(Messages.identified("m", "a"), 0);

        assertThat(window.isDuplicate(both, 0)).isFalse();
        assertThat(window.isDuplicate(withHeader("b"), 0)).isTrue();
    }

    @Test
    void shouldCompareNumbersByValueWhenWidthsDiffer() {
        DeduplicationWindow window = window(10, 100);

        assertThat(window.isDuplicate(withHeader(7), 0)).isFalse();
        assertThat(window.isDuplicate(withHeader(7L), 0)).isTrue();
        assertThat(window.isDuplicate(withHeader((short) 7), 0)).isTrue();
        assertThat(window.isDuplicate(withHeader("7"), 0)).isFalse();
    }

    @Test
    void shouldForgetOldestWhenThereAreTooMany() {
        DeduplicationWindow window = window(2, 100);
        window.isDuplicate(withHeader("a"), 0);
        window.isDuplicate(withHeader("b"), 0);

        window.isDuplicate(withHeader("c"), 0);

        assertThat(window.isDuplicate(withHeader("b"), 0)).isTrue();
        assertThat(window.isDuplicate(withHeader("c"), 0)).isTrue();
        assertThat(window.isDuplicate(withHeader("a"), 0)).isFalse();
    }

    @Test
    void shouldForgetWhenAgeIsReached() {
        DeduplicationWindow window = window(10, 100);
        window.isDuplicate(withHeader("a"), 0);
        window.isDuplicate(withHeader("b"), 50);

        assertThat(window.isDuplicate(withHeader("a"), 99)).isTrue();
        assertThat(window.isDuplicate(withHeader("a"), 100)).isFalse();
        assertThat(window.isDuplicate(withHeader("b"), 149)).isTrue();
        assertThat(window.isDuplicate(withHeader("b"), 150)).isFalse();
    }
}
