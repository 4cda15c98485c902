package io.warren.test.contract;

import static io.warren.test.contract.ExchangeSpec.direct;
import static io.warren.test.contract.PublisherEvent.ack;
import static io.warren.test.contract.PublisherEvent.nack;
import static io.warren.test.contract.PublisherEvent.noRoute;
import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** What a publisher is told about its messages. */
@Row("A10")
final class ConfirmContractTest {

    private static ClientChannel confirming(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").durable());
        channel.confirmSelect();
        return channel;
    }

    @Contract
    void shouldConfirmEachOnceWhenMessagesAreRouted(Deployment broker) {
        var channel = confirming(broker);

        IntStream.rangeClosed(1, 50).forEach(number -> channel.publish("", "q", Integer.toString(number)));

        List<PublisherEvent> events = channel.publisherEvents().awaitConfirms();
        assertThat(events)
                .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 50)
                        .mapToObj(PublisherEvent::ack)
                        .toList());
        assertThat(channel.ready("q")).isEqualTo(50);
    }

    @Contract
    void shouldConfirmEachWhenMessagesArePersistent(Deployment broker) {
        var channel = confirming(broker);

        IntStream.rangeClosed(1, 20)
                .forEach(number -> channel.publish("", "q", MessageProperties.persistent(), Integer.toString(number)));

        assertThat(channel.publisherEvents().awaitConfirms())
                .hasSize(20)
                .allMatch(PublisherEvent.Ack.class::isInstance);
    }

    @Contract
    void shouldNumberFromOneWhenConfirmsAreTurnedOn(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        channel.publish("", "q", "before");

        channel.confirmSelect();
        channel.confirmSelect();
        channel.publish("", "q", "after");

        assertThat(channel.publisherEvents().awaitConfirms()).containsExactly(ack(1));
    }

    @Contract
    @Case("CF-01")
    void shouldConfirmWhenMessageIsUnroutable(Deployment broker) {
        var channel = confirming(broker);

        channel.publish("amq.direct", "nowhere", "1");

        assertThat(channel.publisherEvents().awaitConfirms()).containsExactly(ack(1));
    }

    @Contract
    @Case("CF-01")
    @Row("A11")
    void shouldReturnBeforeConfirmWhenMandatoryMessageIsUnroutable(Deployment broker) {
        var channel = confirming(broker);

        channel.publishMandatory("amq.direct", "nowhere", "1");
        channel.publishMandatory("", "q", "2");
        channel.publishMandatory("amq.direct", "nowhere", "3");

        List<PublisherEvent> events = channel.publisherEvents().awaitConfirms();
        assertThat(events)
                .containsExactlyInAnyOrder(
                        noRoute("amq.direct", "nowhere", "1"),
                        ack(1),
                        ack(2),
                        noRoute("amq.direct", "nowhere", "3"),
                        ack(3));
        assertThat(events.indexOf(noRoute("amq.direct", "nowhere", "1"))).isLessThan(events.indexOf(ack(1)));
        assertThat(events.indexOf(noRoute("amq.direct", "nowhere", "3"))).isLessThan(events.indexOf(ack(3)));
    }

    @Contract
    @Row("A11")
    void shouldReturnMessageWhenChannelDoesNotConfirm(Deployment broker) {
        var channel = broker.channel();

        channel.publishMandatory("", "nowhere", "1");

        assertThat(channel.publisherEvents().await(1)).containsExactly(noRoute("", "nowhere", "1"));
    }

    @Contract
    @Row("A11")
    void shouldSayNothingWhenMessageIsNeitherMandatoryNorConfirmed(Deployment broker) {
        var channel = broker.channel();

        channel.publish("", "nowhere", "1");
        channel.queueDeclare(queue("q"));

        assertThat(channel.publisherEvents().soFar()).isEmpty();
    }

    @Contract
    @Case("CF-02")
    @Row("A11")
    void shouldCloseChannelWithoutConfirmWhenExchangeIsMissing(Deployment broker) {
        var channel = confirming(broker);
        channel.publish("", "q", "earlier");
        channel.publisherEvents().awaitConfirms();

        channel.publishMandatory("nope", "k", "lost");
        channel.publish("", "q", "later");
        Closure closure = channel.awaitClosed();

        assertThat(closure)
                .isEqualTo(Closure.channel(404, "NOT_FOUND - no exchange 'nope' in vhost '" + broker.vhost() + "'"));
        assertThat(channel.publisherEvents().soFar()).containsExactly(ack(1));
        assertThat(broker.channel().drain("q")).containsExactly("earlier");
    }

    @Contract
    @Case("CF-02")
    void shouldThrowReasonFromEveryVerbWhenChannelIsClosed(Deployment broker) {
        var channel = broker.channel();
        channel.publish("nope", "k", "1");
        Closure closure = channel.awaitClosed();

        Closure later = channel.refused(it -> it.queueDeclare(queue("q")));

        assertThat(later).isEqualTo(closure);
    }

    @Contract
    void shouldRefuseOneWhenOneOfSeveralQueuesIsFull(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(ExchangeSpec.fanout("x"));
        channel.queueDeclare(queue("full").argument("x-max-length", 1).argument("x-overflow", "reject-publish"));
        channel.queueDeclare(queue("free"));
        channel.queueBind("full", "x", "");
        channel.queueBind("free", "x", "");
        channel.confirmSelect();

        channel.publish("x", "", "1");
        channel.publish("x", "", "2");

        assertThat(channel.publisherEvents().awaitConfirms()).containsExactlyInAnyOrder(ack(1), nack(2));
        assertThat(channel.drain("full")).containsExactly("1");
        assertThat(channel.drain("free")).containsExactly("1", "2");
    }

    @Contract
    void shouldConfirmWhenMessageGoesStraightToConsumer(Deployment broker) {
        var channel = confirming(broker);
        var consumer = broker.channel().consume("q");

        channel.publish("", "q", MessageProperties.persistent(), "1");

        assertThat(consumer.next().text()).isEqualTo("1");
        // A persistent message is confirmed when it is safe or acknowledged, whichever comes first.
        assertThat(channel.publisherEvents().awaitConfirms()).containsExactly(ack(1));
    }

    @Contract
    void shouldConfirmWhenQueueIsDeletedMeanwhile(Deployment broker) {
        var channel = confirming(broker);

        for (int number = 0; number < 20; number++) {
            channel.publish("", "q", MessageProperties.persistent(), "1");
        }
        channel.queueDelete("q");

        assertThat(channel.publisherEvents().awaitConfirms())
                .hasSize(20)
                .allMatch(PublisherEvent.Ack.class::isInstance);
    }

    @Contract
    void shouldKeepNumbersApartWhenChannelsConfirm(Deployment broker) {
        var first = confirming(broker);
        var second = broker.channel();
        second.confirmSelect();

        first.publish("", "q", "1");
        second.publish("", "q", "2");

        assertThat(first.publisherEvents().awaitConfirms()).containsExactly(ack(1));
        assertThat(second.publisherEvents().awaitConfirms()).containsExactly(ack(1));
    }

    @Contract
    @Row("A3")
    void shouldConfirmOnceWhenMessageGoesToSeveralQueues(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x"));
        for (String name : new String[] {"a", "b", "c"}) {
            channel.queueDeclare(queue(name).durable());
            channel.queueBind(name, "x", "k");
        }
        channel.confirmSelect();

        channel.publish("x", "k", MessageProperties.persistent(), "1");

        assertThat(channel.publisherEvents().awaitConfirms()).containsExactly(ack(1));
    }

    @Contract
    void shouldConfirmWhenQueueIsPurgedMeanwhile(Deployment broker) {
        var channel = confirming(broker);

        for (int number = 0; number < 20; number++) {
            channel.publish("", "q", MessageProperties.persistent(), "1");
        }
        channel.queuePurge("q");

        assertThat(channel.publisherEvents().awaitConfirms())
                .hasSize(20)
                .allMatch(PublisherEvent.Ack.class::isInstance);
    }

    @Contract
    void shouldConfirmWhenMessageIsDroppedForLackOfRoom(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("small").durable().argument("x-max-length", 1));
        channel.confirmSelect();

        for (int number = 0; number < 5; number++) {
            channel.publish("", "small", MessageProperties.persistent(), "1");
        }

        assertThat(channel.publisherEvents().awaitConfirms()).hasSize(5).allMatch(PublisherEvent.Ack.class::isInstance);
    }
}
