package io.warren.mirroring.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.spi.ManualClock;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MemoryNetworkTest {
    private static final Duration BEAT = Duration.ofMillis(500);
    private static final Frame<String> FRAME = new Frame.Hello<>(1, 2, new Position(1, 3));

    private final ManualClock clock = new ManualClock();
    private final SeededExecutor executor = new SeededExecutor(7);
    private final MemoryNetwork<String> network = new MemoryNetwork<>(clock, clock, BEAT.toNanos());
    private final Heard atA = new Heard();
    private final Heard atB = new Heard();
    private Links<String> a;
    private Links<String> b;

    @BeforeEach
    void link() {
        clock.afterEachTask(executor::runAll);
        a = network.join(new Member("a", 1), executor, atA);
        b = network.join(new Member("b", 4), executor, atB);
        a.keep("b", "b");
        executor.runAll();
    }

    private void forget() {
        executor.runAll();
        atA.clear();
        atB.clear();
    }

    @Test
    void shouldTellBothEndsWhenALinkComesUp() {
        assertThat(atA.lines()).containsExactly("up b.4");
        assertThat(atB.lines()).containsExactly("up a.1");
    }

    @Test
    void shouldKeepTheOrderWhenFramesAndMessagesAreSent() {
        forget();

        atA.link("b").send("q", FRAME);
        atA.link("b").send("q", 3, new byte[] {7});
        atA.link("b").send("q", FRAME);
        executor.runAll();

        assertThat(atB.lines()).containsExactly("a.1 q " + FRAME, "a.1 q 3 [7]", "a.1 q " + FRAME);
    }

    @Test
    void shouldReportDeathByARefusedConnectionWhenAProcessIsKilled() {
        forget();

        network.kill("b");
        executor.runAll();

        assertThat(atA.lines()).containsExactly("down b.4 CUT", "refused b.4");
        assertThat(atB.lines()).isEmpty();
    }

    @Test
    void shouldLinkTheNextIncarnationWhenAProcessComesBack() {
        network.kill("b");
        forget();

        network.join(new Member("b", 5), executor, atB);
        executor.runAll();

        assertThat(atA.lines()).containsExactly("up b.5");
        assertThat(atB.lines()).containsExactly("up a.1");
    }

    @Test
    void shouldRefuseANameWhenItsProcessIsThere() {
        assertThatThrownBy(() -> network.join(new Member("b", 5), executor, atB))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("b.5 cannot join: b.4 is there");
    }

    @Test
    void shouldTimeOutWhenAProcessIsFrozenAndProveNothing() {
        forget();

        network.freeze("b");
        clock.advance(BEAT.multipliedBy(5));

        assertThat(atA.lines()).containsExactly("down b.4 TIMEOUT");
        assertThat(atB.lines()).isEmpty();

        network.thaw("b");
        clock.advance(BEAT);

        assertThat(atA.lines()).containsExactly("down b.4 TIMEOUT", "up b.4");
        assertThat(atB.lines()).containsExactly("down a.1 CUT", "up a.1");
    }

    @Test
    void shouldTimeOutAtBothEndsWhenBothWaysAreCut() {
        forget();

        network.cut("a", "b");
        clock.advance(BEAT.multipliedBy(5));

        assertThat(atA.lines()).containsExactly("down b.4 TIMEOUT");
        assertThat(atB.lines()).containsExactly("down a.1 TIMEOUT");

        network.heal("a", "b");
        clock.advance(BEAT);

        assertThat(atA.lines()).endsWith("up b.4");
    }

    @Test
    void shouldTimeOutAtTheReceiverWhenOneWayIsCut() {
        forget();

        network.cutOneWay("a", "b");
        clock.advance(BEAT.multipliedBy(5));

        assertThat(atB.lines()).containsExactly("down a.1 TIMEOUT");
        assertThat(atA.lines()).as("the way back is open").containsExactly("down b.4 CUT");
    }

    @Test
    void shouldDeliverWhatWasUnderWayWhenACutIsShort() {
        forget();

        network.cut("a", "b");
        atA.link("b").send("q", FRAME);
        clock.advance(BEAT);
        assertThat(atB.lines()).isEmpty();
        network.heal("a", "b");
        clock.advance(BEAT.multipliedBy(9));

        assertThat(atB.lines()).containsExactly("a.1 q " + FRAME);
        assertThat(atA.lines()).isEmpty();
    }

    @Test
    void shouldLoseWhatWasUnderWayWhenTheLinkGoesDown() {
        network.cut("a", "b");
        atA.link("b").send("q", FRAME);
        Link<String> old = atA.link("b");
        clock.advance(BEAT.multipliedBy(5));
        forget();

        network.heal("a", "b");
        old.send("q", FRAME);
        clock.advance(BEAT);

        assertThat(atB.lines()).containsExactly("up a.1");
    }

    @Test
    void shouldReportNoDeathWhileTheNetworkIsCutWhenAProcessIsKilled() {
        network.cut("a", "b");
        forget();

        network.kill("b");
        clock.advance(BEAT.multipliedBy(5));
        assertThat(atA.lines()).containsExactly("down b.4 TIMEOUT");
        network.heal("a", "b");
        clock.advance(BEAT);

        assertThat(atA.lines()).containsExactly("down b.4 TIMEOUT", "refused b.4");
    }

    @Test
    void shouldComeUpAgainWhenTheConnectionBreaks() {
        forget();

        network.reset("b", "a");
        clock.advance(BEAT);

        assertThat(atA.lines()).containsExactly("down b.4 CUT", "up b.4");
        assertThat(atB.lines()).containsExactly("down a.1 CUT", "up a.1");
    }

    @Test
    void shouldRefuseAGroupAndNoOtherWhenItsReceiverTakesNothingIn() {
        atB.keepAll();
        byte[] large = new byte[1 << 20];
        forget();

        int taken = 0;
        while (atA.link("b").send("slow", 1, large)) {
            taken++;
        }

        assertThat(taken).isBetween(63, 66);
        assertThat(atA.link("b").send("slow", 1, new byte[0])).isTrue();
        assertThat(atA.link("b").send("other", 1, large)).isTrue();
        executor.runAll();
        atB.link("a").giveBack("slow", 2 << 20);
        assertThat(atA.link("b").send("slow", 1, large)).isTrue();
    }

    @Test
    void shouldCarryValuesWhenAHeartbeatIsDue() {
        a.tell(3, 17);

        clock.advance(BEAT);

        assertThat(atB.heartbeats()).hasSize(1).first().isEqualTo(new long[] {3, 17});
        assertThat(atA.link("b").answeredNs()).isEqualTo(clock.nowNs());
    }

    @Test
    void shouldNotAnswerHeartbeatsWhenOneWayIsCut() {
        clock.advance(BEAT);
        long before = clock.nowNs();

        network.cutOneWay("b", "a");
        clock.advance(BEAT.multipliedBy(2));

        assertThat(atA.link("b").answeredNs()).isEqualTo(before);
    }

    @Test
    void shouldSayWhoIsThereWhenAnAddressIsSought() {
        Heard atC = new Heard();
        Links<String> c = network.join(new Member("c", 1), executor, atC);

        c.seek("b");
        c.seek("d");
        executor.runAll();

        assertThat(atC.lines()).containsExactly("up b.4", "unreached d: no node there");
    }

    @Test
    void shouldNotDialAgainWhenANodeIsDropped() {
        forget();

        a.drop("b");
        clock.advance(BEAT);

        assertThat(atA.lines()).containsExactly("down b.4 CUT");
    }

    @Test
    void shouldLookDeadToOthersWhenClosed() {
        forget();

        b.close();
        executor.runAll();

        assertThat(atA.lines()).containsExactly("down b.4 CUT", "refused b.4");
        assertThat(atB.lines()).isEmpty();
    }
}
