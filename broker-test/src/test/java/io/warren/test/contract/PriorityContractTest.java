package io.warren.test.contract;

import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

/** In which order a priority queue hands out what waits in it. */
@Row("B6")
final class PriorityContractTest {

    private static ClientChannel withPriorities(Deployment broker, int maximum) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").argument("x-max-priority", maximum));
        return channel;
    }

    private static void send(Deployment broker, int priority, String... texts) {
        for (String text : texts) {
            broker.publish("", "q", MessageProperties.none().priority(priority), text);
        }
    }

    @Contract
    @Case("PR-01")
    void shouldHandOutHighestFirstAndOldestFirstWithinLevel(Deployment broker) {
        var channel = withPriorities(broker, 5);

        send(broker, 1, "1a");
        broker.send("q", "none");
        send(broker, 3, "3a");
        send(broker, 1, "1b");
        send(broker, 3, "3b");
        send(broker, 0, "0");

        assertThat(channel.drain("q")).containsExactly("3a", "3b", "1a", "1b", "none", "0");
    }

    @Contract
    @Case("PR-01")
    void shouldTreatAsMaximumWhenPriorityIsHigher(Deployment broker) {
        var channel = withPriorities(broker, 5);

        send(broker, 5, "five");
        send(broker, 9, "nine");
        send(broker, 4, "four");

        Delivery first = channel.get("q", true).orElseThrow();
        Delivery second = channel.get("q", true).orElseThrow();
        assertThat(first.text()).isEqualTo("five");
        assertThat(second.text()).isEqualTo("nine");
        assertThat(second.properties().priority()).isEqualTo(9);
    }

    @Contract
    @Case("PR-01")
    @Row("A5")
    void shouldRefuseDeclarationWhenMaximumIsOutOfRange(Deployment broker) {
        String prefix =
                "PRECONDITION_FAILED - invalid arg 'x-max-priority' for queue 'q' in vhost '" + broker.vhost() + "': ";

        assertThat(broker.channel().refused(it -> it.queueDeclare(queue("q").argument("x-max-priority", 256))))
                .isEqualTo(Closure.channel(406, prefix + "{max_value_exceeded,256}"));
        assertThat(broker.channel().refused(it -> it.queueDeclare(queue("q").argument("x-max-priority", -1))))
                .isEqualTo(Closure.channel(406, prefix + "{value_negative,-1}"));
        assertThat(broker.channel().refused(it -> it.queueDeclare(queue("q").argument("x-max-priority", "5"))))
                .isEqualTo(Closure.channel(406, prefix + "\"expected integer, got longstr\""));
    }

    @Contract(needs = Capability.ADMINISTRATION)
    @Case("PR-01")
    void shouldIgnorePrioritiesWhenOnlyPolicyAsksForThem(Deployment broker) {
        broker.administration().setPolicy(Policy.forQueues("ttl", "^q$", Map.of("message-ttl", 600_000)));
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));

        send(broker, 1, "low");
        send(broker, 9, "high");

        assertThat(channel.drain("q")).containsExactly("low", "high");
    }

    @Contract
    @Case("PR-02")
    void shouldDeliverAsPublishedWhenConsumerIsIdle(Deployment broker) {
        var channel = withPriorities(broker, 5);
        var consumer = channel.consume("q");

        send(broker, 1, "low");
        send(broker, 5, "high");

        assertThat(consumer.nextTexts(2)).containsExactly("low", "high");
    }

    @Contract
    @Case("PR-02")
    void shouldDeliverTheWaitingByPriorityWhenPrefetchIsOne(Deployment broker) {
        var channel = withPriorities(broker, 5);
        channel.qos(1);
        var consumer = channel.consume("q");
        send(broker, 1, "1");
        send(broker, 2, "2");
        send(broker, 5, "5");
        send(broker, 3, "3");

        Delivery first = consumer.next();
        channel.ack(first);
        Delivery second = consumer.next();
        channel.ack(second);
        Delivery third = consumer.next();

        assertThat(first.text()).isEqualTo("1");
        assertThat(second.text()).isEqualTo("5");
        assertThat(third.text()).isEqualTo("3");
    }

    @Contract
    @Case("PR-03")
    @Row("B1")
    void shouldNeverDeliverExpiredMessageWhenLiveOneIsAboveIt(Deployment broker) {
        var channel = withPriorities(broker, 5);
        broker.publish("", "q", MessageProperties.none().priority(1).expiration("100"), "expired");
        send(broker, 5, "live");

        broker.advanceMillis(150);

        assertThat(channel.drain("q")).containsExactly("live");
        assertThat(channel.ready("q")).isZero();
    }

    @Contract
    @Row("A7")
    void shouldReturnToPlaceWithinLevelWhenRequeued(Deployment broker) {
        var channel = withPriorities(broker, 5);
        send(broker, 1, "1a", "1b");
        send(broker, 3, "3a", "3b");
        Delivery high = channel.get("q");
        channel.get("q");
        Delivery low = channel.get("q");

        channel.nack(low.tag(), false, true);
        channel.nack(high.tag(), false, true);

        assertThat(channel.drain("q")).containsExactly("3a", "1a", "1b");
    }

    @Contract
    @Row("B5")
    void shouldDropHeadThoughItIsMostImportantWhenQueueIsFull(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").argument("x-max-priority", 5).argument("x-max-length", 2));

        send(broker, 3, "3");
        send(broker, 1, "1");
        send(broker, 2, "2");

        assertThat(channel.drain("q")).containsExactly("2", "1");
    }

    @Contract
    @Row("A5")
    void shouldCountAllLevelsWhenMessagesAreCounted(Deployment broker) {
        var channel = withPriorities(broker, 5);
        send(broker, 1, "1");
        send(broker, 5, "5");

        assertThat(channel.ready("q")).isEqualTo(2);
        assertThat(channel.queuePurge("q")).isEqualTo(2);
    }
}
