package io.warren.test.contract;

import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Which consumer gets a message: tags, priorities, exclusive and single active consumers, cancellation by the broker. */
@Row("A9")
final class ConsumerContractTest {

    private static Closure exclusiveUse(Deployment broker) {
        return Closure.channel(403, "ACCESS_REFUSED - queue 'q' in vhost '" + broker.vhost() + "' in exclusive use");
    }

    private static QueueSpec singleActive() {
        return queue("q").argument("x-single-active-consumer", true);
    }

    @Contract
    @Row("A7")
    void shouldNameConsumerWhenTagIsEmpty(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));

        String first = channel.consume("q").consumerTag();
        String second = channel.consume("q").consumerTag();

        assertThat(first).matches("amq\\.ctag-[A-Za-z0-9_-]{22}").isNotEqualTo(second);
    }

    @Contract
    @Case("TG-03")
    @Row("A6")
    void shouldCloseConnectionWhenTagIsUsedTwiceOnChannel(Deployment broker) {
        var client = broker.connect();
        var channel = client.openChannel();
        channel.queueDeclare(queue("q"));
        channel.consume(ConsumeSpec.from("q").tag("dup"));

        Closure refusal = channel.refused(it -> it.consume(ConsumeSpec.from("q").tag("dup")));

        assertThat(refusal).isEqualTo(Closure.connection(530, "NOT_ALLOWED - attempt to reuse consumer tag 'dup'"));
        assertThat(client.awaitClosed()).isEqualTo(refusal);
    }

    @Contract
    @Case("TG-03")
    void shouldTellConsumersApartWhenChannelsUseTheSameTag(Deployment broker) {
        var channel = broker.channel();
        var other = broker.channel();
        channel.queueDeclare(queue("q"));
        var first = channel.consume(ConsumeSpec.from("q").tag("same"));
        var second = other.consume(ConsumeSpec.from("q").tag("same"));

        channel.cancel("same");
        broker.send("q", "1");

        assertThat(second.next().text()).isEqualTo("1");
        assertThat(first.pending()).isEmpty();
    }

    @Contract
    @Case("TG-03")
    void shouldAnswerOkWhenTagToCancelIsUnknown(Deployment broker) {
        var channel = broker.channel();

        channel.cancel("nope");

        assertThat(channel.isOpen()).isTrue();
    }

    @Contract
    @Case("CN-01")
    void shouldCancelConsumerWhenItsQueueIsDeleted(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        channel.queueDeclare(queue("other"));
        var consumer = channel.consume("q");
        var unaffected = channel.consume("other");

        channel.queueDelete("q");
        consumer.awaitCancelled();
        channel.queueDeclare(queue("q"));
        broker.send("q", "1");
        broker.send("other", "2");

        assertThat(unaffected.next().text()).isEqualTo("2");
        assertThat(unaffected.isCancelled()).isFalse();
        assertThat(consumer.pending()).isEmpty();
        assertThat(channel.queueDeclarePassive("q")).isEqualTo(new QueueStatus("q", 1, 0));
    }

    @Contract
    @Case("CN-01")
    void shouldCancelConsumersOfOtherConnectionsWhenQueueIsDeleted(Deployment broker) {
        broker.channel().queueDeclare(queue("q"));
        var consumer = broker.connect().openChannel().consume("q");

        broker.channel().queueDelete("q");

        consumer.awaitCancelled();
    }

    @Contract
    @Case("CN-01")
    void shouldIgnoreAcknowledgementWhenQueueIsGone(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        broker.send("q", "1", "2");
        Delivery first = channel.get("q");
        Delivery second = channel.get("q");

        channel.queueDelete("q");
        channel.ack(first);
        channel.nack(second.tag(), false, true);
        channel.qos(0);

        assertThat(channel.isOpen()).isTrue();
    }

    @Contract
    @Case("CN-04")
    void shouldPreferHigherPriorityUntilItIsBusy(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        channel.qos(2);
        var low = channel.consume(ConsumeSpec.from("q").priority(-1));
        var middle = channel.consume(ConsumeSpec.from("q"));
        var high = channel.consume(ConsumeSpec.from("q").priority(5));

        broker.send("q", "1", "2", "3", "4", "5", "6", "7");
        channel.settle("q");

        assertThat(high.pending()).containsExactly("1", "2");
        assertThat(middle.pending()).containsExactly("3", "4");
        assertThat(low.pending()).containsExactly("5", "6");
        Delivery first = high.next();
        channel.ack(first);
        assertThat(high.nextTexts(2)).containsExactly("2", "7");
    }

    @Contract
    @Case("CN-04")
    void shouldTakeTurnsWhenPrioritiesAreEqual(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        var low = channel.consume(ConsumeSpec.from("q").noAck());
        var first = channel.consume(ConsumeSpec.from("q").noAck().priority(3));
        var second = channel.consume(ConsumeSpec.from("q").noAck().priority(3));

        broker.send("q", "1", "2", "3", "4");
        channel.settle("q");

        assertThat(low.pending()).isEmpty();
        assertThat(first.pending()).hasSize(2);
        assertThat(second.pending()).hasSize(2);
    }

    @Contract
    @Case("CN-04")
    void shouldRefuseConsumerWhenPriorityIsNoInteger(Deployment broker) {
        broker.channel().queueDeclare(queue("q"));

        Closure refusal =
                broker.channel().refused(it -> it.consume(ConsumeSpec.from("q").argument("x-priority", "a")));

        assertThat(refusal)
                .isEqualTo(Closure.channel(
                        406,
                        "PRECONDITION_FAILED - invalid arg 'x-priority' for queue 'q' in vhost '" + broker.vhost()
                                + "': \"expected integer, got longstr\""));
    }

    @Contract
    @Case("CN-05")
    void shouldRefuseSecondConsumerWhenFirstIsExclusive(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        var consumer = channel.consume(ConsumeSpec.from("q").exclusive());

        Closure refusal = broker.channel().refused(it -> it.consume("q"));
        broker.send("q", "1");

        assertThat(refusal).isEqualTo(exclusiveUse(broker));
        assertThat(consumer.next().text()).isEqualTo("1");
    }

    @Contract
    @Case("CN-05")
    void shouldRefuseExclusiveConsumerWhenQueueHasConsumer(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        channel.consume("q");

        Closure refusal =
                broker.channel().refused(it -> it.consume(ConsumeSpec.from("q").exclusive()));

        assertThat(refusal).isEqualTo(exclusiveUse(broker));
    }

    @Contract
    @Case("CN-05")
    void shouldAcceptNextConsumerWhenExclusiveOneIsCancelled(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        var exclusive = channel.consume(ConsumeSpec.from("q").exclusive());

        channel.cancel(exclusive.consumerTag());
        var next = broker.channel().consume(ConsumeSpec.from("q").exclusive());
        broker.send("q", "1");

        assertThat(next.next().text()).isEqualTo("1");
    }

    @Contract
    @Case("CN-05")
    void shouldAllowFetchingWhenConsumerIsExclusive(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        channel.qos(1);
        channel.consume(ConsumeSpec.from("q").exclusive());
        broker.send("q", "1", "2");
        channel.settle("q");

        assertThat(channel.get("q").text()).isEqualTo("2");
    }

    @Contract
    @Case("CN-02")
    void shouldDeliverToFirstOnlyWhenQueueHasSingleActiveConsumer(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(singleActive());
        channel.qos(1);
        var first = channel.consume("q");
        var second = channel.consume("q");

        broker.send("q", "1", "2", "3");
        channel.settle("q");

        assertThat(first.pending()).containsExactly("1");
        assertThat(second.pending()).isEmpty();
        assertThat(channel.queueDeclarePassive("q").consumers()).isEqualTo(2);
    }

    @Contract(
            notOnReference =
                    "RabbitMQ 3.10.8 leaves waiting messages where they are when the active consumer is cancelled, "
                            + "and its queue process crashes at the next publish")
    @Case("CN-02")
    void shouldHandOverInOrderOfRegistrationWhenActiveConsumerIsCancelled(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(singleActive());
        channel.qos(1);
        var first = channel.consume("q");
        var second = channel.consume("q");
        var third = channel.consume("q");
        broker.send("q", "1", "2", "3");
        Delivery held = first.next();

        channel.cancel(first.consumerTag());
        Delivery handedOver = second.next();
        channel.ack(held);
        channel.ack(handedOver);

        assertThat(handedOver.text()).isEqualTo("2");
        assertThat(second.next().text()).isEqualTo("3");
        assertThat(third.pending()).isEmpty();
    }

    @Contract
    @Case("CN-02")
    void shouldDeliverToNextWhileCancelledConsumerStillHoldsMessages(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(singleActive());
        var first = channel.consume("q");
        var second = channel.consume("q");
        broker.send("q", "1");
        Delivery held = first.next();

        channel.cancel(first.consumerTag());
        broker.send("q", "2");

        assertThat(second.next().text()).isEqualTo("2");
        channel.ack(held);
        assertThat(channel.isOpen()).isTrue();
    }

    @Contract
    @Case("CN-02")
    void shouldHandOverWhenChannelOfActiveConsumerCloses(Deployment broker) {
        var channel = broker.channel();
        var leaving = broker.channel();
        channel.queueDeclare(singleActive());
        var first = leaving.consume("q");
        var second = channel.consume("q");
        broker.send("q", "1", "2");
        first.next(2);

        leaving.close();

        List<Delivery> again = second.next(2);
        assertThat(again).extracting(Delivery::text).containsExactly("1", "2");
        assertThat(again).extracting(Delivery::isRedelivered).containsExactly(true, true);
    }

    @Contract
    @Case("CN-02")
    void shouldRefuseExclusiveConsumerWhenQueueHasSingleActiveConsumer(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(singleActive());

        Closure refusal = channel.refused(it -> it.consume(ConsumeSpec.from("q").exclusive()));

        assertThat(refusal.code()).isEqualTo(403);
        assertThat(refusal)
                .isEqualTo(Closure.channel(
                        403, "ACCESS_REFUSED - queue 'q' in vhost '" + broker.vhost() + "' in exclusive use"));
    }

    @Contract
    @Case("CN-03")
    void shouldNotPreemptWhenLaterConsumerHasHigherPriority(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(singleActive());
        var first = channel.consume(ConsumeSpec.from("q").noAck());
        var important = channel.consume(ConsumeSpec.from("q").noAck().priority(10));

        broker.send("q", "1", "2");
        channel.settle("q");

        assertThat(first.pending()).containsExactly("1", "2");
        assertThat(important.pending()).isEmpty();
    }

    @Contract
    @Row("A7")
    void shouldPushWaitingMessagesInOrderWhenConsumerStarts(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        broker.send("q", "1", "2", "3");

        var consumer = channel.consume(ConsumeSpec.from("q").tag("mine"));

        List<Delivery> deliveries = consumer.next(3);
        assertThat(deliveries).extracting(Delivery::text).containsExactly("1", "2", "3");
        assertThat(deliveries).extracting(Delivery::tag).containsExactly(1L, 2L, 3L);
        assertThat(consumer.consumerTag()).isEqualTo("mine");
    }

    @Contract
    @Row("A7")
    void shouldCarryPropertiesUnchangedWhenMessageIsDelivered(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        var properties = MessageProperties.persistent()
                .contentType("text/plain")
                .contentEncoding("utf-8")
                .priority(7)
                .correlationId("c-1")
                .replyTo("answers")
                .expiration("600000")
                .messageId("m-1")
                .timestamp(Instant.ofEpochSecond(1_700_000_000L))
                .type("greeting")
                .userId(broker.login().user())
                .appId("contracts")
                .header("text", "value")
                .header("int", 1)
                .header("long", 2L)
                .header("short", (short) 3)
                .header("byte", (byte) 4)
                .header("double", 1.5d)
                .header("float", 2.5f)
                .header("boolean", true)
                .header("void", null)
                .header("list", List.of("a", 1, List.of()))
                .header("table", Map.of("inner", 5L))
                .header("time", Instant.ofEpochSecond(1_600_000_000L));

        channel.publish("", "q", properties, "hello");

        assertThat(channel.get("q").properties()).isEqualTo(properties);
    }

    @Contract
    @Row("A7")
    void shouldCarryBodyUnchangedWhenItIsEmptyOrLarge(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        byte[] large = new byte[300_000];
        for (int index = 0; index < large.length; index++) {
            large[index] = (byte) (index * 31);
        }

        channel.publish("", "q", false, MessageProperties.none(), new byte[0]);
        channel.publish("", "q", false, MessageProperties.none(), large);

        assertThat(channel.get("q").body()).isEmpty();
        assertThat(channel.get("q").body()).isEqualTo(large);
    }

    @Contract
    @Case("TG-03")
    void shouldAcceptTagAgainWhenItsConsumerIsCancelled(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        channel.consume(ConsumeSpec.from("q").tag("mine"));

        channel.cancel("mine");
        var again = channel.consume(ConsumeSpec.from("q").tag("mine"));
        broker.send("q", "1");

        assertThat(again.next().text()).isEqualTo("1");
    }

    @Contract
    @Case("CN-02")
    void shouldAllowFetchingWhenQueueHasSingleActiveConsumer(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(singleActive());
        channel.qos(1);
        channel.consume("q");
        broker.send("q", "1", "2");
        channel.settle("q");

        assertThat(channel.get("q").text()).isEqualTo("2");
    }

    @Contract
    @Row("A7")
    void shouldReachEveryQueueWithItsOwnDeliveryStateWhenMessageIsCopied(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("a"));
        channel.queueDeclare(queue("b"));
        for (String name : new String[] {"a", "b"}) {
            channel.queueBind(name, "amq.fanout", "");
        }
        broker.publish("amq.fanout", "", "1");

        channel.nack(channel.get("a").tag(), false, true);

        assertThat(channel.get("a").isRedelivered()).isTrue();
        assertThat(channel.get("b").isRedelivered()).isFalse();
    }
}
