package io.warren.test.contract;

import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Acknowledging, refusing and recovering deliveries, and where a message returns to. */
@Row("A7")
final class AcknowledgementContractTest {

    private static ClientChannel withMessages(Deployment broker, String... texts) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        broker.send("q", texts);
        return channel;
    }

    private static Closure unknownTag(long tag) {
        return Closure.channel(406, "PRECONDITION_FAILED - unknown delivery tag " + tag);
    }

    @Contract
    @Case("NK-01")
    void shouldReturnToItsPlaceAndBeMarkedWhenRequeued(Deployment broker) {
        var channel = withMessages(broker, "a", "b", "c");
        Delivery first = channel.get("q");

        channel.nack(first.tag(), false, true);
        Delivery again = channel.get("q");

        assertThat(again.text()).isEqualTo("a");
        assertThat(again.isRedelivered()).isTrue();
        Delivery next = channel.get("q");
        assertThat(next.text()).isEqualTo("b");
        assertThat(next.isRedelivered()).isFalse();
    }

    @Contract
    @Case("NK-01")
    void shouldReturnEachToItsPlaceWhenSeveralAreOutstanding(Deployment broker) {
        var channel = withMessages(broker, "a", "b", "c", "d", "e");
        List<Delivery> taken = List.of(channel.get("q"), channel.get("q"), channel.get("q"), channel.get("q"));

        channel.reject(taken.get(2).tag(), true);
        channel.reject(taken.get(0).tag(), true);
        channel.nack(taken.get(3).tag(), false, true);

        assertThat(channel.drain("q")).containsExactly("a", "c", "d", "e");
    }

    @Contract
    void shouldSettleAllUpToTagWhenMultiple(Deployment broker) {
        var channel = withMessages(broker, "a", "b", "c");
        channel.get("q");
        Delivery second = channel.get("q");
        channel.get("q");

        channel.ack(second.tag(), true);
        channel.recover(true);

        assertThat(channel.drain("q")).containsExactly("c");
    }

    @Contract
    void shouldSettleEverythingWhenTagIsZeroAndMultiple(Deployment broker) {
        var channel = withMessages(broker, "a", "b", "c");
        channel.get("q");
        channel.get("q");

        channel.nack(0, true, true);
        List<String> requeued = List.of(
                channel.get("q").text(),
                channel.get("q").text(),
                channel.get("q").text());
        channel.ack(0, true);
        channel.recover(true);

        assertThat(requeued).containsExactly("a", "b", "c");
        assertThat(channel.ready("q")).isZero();
    }

    @Contract
    void shouldDropMessageWhenRefusedWithoutRequeue(Deployment broker) {
        var channel = withMessages(broker, "a", "b", "c");

        channel.reject(channel.get("q").tag(), false);
        channel.nack(channel.get("q").tag(), false, false);

        assertThat(channel.drain("q")).containsExactly("c");
    }

    @Contract
    void shouldRefuseAllUpToTagWhenMultipleNack(Deployment broker) {
        var channel = withMessages(broker, "a", "b", "c");
        channel.get("q");
        Delivery second = channel.get("q");

        channel.nack(second.tag(), true, false);
        channel.recover(true);

        assertThat(channel.drain("q")).containsExactly("c");
    }

    @Contract
    void shouldRequeueInOrderWhenChannelCloses(Deployment broker) {
        var channel = withMessages(broker, "a", "b", "c");
        channel.get("q");
        channel.get("q");

        channel.close();

        var other = broker.channel();
        Delivery first = other.get("q");
        Delivery second = other.get("q");
        Delivery third = other.get("q");
        assertThat(List.of(first.text(), second.text(), third.text())).containsExactly("a", "b", "c");
        assertThat(List.of(first.isRedelivered(), second.isRedelivered(), third.isRedelivered()))
                .containsExactly(true, true, false);
    }

    @Contract
    void shouldRequeueWhenConnectionCloses(Deployment broker) {
        broker.channel().queueDeclare(queue("q"));
        var client = broker.connect();
        var channel = client.openChannel();
        broker.send("q", "a", "b");
        var consumer = channel.consume("q");
        consumer.next(2);

        client.close();

        Delivery first = broker.channel().get("q");
        assertThat(first.text()).isEqualTo("a");
        assertThat(first.isRedelivered()).isTrue();
    }

    @Contract
    void shouldRequeueWhenChannelIsClosedByAnError(Deployment broker) {
        var channel = withMessages(broker, "a");
        channel.get("q");

        channel.refused(it -> it.queueDeclarePassive("nope"));

        assertThat(broker.channel().drain("q")).containsExactly("a");
    }

    @Contract
    void shouldForgetDeliveriesWhenConsumerNeedsNoAcknowledgement(Deployment broker) {
        var channel = withMessages(broker, "a", "b");

        var consumer = channel.consume(ConsumeSpec.from("q").noAck());
        List<String> texts = consumer.nextTexts(2);
        channel.close();

        assertThat(texts).containsExactly("a", "b");
        assertThat(broker.channel().ready("q")).isZero();
    }

    @Contract
    @Case("NK-02")
    void shouldKeepDeliveriesWhenConsumerIsCancelled(Deployment broker) {
        var channel = withMessages(broker, "a", "b", "c");
        var consumer = channel.consume("q");
        List<Delivery> taken = consumer.next(3);

        channel.cancel(consumer.consumerTag());
        long readyAfterCancel = channel.ready("q");
        channel.ack(taken.get(1));
        channel.close();

        assertThat(readyAfterCancel).isZero();
        var other = broker.channel();
        Delivery first = other.get("q");
        assertThat(first.text()).isEqualTo("a");
        assertThat(first.isRedelivered()).isTrue();
        assertThat(other.drain("q")).containsExactly("c");
    }

    @Contract
    @Case("NK-02")
    void shouldDeliverNothingMoreWhenConsumerIsCancelled(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        var consumer = channel.consume("q");

        channel.cancel(consumer.consumerTag());
        broker.send("q", "a");
        channel.settle("q");

        assertThat(consumer.pending()).isEmpty();
        assertThat(channel.drain("q")).containsExactly("a");
    }

    @Contract
    @Case("TG-01")
    void shouldCloseChannelAndRequeueWhenTagIsAcknowledgedTwice(Deployment broker) {
        var channel = withMessages(broker, "a", "b");
        Delivery first = channel.get("q");
        channel.get("q");
        channel.ack(first);

        Closure refusal = channel.refused(it -> it.ack(first));

        assertThat(refusal).isEqualTo(unknownTag(1));
        assertThat(broker.channel().drain("q")).containsExactly("b");
    }

    @Contract
    @Case("TG-01")
    void shouldCloseChannelWhenTagIsRefusedAfterItWasSettled(Deployment broker) {
        var channel = withMessages(broker, "a");
        Delivery first = channel.get("q");
        channel.reject(first.tag(), false);

        Closure refusal = channel.refused(it -> it.nack(first.tag(), false, true));

        assertThat(refusal).isEqualTo(unknownTag(1));
        assertThat(broker.channel().ready("q")).isZero();
    }

    @Contract
    @Case("TG-01")
    void shouldCloseChannelWhenTagBelongsToOtherChannel(Deployment broker) {
        var channel = withMessages(broker, "a");
        Delivery first = channel.get("q");

        Closure refusal = broker.channel().refused(it -> it.ack(first));

        assertThat(refusal).isEqualTo(unknownTag(1));
        assertThat(channel.isOpen()).isTrue();
    }

    @Contract
    @Case("TG-01")
    void shouldCloseChannelWhenAutoAcknowledgedDeliveryIsAcknowledged(Deployment broker) {
        var channel = withMessages(broker, "a");
        Delivery delivery = channel.consume(ConsumeSpec.from("q").noAck()).next();

        Closure refusal = channel.refused(it -> it.ack(delivery));

        assertThat(refusal).isEqualTo(unknownTag(1));
    }

    @Contract
    @Case("TG-01")
    void shouldCloseChannelWhenMultipleNamesUnknownTag(Deployment broker) {
        var channel = withMessages(broker, "a");
        channel.get("q");

        Closure refusal = channel.refused(it -> it.ack(7, true));

        assertThat(refusal).isEqualTo(unknownTag(7));
        assertThat(broker.channel().drain("q")).containsExactly("a");
    }

    @Contract
    @Case("TG-02")
    void shouldRequeueEverythingUnackedWhenRecovered(Deployment broker) {
        var channel = withMessages(broker, "a", "b", "c");
        channel.get("q");
        channel.qos(1);
        var consumer = channel.consume("q");
        String pushed = consumer.next().text();

        channel.cancel(consumer.consumerTag());
        channel.recover(true);

        assertThat(pushed).isEqualTo("b");
        Delivery first = channel.get("q");
        Delivery second = channel.get("q");
        assertThat(first.text()).isEqualTo("a");
        assertThat(first.isRedelivered()).isTrue();
        assertThat(second.text()).isEqualTo("b");
        assertThat(second.isRedelivered()).isTrue();
        assertThat(channel.get("q").isRedelivered()).isFalse();
    }

    @Contract
    @Case("TG-02")
    void shouldDeliverAgainToConsumerWhenRecovered(Deployment broker) {
        var channel = withMessages(broker, "a", "b");
        var consumer = channel.consume("q");
        consumer.next(2);

        channel.recover(true);

        List<Delivery> again = consumer.next(2);
        assertThat(again).extracting(Delivery::text).containsExactly("a", "b");
        assertThat(again).extracting(Delivery::isRedelivered).containsExactly(true, true);
        assertThat(again).extracting(Delivery::tag).containsExactly(3L, 4L);
    }

    @Contract
    @Case("TG-02")
    @Row("A6")
    void shouldCloseConnectionWhenRecoverDoesNotRequeue(Deployment broker) {
        var client = broker.connect();

        Closure refusal = client.openChannel().refused(it -> it.recover(false));

        assertThat(refusal).isEqualTo(Closure.connection(540, "NOT_IMPLEMENTED - requeue=false"));
        assertThat(client.awaitClosed()).isEqualTo(refusal);
        assertThat(client.isOpen()).isFalse();
    }

    @Contract
    void shouldOfferToOtherConsumerWhenOneRequeues(Deployment broker) {
        var channel = withMessages(broker);
        channel.qos(1);
        var first = channel.consume("q");
        var second = channel.consume("q");
        broker.send("q", "a");
        Delivery toFirst = first.next();

        channel.nack(toFirst.tag(), false, true);

        Delivery again = second.next();
        assertThat(again.text()).isEqualTo("a");
        assertThat(again.isRedelivered()).isTrue();
    }

    @Contract
    void shouldDeliverAgainToTheSameConsumerWhenItIsAlone(Deployment broker) {
        var channel = withMessages(broker, "a");
        channel.qos(1);
        var consumer = channel.consume("q");

        Delivery first = consumer.next();
        channel.nack(first.tag(), false, true);
        Delivery second = consumer.next();

        assertThat(second.text()).isEqualTo("a");
        assertThat(second.isRedelivered()).isTrue();
        assertThat(second.tag()).isEqualTo(first.tag() + 1);
    }

    @Contract
    void shouldSettleDeliveriesOfEveryConsumerOfChannelWhenMultiple(Deployment broker) {
        var channel = withMessages(broker, "a", "b");
        channel.queueDeclare(queue("other"));
        broker.send("other", "c", "d");
        channel.qos(1);
        var first = channel.consume("q");
        var second = channel.consume("other");
        first.next();
        Delivery fromOther = second.next();

        channel.ack(fromOther.tag(), true);

        assertThat(first.next().text()).isEqualTo("b");
        assertThat(second.next().text()).isEqualTo("d");
    }

    @Contract
    void shouldNumberFetchedAndPushedDeliveriesTogether(Deployment broker) {
        var channel = withMessages(broker, "a", "b", "c");

        long fetched = channel.get("q").tag();
        channel.qos(1);
        long pushed = channel.consume("q").next().tag();
        long fetchedAgain = channel.get("q").tag();

        assertThat(List.of(fetched, pushed, fetchedAgain)).containsExactly(1L, 2L, 3L);
    }

    @Contract
    void shouldNotBringOldDeliveryIntoNewQueueWhenQueueWasDeclaredAgain(Deployment broker) {
        var channel = withMessages(broker, "a", "b");
        Delivery old = channel.get("q");
        Delivery dropped = channel.get("q");

        channel.queueDelete("q");
        channel.queueDeclare(queue("q"));
        channel.nack(old.tag(), false, true);
        channel.reject(dropped.tag(), true);

        assertThat(channel.drain("q")).isEmpty();
        assertThat(channel.isOpen()).isTrue();
    }

    @Contract
    @Row("A8")
    void shouldMakeRoomWhenRefused(Deployment broker) {
        var channel = withMessages(broker, "a", "b");
        channel.qos(1);
        var consumer = channel.consume("q");

        channel.reject(consumer.next().tag(), false);

        assertThat(consumer.next().text()).isEqualTo("b");
    }

    @Contract
    void shouldPutRequeuedMessagesBeforeLaterOnes(Deployment broker) {
        var channel = withMessages(broker, "a", "b", "c");
        var consumer = channel.consume("q");
        List<Delivery> taken = consumer.next(3);
        channel.cancel(consumer.consumerTag());
        broker.send("q", "d");

        channel.nack(taken.get(1).tag(), false, true);
        channel.nack(taken.get(0).tag(), false, true);

        assertThat(channel.drain("q")).containsExactly("a", "b", "d");
    }
}
