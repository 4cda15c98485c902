package io.warren.core.queue;

import static io.warren.core.queue.QueueFixture.prioritised;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadyConsumersTest {

    private final FakeChannel channel = new FakeChannel("a");
    private final QueueConsumer low1 = prioritised(channel, "low1", 0, 0);
    private final QueueConsumer low2 = prioritised(channel, "low2", 0, 0);
    private final QueueConsumer high = prioritised(channel, "high", 1, 0);
    private final ReadyConsumers ready = new ReadyConsumers();

    @Test
    void shouldPollByPriorityThenTurnWhenSeveralAreReady() {
        ready.add(low1);
        ready.add(low2);
        ready.add(high);

        assertThat(ready.poll()).isSameAs(high);
        assertThat(ready.poll()).isSameAs(low1);
        assertThat(ready.poll()).isSameAs(low2);
        assertThat(ready.poll()).isNull();
    }

    @Test
    void shouldStandOnceWhenAddedTwice() {
        ready.add(low1);
        ready.add(low1);

        assertThat(ready.poll()).isSameAs(low1);
        assertThat(ready.poll()).isNull();
    }

    @Test
    void shouldStandAgainWhenAddedAfterPoll() {
        ready.add(low1);
        ready.poll();

        ready.add(low1);

        assertThat(ready.poll()).isSameAs(low1);
    }

    @Test
    void shouldBeNextWhenPutBackFirst() {
        ready.add(low1);
        ready.add(low2);
        QueueConsumer polled = ready.poll();

        ready.addFirst(polled);
        ready.add(polled);

        assertThat(ready.poll()).isSameAs(low1);
        assertThat(ready.poll()).isSameAs(low2);
        assertThat(ready.poll()).isNull();
    }

    @Test
    void shouldNotBePolledWhenRemoved() {
        ready.add(low1);
        ready.add(low2);

        ready.remove(low1);
        ready.remove(high);

        assertThat(ready.poll()).isSameAs(low2);
        assertThat(ready.poll()).isNull();
    }

    @Test
    void shouldStandAgainWhenAddedAfterRemoval() {
        ready.add(low1);
        ready.remove(low1);

        ready.add(low1);

        assertThat(ready.poll()).isSameAs(low1);
    }
}
