package io.warren.test.contract;

import static io.warren.test.contract.PublisherEvent.ack;
import static io.warren.test.contract.PublisherEvent.nack;
import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** What happens at a queue's limit of messages or bytes. */
@Row("B5")
final class LengthLimitContractTest {

    private static QueueSpec limited(int length, String overflow) {
        return queue("q").argument("x-max-length", length).argument("x-overflow", overflow);
    }

    private static ClientChannel confirming(Deployment broker, QueueSpec queue) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue);
        channel.confirmSelect();
        return channel;
    }

    @Contract
    @Case("ML-01")
    void shouldDropHeadAndConfirmWhenQueueIsFull(Deployment broker) {
        var channel = confirming(broker, queue("q").argument("x-max-length", 2).deadLetterTo("dead"));

        for (String text : List.of("1", "2", "3")) {
            channel.publish("", "q", text);
        }

        assertThat(channel.publisherEvents().awaitConfirms()).containsExactlyInAnyOrder(ack(1), ack(2), ack(3));
        assertThat(channel.drain("q")).containsExactly("2", "3");
        Delivery dead = channel.awaitMessage("dead");
        assertThat(dead.text()).isEqualTo("1");
        assertThat(dead.properties().deaths().get(0)).containsEntry("reason", "maxlen");
    }

    @Contract
    @Case("ML-02")
    @Row("A10")
    void shouldNackAndKeepQueueWhenOverflowRejects(Deployment broker) {
        var channel = confirming(broker, limited(2, "reject-publish").deadLetterTo("dead"));

        for (String text : List.of("1", "2", "3")) {
            channel.publishMandatory("", "q", text);
        }

        assertThat(channel.publisherEvents().awaitConfirms()).containsExactlyInAnyOrder(ack(1), ack(2), nack(3));
        assertThat(channel.drain("q")).containsExactly("1", "2");
        assertThat(channel.ready("dead")).isZero();
    }

    @Contract
    @Case("ML-02")
    void shouldNackAndDeadLetterNewMessageWhenOverflowSaysSo(Deployment broker) {
        var channel = confirming(broker, limited(2, "reject-publish-dlx").deadLetterTo("dead"));

        for (String text : List.of("1", "2", "3")) {
            channel.publish("", "q", text);
        }

        assertThat(channel.publisherEvents().awaitConfirms()).containsExactlyInAnyOrder(ack(1), ack(2), nack(3));
        assertThat(channel.drain("q")).containsExactly("1", "2");
        Delivery dead = channel.awaitMessage("dead");
        assertThat(dead.text()).isEqualTo("3");
        assertThat(dead.properties().deaths().get(0))
                .containsEntry("reason", "maxlen")
                .containsEntry("count", 1L);
    }

    @Contract
    @Case("ML-02")
    void shouldLoseMessageSilentlyWhenPublisherDoesNotConfirm(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(limited(1, "reject-publish"));

        channel.publishMandatory("", "q", "1");
        channel.publishMandatory("", "q", "2");

        assertThat(channel.drain("q")).containsExactly("1");
        assertThat(channel.publisherEvents().soFar()).isEmpty();
    }

    @Contract
    @Case("ML-03")
    @Row("A7")
    void shouldCountReadyMessagesOnlyWhenOverflowRejects(Deployment broker) {
        var channel = confirming(broker, limited(2, "reject-publish"));
        broker.send("q", "1", "2");
        channel.get("q");
        Delivery second = channel.get("q");

        channel.publish("", "q", "3");
        channel.publish("", "q", "4");
        channel.publisherEvents().awaitConfirms();
        channel.nack(second.tag(), true, true);
        channel.awaitReady("q", 4);
        channel.publish("", "q", "5");

        assertThat(channel.publisherEvents().awaitConfirms()).containsExactlyInAnyOrder(ack(1), ack(2), nack(3));
        assertThat(channel.drain("q")).containsExactly("1", "2", "3", "4");
    }

    @Contract
    @Case("ML-03")
    @Row("A7")
    void shouldTrimFromHeadWhenRequeueExceedsLimit(Deployment broker) {
        var channel = confirming(broker, limited(2, "drop-head"));
        broker.send("q", "1", "2");
        channel.get("q");
        Delivery second = channel.get("q");
        broker.send("q", "3", "4");

        channel.nack(second.tag(), true, true);

        assertThat(channel.drain("q")).containsExactly("3", "4");
    }

    @Contract
    @Case("ML-04")
    void shouldCountBodiesOnlyWhenLimitIsInBytes(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").argument("x-max-length-bytes", 100));
        var properties = MessageProperties.none().header("large", "h".repeat(10_000));

        for (int number = 0; number < 20; number++) {
            broker.publish("", "q", properties, "");
        }

        assertThat(channel.ready("q")).isEqualTo(20);
    }

    @Contract
    @Case("ML-04")
    void shouldDropHeadUntilBytesFitWhenLimitIsInBytes(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").argument("x-max-length-bytes", 10));

        broker.send("q", "aaaa", "bbbb", "cc", "dddd");

        assertThat(channel.drain("q")).containsExactly("bbbb", "cc", "dddd");
    }

    @Contract
    @Case("ML-04")
    void shouldDropEverythingAndConfirmWhenOneBodyExceedsLimit(Deployment broker) {
        var channel =
                confirming(broker, queue("q").argument("x-max-length-bytes", 10).deadLetterTo("dead"));

        channel.publish("", "q", "small");
        channel.publish("", "q", "much too large for it");

        assertThat(channel.publisherEvents().awaitConfirms()).containsExactlyInAnyOrder(ack(1), ack(2));
        assertThat(channel.drain("q")).isEmpty();
        assertThat(List.of(
                        channel.awaitMessage("dead").text(),
                        channel.awaitMessage("dead").text()))
                .containsExactly("small", "much too large for it");
    }

    @Contract
    void shouldRejectByBytesWhenOverflowRejects(Deployment broker) {
        var channel = confirming(
                broker, queue("q").argument("x-max-length-bytes", 8).argument("x-overflow", "reject-publish"));

        channel.publish("", "q", "12345678");
        channel.publish("", "q", "9");

        assertThat(channel.publisherEvents().awaitConfirms()).containsExactlyInAnyOrder(ack(1), nack(2));
        assertThat(channel.drain("q")).containsExactly("12345678");
    }

    @Contract
    void shouldKeepNothingWhenLimitIsZero(Deployment broker) {
        var channel = confirming(broker, queue("q").argument("x-max-length", 0));

        channel.publish("", "q", "1");

        assertThat(channel.publisherEvents().awaitConfirms()).containsExactly(ack(1));
        assertThat(channel.drain("q")).isEmpty();
    }

    @Contract
    void shouldPassToConsumerWhenLimitIsZero(Deployment broker) {
        var channel = confirming(broker, queue("q").argument("x-max-length", 0));
        var consumer = channel.consume(ConsumeSpec.from("q").noAck());

        channel.publish("", "q", "1");

        assertThat(consumer.next().text()).isEqualTo("1");
    }

    @Contract
    @Row("A5")
    void shouldRefuseDeclarationWhenLimitOrOverflowIsInvalid(Deployment broker) {
        String vhost = broker.vhost();

        assertThat(broker.channel().refused(it -> it.queueDeclare(queue("q").argument("x-max-length", -1))))
                .isEqualTo(Closure.channel(
                        406,
                        "PRECONDITION_FAILED - invalid arg 'x-max-length' for queue 'q' in vhost '" + vhost
                                + "': {value_negative,-1}"));
        assertThat(broker.channel().refused(it -> it.queueDeclare(queue("q").argument("x-max-length-bytes", -1))))
                .isEqualTo(Closure.channel(
                        406,
                        "PRECONDITION_FAILED - invalid arg 'x-max-length-bytes' for queue 'q' in vhost '" + vhost
                                + "': {value_negative,-1}"));
        assertThat(broker.channel().refused(it -> it.queueDeclare(limited(1, "zz"))))
                .isEqualTo(Closure.channel(
                        406,
                        "PRECONDITION_FAILED - invalid arg 'x-overflow' for queue 'q' in vhost '" + vhost
                                + "': invalid_overflow"));
    }
}
