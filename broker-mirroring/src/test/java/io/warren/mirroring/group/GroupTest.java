package io.warren.mirroring.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.mirroring.link.Link;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Log;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** The member of b, the slave of a; turns run when the test says so. */
class GroupTest {
    private static final Member A = new Member("a", 1);
    private static final Member B = new Member("b", 1);

    private final Queue<Runnable> turns = new ArrayDeque<>();
    private final RecordedGroup output = new RecordedGroup();
    private final Group<String> group =
            new Group<>("q", B, 1, GroupOptions.inMemory(), new Log<>(), output, turns::add);

    private void runTurns() {
        while (!turns.isEmpty()) {
            turns.remove().run();
        }
    }

    private static View view(long epoch) {
        return new View(1, epoch, 1, 0, 0, 1, true, List.of(A, B), List.of(), List.of());
    }

    private static Frame<String> hello() {
        return new Frame.Hello<>(1, 1, new Position(0, 0));
    }

    /** A link to a that notes what happens to it. */
    private static final class NotedLink implements Link<String> {
        private final List<String> sent = new ArrayList<>();
        private boolean refuses;
        private int givenBack;

        @Override
        public Member peer() {
            return A;
        }

        @Override
        public String address() {
            return "a";
        }

        @Override
        public boolean send(String group, Frame<String> frame) {
            if (!refuses) {
                sent.add(frame.getClass().getSimpleName() + " " + frame.epoch());
            }
            return !refuses;
        }

        @Override
        public boolean send(String group, int type, byte[] body) {
            sent.add(type == Group.TYPE_START_AGAIN ? "start again" : "started again");
            return true;
        }

        @Override
        public void sendAnyway(String group, int type, byte[] body) {
            throw new UnsupportedOperationException("a group sends nothing without room");
        }

        @Override
        public void giveBack(String group, int bytes) {
            givenBack += bytes;
        }

        @Override
        public long answeredNs() {
            return 0;
        }

        @Override
        public void cut() {
            throw new UnsupportedOperationException("a group cuts no link");
        }
    }

    @Test
    void shouldGiveBackAndAnswerWhatCameBehindTheInputThatFailed() {
        NotedLink link = new NotedLink();
        group.onLinkUp(link);
        group.onFrame(link, hello(), 10);
        group.post(ring -> {
            throw new IllegalStateException("broken on purpose");
        });
        group.onFrame(link, hello(), 200);
        group.onStartAgain(link);
        group.onFrame(link, hello(), 3_000);

        runTurns();

        assertThat(output.lines()).contains("failed broken on purpose");
        assertThat(link.givenBack).isEqualTo(3_210);
        assertThat(link.sent).contains("started again");
    }

    @Test
    void shouldSpeakOverTheNextLinkWhenTheLastOneHasRefusedInTheSameTurn() {
        group.onView(view(1));
        runTurns();
        NotedLink refusing = new NotedLink();
        refusing.refuses = true;
        NotedLink next = new NotedLink();
        group.onLinkUp(refusing);
        group.onLinkDown(refusing);
        group.onLinkUp(next);
        runTurns();
        assertThat(refusing.sent).containsExactly("start again");
        assertThat(next.sent).contains("Hello 1");

        group.onView(view(2));
        runTurns();

        assertThat(next.sent).contains("Hello 2");
    }

    @Test
    void shouldTakeNothingFromALinkThatIsNotThePresentOne() {
        NotedLink last = new NotedLink();
        NotedLink next = new NotedLink();
        next.refuses = true;
        group.onView(view(1));
        group.onLinkUp(last);
        group.onLinkDown(last);
        group.onLinkUp(next);
        runTurns();
        assertThat(next.sent).containsExactly("start again");
        next.refuses = false;

        group.onStartedAgain(last);
        runTurns();
        assertThat(next.sent).containsExactly("start again");
        group.onStartedAgain(next);
        runTurns();

        assertThat(next.sent).containsExactly("start again", "Hello 1");
    }

    @Test
    void shouldCostNothingByTicksWhileItsMemberIsAtRest() {
        group.onView(view(1));
        runTurns();

        group.onTick(1_000);

        assertThat(turns).isEmpty();
    }

    @Test
    void shouldTellItsMemberOfTheTimeWhileSomethingWaits() {
        group.onView(view(1));
        group.broadcast("x", true, 1);
        runTurns();

        group.onTick(1_000);

        assertThat(turns).hasSize(1);
    }

    /** Ticks are left out while it rests: what is broadcast then has not waited since the last one it was told of. */
    @Test
    void shouldNotSendAgainWhatWasBroadcastJustNowAfterALongRest() {
        NotedLink link = new NotedLink();
        group.onLinkUp(link);
        group.onView(view(1));
        group.onFrame(link, new Frame.Append<>(1, 1, true, Position.START, List.of(), 0, 0), 0);
        runTurns();
        long restedNs = 100 * GroupOptions.inMemory().ring().resendNs();
        group.onTick(restedNs);

        group.broadcast("x", true, 1);
        runTurns();
        group.onTick(restedNs + 1);
        runTurns();

        assertThat(link.sent).filteredOn("Broadcast 1"::equals).hasSize(1);
    }
}
