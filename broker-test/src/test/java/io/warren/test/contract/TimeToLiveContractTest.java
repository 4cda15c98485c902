package io.warren.test.contract;

import static io.warren.test.contract.PublisherEvent.ack;
import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

/** When messages expire and what is seen of it. */
@Row("B1")
final class TimeToLiveContractTest {

    private static MessageProperties expiring(int milliseconds) {
        return MessageProperties.none().expiration(Integer.toString(milliseconds));
    }

    @Contract
    @Case("TT-02")
    void shouldDeadLetterWithoutAnyClientActionWhenTimeIsOver(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").messageTtl(100).deadLetterTo("dead"));
        broker.send("q", "1", "2");

        broker.advanceMillis(120);

        assertThat(channel.awaitMessage("dead").text()).isEqualTo("1");
        assertThat(channel.awaitMessage("dead").text()).isEqualTo("2");
        assertThat(channel.ready("q")).isZero();
    }

    @Contract
    void shouldExpireByMessagesOwnTime(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        broker.publish("", "q", expiring(100), "short");
        broker.publish("", "q", expiring(600_000), "long");

        broker.advanceMillis(120);

        Delivery left = channel.get("q");
        assertThat(left.text()).isEqualTo("long");
        assertThat(left.properties().expiration()).isEqualTo("600000");
        assertThat(channel.drain("q")).isEmpty();
    }

    @Contract
    void shouldKeepMessageUntilItsTimeIsOver(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").messageTtl(2_000));
        broker.send("q", "1");

        broker.advanceMillis(100);

        assertThat(channel.drain("q")).containsExactly("1");
    }

    @Contract
    @Case("TT-01")
    void shouldExpireBehindHeadOnlyWhenHeadHasGone(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));
        broker.publish("", "q", expiring(600_000), "1");
        broker.publish("", "q", expiring(100), "2");
        broker.publish("", "q", expiring(600_000), "3");

        broker.advanceMillis(150);
        long ready = channel.ready("q");
        var deadEarly = channel.drain("dead");
        String head = channel.get("q", true).orElseThrow().text();
        String next = channel.get("q", true).orElseThrow().text();

        assertThat(ready).isEqualTo(3);
        assertThat(deadEarly).isEmpty();
        assertThat(head).isEqualTo("1");
        assertThat(next).isEqualTo("3");
        assertThat(channel.awaitMessage("dead").text()).isEqualTo("2");
    }

    @Contract
    @Case("TT-01")
    void shouldNotPushExpiredMessageWhenConsumerComesLate(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        broker.publish("", "q", expiring(600_000), "1");
        broker.publish("", "q", expiring(100), "2");
        broker.publish("", "q", expiring(600_000), "3");

        broker.advanceMillis(150);
        var consumer = channel.consume("q");

        assertThat(consumer.nextTexts(2)).containsExactly("1", "3");
    }

    @Contract
    @Case("TT-03")
    void shouldDeliverAtOnceOrNeverWhenTimeIsZero(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").messageTtl(0).deadLetterTo("dead"));
        var consumer = channel.consume(ConsumeSpec.from("q").noAck());

        broker.send("q", "1");
        String delivered = consumer.next().text();
        channel.cancel(consumer.consumerTag());
        broker.send("q", "2");

        assertThat(delivered).isEqualTo("1");
        Delivery dead = channel.awaitMessage("dead");
        assertThat(dead.text()).isEqualTo("2");
        assertThat(dead.properties().deaths().get(0)).containsEntry("reason", "expired");
        assertThat(channel.get("q", true)).isEmpty();
    }

    @Contract
    @Case("TT-03")
    void shouldExpireAtOnceWhenOnlyConsumerIsBusy(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));
        channel.qos(1);
        var consumer = channel.consume("q");
        broker.publish("", "q", expiring(0), "1");
        Delivery held = consumer.next();

        broker.publish("", "q", expiring(0), "2");

        assertThat(held.text()).isEqualTo("1");
        assertThat(channel.awaitMessage("dead").text()).isEqualTo("2");
    }

    @Contract
    @Case("TT-03")
    @Row("A10")
    void shouldConfirmWhenMessageWithTimeZeroExpires(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").durable());
        channel.confirmSelect();

        channel.publish("", "q", expiring(0).deliveryMode(2), "1");

        assertThat(channel.publisherEvents().awaitConfirms()).containsExactly(ack(1));
        assertThat(channel.get("q", true)).isEmpty();
    }

    @Contract
    @Case("TT-04")
    void shouldCloseChannelWhenExpirationIsNoNumber(Deployment broker) {
        assertThat(refusal(broker, "hello")).isEqualTo(invalid("'hello': no_integer"));
        assertThat(refusal(broker, "10s")).isEqualTo(invalid("'10s': {leftover_string,\"s\"}"));
        assertThat(refusal(broker, "1.5")).isEqualTo(invalid("'1.5': {leftover_string,\".5\"}"));
        assertThat(refusal(broker, "-1")).isEqualTo(invalid("'-1': {value_negative,-1}"));
        assertThat(refusal(broker, "")).isEqualTo(invalid("'': no_integer"));
    }

    private static Closure refusal(Deployment broker, String expiration) {
        return broker.channel()
                .refused(
                        it -> it.publish("", "nowhere", MessageProperties.none().expiration(expiration), "1"));
    }

    private static Closure invalid(String detail) {
        return Closure.channel(406, "PRECONDITION_FAILED - invalid expiration " + detail);
    }

    @Contract
    @Case("TT-05")
    void shouldTakeLowerWhenQueueAndMessageHaveTime(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("short").messageTtl(100));
        channel.queueDeclare(queue("long").messageTtl(600_000));
        broker.publish("", "short", expiring(600_000), "1");
        broker.publish("", "long", expiring(100), "2");

        broker.advanceMillis(120);

        assertThat(channel.drain("short")).isEmpty();
        assertThat(channel.drain("long")).isEmpty();
    }

    @Contract(needs = Capability.ADMINISTRATION)
    @Case("TT-05")
    @Row("C3")
    void shouldTakeLowestWhenPolicyHasTimeToo(Deployment broker) {
        var channel = broker.channel();
        broker.administration().setPolicy(Policy.forQueues("ttl", "^q", Map.of("message-ttl", 150)));
        channel.queueDeclare(queue("q1").messageTtl(600_000));
        channel.queueDeclare(queue("q2").messageTtl(100));
        broker.publish("", "q1", expiring(300_000), "1");
        broker.publish("", "q2", expiring(300_000), "2");

        broker.advanceMillis(170);

        assertThat(channel.drain("q1")).isEmpty();
        assertThat(channel.drain("q2")).isEmpty();
    }

    @Contract
    @Row("A7")
    void shouldKeepDeadlineWhenRequeued(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").messageTtl(200));
        broker.send("q", "1");
        Delivery held = channel.get("q");

        broker.advanceMillis(100);
        channel.nack(held.tag(), false, true);
        broker.advanceMillis(140);

        assertThat(channel.drain("q")).isEmpty();
    }

    @Contract
    @Row("A7")
    void shouldNotExpireWhileUnacknowledged(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").messageTtl(100).deadLetterTo("dead"));
        broker.send("q", "1");
        Delivery held = channel.get("q");

        broker.advanceMillis(150);
        var deadWhileHeld = channel.drain("dead");
        channel.nack(held.tag(), false, true);

        assertThat(deadWhileHeld).isEmpty();
        assertThat(channel.awaitMessage("dead").text()).isEqualTo("1");
    }

    @Contract
    @Row("A5")
    void shouldRefuseDeclarationWhenTimeIsNoNaturalNumber(Deployment broker) {
        String prefix =
                "PRECONDITION_FAILED - invalid arg 'x-message-ttl' for queue 'q' in vhost '" + broker.vhost() + "': ";

        assertThat(broker.channel().refused(it -> it.queueDeclare(queue("q").messageTtl(-1))))
                .isEqualTo(Closure.channel(406, prefix + "{value_negative,-1}"));
        assertThat(broker.channel().refused(it -> it.queueDeclare(queue("q").argument("x-message-ttl", "5"))))
                .isEqualTo(Closure.channel(406, prefix + "\"expected integer, got longstr\""));
    }

    @Contract
    @Case("TT-01")
    void shouldExpireTheRunAtHeadWhenItsTimeIsOver(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        broker.publish("", "q", expiring(100), "1");
        broker.publish("", "q", expiring(100), "2");
        broker.publish("", "q", expiring(600_000), "3");
        broker.publish("", "q", expiring(100), "4");

        broker.advanceMillis(150);

        assertThat(channel.ready("q")).isEqualTo(2);
        assertThat(channel.drain("q")).containsExactly("3");
    }

    @Contract
    @Case("TT-01")
    @Row("A7")
    void shouldExpireRequeuedMessageBeforeItIsDeliveredAgain(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        var consumer = channel.consume("q");
        broker.publish("", "q", expiring(100), "1");
        Delivery held = consumer.next();

        broker.advanceMillis(150);
        channel.nack(held.tag(), false, true);
        broker.send("q", "2");

        assertThat(consumer.next().text()).isEqualTo("2");
    }

    @Contract
    @Row("A12")
    void shouldBeginTimeAtCommitWhenPublishedInTransaction(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").messageTtl(1_000));
        channel.txSelect();
        channel.publish("", "q", "1");

        broker.advanceMillis(600);
        channel.txCommit();
        broker.advanceMillis(600);

        assertThat(channel.drain("q")).containsExactly("1");
    }
}
