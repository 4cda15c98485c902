package io.warren.core.queue;

import static io.warren.core.queue.QueueFixture.acknowledging;
import static io.warren.core.queue.QueueFixture.automatic;
import static io.warren.core.queue.QueueFixture.prioritised;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsumersTest {

    private final FakeChannel a = new FakeChannel("a");
    private final FakeChannel b = new FakeChannel("b");

    @Test
    void shouldTakePermitWhenConsumerAcknowledges() {
        Consumers consumers = new Consumers(false);
        QueueConsumer consumer = acknowledging(a, "c1", 0);
        consumers.add(consumer);

        assertThat(consumers.next()).isSameAs(consumer);
        assertThat(a.taken).isEqualTo(1);
    }

    @Test
    void shouldReturnPermitAndKeepTurnWhenPutBack() {
        Consumers consumers = new Consumers(false);
        QueueConsumer first = acknowledging(a, "c1", 0);
        consumers.add(first);
        consumers.add(acknowledging(a, "c2", 0));

        consumers.putBack(consumers.next());

        assertThat(a.taken).isZero();
        assertThat(consumers.next()).isSameAs(first);
    }

    @Test
    void shouldReturnNoPermitWhenPutBackConsumerTookNone() {
        Consumers consumers = new Consumers(false);
        consumers.add(automatic(a, "c1"));

        consumers.putBack(consumers.next());

        assertThat(a.taken).isZero();
    }

    @Test
    void shouldPassOverWhenChannelHasNoPermit() {
        Consumers consumers = new Consumers(false);
        a.limit = 1;
        a.taken = 1;
        QueueConsumer other = acknowledging(b, "c2", 0);
        consumers.add(acknowledging(a, "c1", 0));
        consumers.add(other);

        assertThat(consumers.next()).isSameAs(other);
        assertThat(consumers.next()).isNull();
    }

    @Test
    void shouldNotTakeTurnWhenItWaitsForPermit() {
        Consumers consumers = new Consumers(false);
        a.limit = 1;
        a.taken = 1;
        QueueConsumer consumer = acknowledging(a, "c1", 0);
        consumers.add(consumer);
        consumers.next();
        a.taken = 0;

        consumers.offer(consumer);
        consumers.permitted(b);
        assertThat(consumers.next()).isNull();
        consumers.permitted(a);

        assertThat(consumers.next()).isSameAs(consumer);
    }

    @Test
    void shouldBeOfferedOnceWhenPermittedTwice() {
        Consumers consumers = new Consumers(false);
        a.limit = 1;
        a.taken = 1;
        QueueConsumer consumer = acknowledging(a, "c1", 0);
        consumers.add(consumer);
        consumers.next();
        a.taken = 0;
        consumers.permitted(a);
        consumers.next();
        a.taken = 0;

        consumers.permitted(a);

        assertThat(consumers.next()).isNull();
    }

    @Test
    void shouldForgetThoseWhoWaitForPermitWhenTheyLeave() {
        Consumers consumers = new Consumers(false);
        a.limit = 1;
        a.taken = 1;
        QueueConsumer consumer = acknowledging(a, "c1", 0);
        consumers.add(consumer);
        consumers.next();

        assertThat(consumers.remove(consumer)).isTrue();
        assertThat(consumers.remove(consumer)).isFalse();
        a.taken = 0;
        consumers.permitted(a);

        assertThat(consumers.next()).isNull();
        assertThat(consumers.count()).isZero();
    }

    @Test
    void shouldRemoveAllOfAChannelWhenItCloses() {
        Consumers consumers = new Consumers(false);
        QueueConsumer stays = acknowledging(b, "c2", 0);
        consumers.add(acknowledging(a, "c1", 0));
        consumers.add(stays);
        consumers.add(acknowledging(a, "c3", 0));

        assertThat(consumers.removeAll(a)).isTrue();
        assertThat(consumers.removeAll(a)).isFalse();

        assertThat(consumers.count()).isEqualTo(1);
        assertThat(consumers.next()).isSameAs(stays);
        assertThat(consumers.next()).isNull();
    }

    @Test
    void shouldServeNobodyWhenCleared() {
        Consumers consumers = new Consumers(false);
        QueueConsumer consumer = acknowledging(a, "c1", 0);
        consumers.add(consumer);

        consumers.clear();
        consumers.offer(consumer);

        assertThat(consumers.count()).isZero();
        assertThat(consumers.next()).isNull();
    }

    @Test
    void shouldShowAllInOrderOfArrivalWhenAsked() {
        Consumers consumers = new Consumers(false);
        consumers.add(prioritised(a, "c1", 0, 0));
        consumers.add(prioritised(a, "c2", 5, 0));
        List<String> tags = new ArrayList<>();

        consumers.forEach(consumer -> tags.add(consumer.toString()));

        assertThat(tags).containsExactly("Consumer[c1]", "Consumer[c2]");
    }

    @Test
    void shouldHaveRoomUntilPrefetchOrCreditIsUsed() {
        QueueConsumer consumer = new QueueConsumer(a, "c1", true, false, 0, 2, 3);
        assertThat(consumer.hasRoom()).isFalse();
        consumer.active = true;
        assertThat(consumer.hasRoom()).isTrue();

        consumer.unacked = 2;
        assertThat(consumer.hasRoom()).isFalse();
        consumer.unacked = 1;
        consumer.credit = 0;
        assertThat(consumer.hasRoom()).isFalse();
        consumer.credit = 1;

        assertThat(consumer.hasRoom()).isTrue();
        assertThat(consumer.prefetchCount()).isEqualTo(2);
        assertThat(consumer.tag()).isEqualTo("c1");
        assertThat(consumer.channel()).isSameAs(a);
    }
}
