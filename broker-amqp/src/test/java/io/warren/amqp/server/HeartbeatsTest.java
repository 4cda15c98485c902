package io.warren.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Heartbeats of four seconds on a loop whose time is moved by hand. */
final class HeartbeatsTest implements Heartbeats.Line {

    private static final int INTERVAL_SECONDS = 4;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Heartbeats heartbeats = new Heartbeats(this);
    private final List<String> done = new ArrayList<>();
    private boolean hasWritten;
    private boolean isPaused;
    private int second;

    HeartbeatsTest() {
        channel.freezeTime();
        heartbeats.start(channel.eventLoop(), INTERVAL_SECONDS);
    }

    @AfterEach
    void close() {
        channel.close().awaitUninterruptibly();
    }

    private void seconds(int count) {
        for (int i = 0; i < count; i++) {
            second++;
            channel.advanceTimeBy(1, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    @Override
    public boolean hasWritten() {
        boolean answer = hasWritten;
        hasWritten = false;
        return answer;
    }

    @Override
    public boolean isPaused() {
        return isPaused;
    }

    @Override
    public void sendHeartbeat() {
        done.add("heartbeat at " + second);
    }

    @Override
    public void giveUp() {
        done.add("given up at " + second);
    }

    @Test
    void shouldBeHeardEveryHalfIntervalWhenSomethingWasJustWritten() {
        hasWritten = true;

        seconds(3);

        assertThat(done).containsExactly("heartbeat at 2", "heartbeat at 3");
    }

    @Test
    void shouldSendNothingWhileOtherThingsAreWritten() {
        for (int i = 0; i < 6; i++) {
            hasWritten = true;
            heartbeats.onRead();
            seconds(1);
        }

        assertThat(done).isEmpty();
    }

    @Test
    void shouldGiveUpWhenPeerIsSilentForMoreThanTwoIntervals() {
        seconds(2 * INTERVAL_SECONDS);
        assertThat(done).noneMatch(it -> it.startsWith("given up"));

        seconds(3);

        assertThat(done).endsWith("given up at 9");
    }

    @Test
    void shouldWaitAnewWhenSomethingWasRead() {
        seconds(7);
        heartbeats.onRead();

        seconds(8);

        assertThat(done).noneMatch(it -> it.startsWith("given up"));
    }

    @Test
    void shouldNotGiveUpWhilePeerIsNotListenedTo() {
        isPaused = true;

        seconds(40);

        assertThat(done).noneMatch(it -> it.startsWith("given up"));
    }
}
