package io.warren.test.contract;

import static io.warren.test.contract.ExchangeSpec.exchange;
import static io.warren.test.contract.PublisherEvent.ack;
import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

/** Duplicates within a window of size and age: confirmed, and not enqueued. */
@Row("B8")
final class DeduplicationContractTest {

    private static ClientChannel withExchange(Deployment broker, int cacheSize, int cacheTtlMillis) {
        var channel = broker.channel();
        channel.exchangeDeclare(exchange("x", "x-message-deduplication")
                .argument("x-cache-size", cacheSize)
                .argument("x-cache-ttl", cacheTtlMillis));
        channel.queueDeclare(queue("q"));
        channel.queueBind("q", "x", "");
        return channel;
    }

    private static ClientChannel withQueue(Deployment broker, int cacheSize, int cacheTtlMillis) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q")
                .argument("x-message-deduplication", true)
                .argument("x-cache-size", cacheSize)
                .argument("x-cache-ttl", cacheTtlMillis));
        return channel;
    }

    private static MessageProperties id(Object id) {
        return MessageProperties.none().header("x-deduplication-header", id);
    }

    @Contract(needs = Capability.DEDUPLICATION)
    void shouldDropDuplicateAndConfirmItWhenExchangeHasSeenId(Deployment broker) {
        var channel = withExchange(broker, 10, 60_000);
        channel.confirmSelect();

        channel.publish("x", "", id("a"), "1");
        channel.publish("x", "", id("a"), "2");
        channel.publish("x", "", id("b"), "3");

        assertThat(channel.publisherEvents().awaitConfirms()).containsExactlyInAnyOrder(ack(1), ack(2), ack(3));
        assertThat(channel.drain("q")).containsExactly("1", "3");
    }

    @Contract(needs = Capability.DEDUPLICATION)
    void shouldDropDuplicateAndConfirmItWhenQueueHasSeenId(Deployment broker) {
        var channel = withQueue(broker, 10, 60_000);
        channel.confirmSelect();

        channel.publish("", "q", id("a"), "1");
        channel.publish("", "q", id("a"), "2");
        channel.publish("", "q", id("b"), "3");

        assertThat(channel.publisherEvents().awaitConfirms()).containsExactlyInAnyOrder(ack(1), ack(2), ack(3));
        assertThat(channel.drain("q")).containsExactly("1", "3");
    }

    @Contract(needs = Capability.DEDUPLICATION)
    void shouldUseMessageIdWhenHeaderIsMissing(Deployment broker) {
        var channel = withExchange(broker, 10, 60_000);
        var properties = MessageProperties.none().messageId("m-1");

        broker.publish("x", "", properties, "1");
        broker.publish("x", "", properties, "2");
        broker.publish("x", "", id("m-2").messageId("m-1"), "3");

        assertThat(channel.drain("q")).containsExactly("1", "3");
    }

    @Contract(needs = Capability.DEDUPLICATION)
    void shouldPassMessageWhenItHasNoId(Deployment broker) {
        var channel = withExchange(broker, 10, 60_000);

        broker.publish("x", "", "1");
        broker.publish("x", "", "1");

        assertThat(channel.drain("q")).containsExactly("1", "1");
    }

    @Contract(needs = Capability.DEDUPLICATION)
    void shouldForgetOldestIdWhenWindowIsFull(Deployment broker) {
        var channel = withExchange(broker, 2, 60_000);

        for (String id : new String[] {"a", "b", "c", "c", "b", "a"}) {
            broker.publish("x", "", id(id), id);
        }

        assertThat(channel.drain("q")).containsExactly("a", "b", "c", "a");
    }

    @Contract(needs = Capability.DEDUPLICATION)
    void shouldForgetIdWhenItIsTooOld(Deployment broker) {
        var channel = withExchange(broker, 10, 200);
        broker.publish("x", "", id("a"), "1");

        broker.advanceMillis(210);
        broker.publish("x", "", id("a"), "2");

        assertThat(channel.drain("q")).containsExactly("1", "2");
    }

    @Contract(needs = Capability.DEDUPLICATION)
    void shouldForgetIdInQueueWhenItIsTooOld(Deployment broker) {
        var channel = withQueue(broker, 10, 200);
        broker.publish("", "q", id("a"), "1");

        broker.advanceMillis(100);
        broker.publish("", "q", id("a"), "2");
        broker.advanceMillis(110);
        broker.publish("", "q", id("a"), "3");

        assertThat(channel.drain("q")).containsExactly("1", "3");
    }

    @Contract(needs = Capability.DEDUPLICATION)
    void shouldTellNumbersAndTextsByTheirValueWhenIdsAreCompared(Deployment broker) {
        var channel = withExchange(broker, 10, 60_000);

        broker.publish("x", "", id(1), "1");
        broker.publish("x", "", id(1L), "2");
        broker.publish("x", "", id("1"), "3");

        assertThat(channel.drain("q")).containsExactly("1", "3");
    }
}
