package io.warren.mirroring.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Node a, which has the lower name and decides; the other end is b. */
class LinkNumbersTest {
    private final LinkNumbers a = new LinkNumbers();
    private final LinkNumbers b = new LinkNumbers();

    private void link(long number) {
        a.onUp("b", number);
        b.onUp("a", number);
    }

    @Test
    void shouldTakeTheFirstConnection() {
        assertThat(a.isDuplicate("b", b.lost("a"))).isFalse();
    }

    @Test
    void shouldRefuseAConnectionThatWasDialledBeforeTheOtherEndSawTheLink() {
        long saidBefore = b.lost("a");
        link(7);

        assertThat(a.isDuplicate("b", saidBefore)).isTrue();
    }

    @Test
    void shouldRefuseAConnectionWhileTheOtherEndHasTheLink() {
        link(7);

        // What it answers to a HELLO that this end sent before the link was up.
        assertThat(a.isDuplicate("b", b.lost("a"))).isTrue();
    }

    @Test
    void shouldReplaceALinkThatTheOtherEndHasLostWhoeverDialled() {
        link(7);
        b.onDown("a", 7);

        assertThat(b.lost("a")).isEqualTo(7);
        assertThat(a.isDuplicate("b", b.lost("a"))).isFalse();
    }

    @Test
    void shouldNotReplaceALinkBecauseTheOneBeforeItIsLost() {
        link(7);
        b.onDown("a", 7);
        long saidBefore = b.lost("a");
        link(8);
        a.onDown("b", 7);

        assertThat(a.isDuplicate("b", saidBefore)).isTrue();
        assertThat(a.lost("b")).isZero();
    }
}
