package io.warren.core.queue;

import static io.warren.core.queue.QueueSettingsBuilder.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.metadata.DeduplicationLimits;
import io.warren.core.metadata.Overflow;
import io.warren.core.metadata.QueueSettings;
import io.warren.core.spi.BackingQueue;
import org.junit.jupiter.api.Test;

class QueueStateExpiryTest {

    private static final long MS = 1_000_000;

    @Test
    void shouldAskToBeWokenWhenHeadCanExpire() {
        QueueFixture queue = new QueueFixture(settings());
        queue.nowNs = 5;

        queue.publish(Messages.expiring("m1", 2));

        assertThat(queue.output.wakeAtNs).isEqualTo(5 + 2 * MS);
    }

    @Test
    void shouldExpireOnTheSpotWhenTimeHasCome() {
        QueueFixture queue = new QueueFixture(settings().messageTtlNs(100));
        queue.publish("m1");
        queue.advanceTo(50);
        queue.publish("m2");

        queue.advanceTo(99);
        assertThat(queue.ready()).containsExactly("m1", "m2");
        queue.advanceTo(100);

        assertThat(queue.ready()).containsExactly("m2");
        assertThat(queue.output.wakeAtNs).isEqualTo(150);
        assertThat(queue.log.settled)
                .containsExactly(new FakeQueueLog.Settled(0, io.warren.core.spi.Settlement.EXPIRED));
    }

    @Test
    void shouldNotWakeWhenNothingCanExpireAnyMore() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish(Messages.expiring("m1", 1));

        queue.state.onPurge(queue.a, 0);

        assertThat(queue.output.wakeAtNs).isEqualTo(BackingQueue.NEVER);
    }

    @Test
    void shouldDeadLetterWhenExpiredAndExchangeIsSet() {
        QueueFixture queue = new QueueFixture(settings().messageTtlNs(100).deadLetterExchange("dlx"));
        queue.publish("m1", "m2");
        queue.forgetEffects();

        queue.advanceTo(100);

        assertThat(queue.effects()).containsExactly("deadLetter 0 m1 expired to dlx", "deadLetter 1 m2 expired to dlx");
    }

    @Test
    void shouldKeepExpiredMessageWhenItIsNotAtTheHead() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish("m1");
        queue.publish(Messages.expiring("m2", 1));

        queue.advanceTo(2 * MS);

        assertThat(queue.output.wakeAtNs).isEqualTo(BackingQueue.NEVER);
        assertThat(queue.ready()).containsExactly("m1", "m2");
    }

    @Test
    void shouldExpireWhenTheOneAheadIsTaken() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish("m1");
        queue.publish(Messages.expiring("m2", 1));
        queue.advanceTo(2 * MS);

        queue.get(queue.a);

        assertThat(queue.ready()).isEmpty();
    }

    @Test
    void shouldExpireHeadOfLowerPriorityWhenHigherIsAlive() {
        QueueFixture queue = new QueueFixture(settings().priorityMax(5));
        queue.publish(Messages.expiring("low", 1));
        queue.publish(Messages.ofPriority("high", 5));

        queue.advanceTo(MS);

        assertThat(queue.ready()).containsExactly("high");
    }

    @Test
    void shouldNotExpireWhenHeldByConsumer() {
        QueueFixture queue = new QueueFixture(settings().messageTtlNs(100).deadLetterExchange("dlx"));
        queue.consume("c1");
        queue.publish("m1");
        queue.forgetEffects();

        queue.advanceTo(200);
        assertThat(queue.effects()).isEmpty();
        queue.requeue("m1");

        assertThat(queue.effects()).containsExactly("deadLetter 0 m1 expired to dlx");
    }

    @Test
    void shouldNeverDeliverLateWhenConsumerComesAfterExpiry() {
        QueueFixture queue = new QueueFixture(settings().messageTtlNs(100));
        queue.publish("m1");
        queue.nowNs = 100;

        queue.consume("c1");

        assertThat(queue.effects()).containsExactly("confirmed p 1", "consumeOk c1");
    }

    @Test
    void shouldKeepExpiryAsPublishedWhenPolicyChanges() {
        QueueFixture queue = new QueueFixture(settings().messageTtlNs(100));
        queue.publish("m1");

        queue.state.onSettings(settings().messageTtlNs(10).build(), 0);
        queue.publish("m2");
        queue.advanceTo(50);

        assertThat(queue.ready()).containsExactly("m1", "m2");
        assertThat(queue.output.wakeAtNs).isEqualTo(100);
    }

    @Test
    void shouldDropByNewLimitWhenPolicyChanges() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish("m1", "m2", "m3");

        queue.state.onSettings(settings().maxLength(1, Overflow.DROP_HEAD).build(), 0);

        assertThat(queue.ready()).containsExactly("m3");
    }

    @Test
    void shouldKeepWindowWhenPolicyLeavesDeduplicationAsItWas() {
        QueueSettingsBuilder settings = settings().deduplication(new DeduplicationLimits(5, QueueSettings.NO_TTL));
        QueueFixture queue = new QueueFixture(settings);
        queue.publish(Messages.identified("m1", "id"));

        queue.state.onSettings(
                settings.deduplication(new DeduplicationLimits(5, QueueSettings.NO_TTL))
                        .messageTtlNs(5)
                        .build(),
                0);
        queue.publish(Messages.identified("m2", "id"));

        assertThat(queue.ready()).containsExactly("m1");
    }

    @Test
    void shouldDeduplicateNoMoreWhenPolicyTakesItAway() {
        QueueFixture queue =
                new QueueFixture(settings().deduplication(new DeduplicationLimits(5, QueueSettings.NO_TTL)));
        queue.publish(Messages.identified("m1", "id"));

        queue.state.onSettings(settings().build(), 0);
        queue.publish(Messages.identified("m2", "id"));

        assertThat(queue.ready()).containsExactly("m1", "m2");
    }

    @Test
    void shouldStartWindowWhenPolicyAsksForDeduplication() {
        QueueFixture queue = new QueueFixture(settings());
        queue.publish(Messages.identified("m1", "id"));

        queue.state.onSettings(
                settings()
                        .deduplication(new DeduplicationLimits(5, QueueSettings.NO_TTL))
                        .build(),
                0);
        queue.publish(Messages.identified("m2", "id"));
        queue.publish(Messages.identified("m3", "id"));

        assertThat(queue.ready()).containsExactly("m1", "m2");
    }

    @Test
    void shouldLookAtHeadWhenBackingQueueSaysItChanged() {
        QueueFixture queue = new QueueFixture(settings());
        queue.consume("c1");
        queue.backing.publish(Messages.message("m1"), 0, BackingQueue.NEVER, false);
        queue.forgetEffects();

        queue.state.onReady(0);

        assertThat(queue.effects()).containsExactly("deliver c1 m1");
    }
}
