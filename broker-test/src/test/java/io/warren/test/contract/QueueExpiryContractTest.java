package io.warren.test.contract;

import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/** Queues that go when nobody has used them for a while. */
@Row("B2")
@Case("TT-06")
final class QueueExpiryContractTest {

    @Contract
    void shouldDeleteQueueWithItsMessagesWhenUnusedForTheTime(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").argument("x-expires", 200));
        broker.send("q", "1");

        broker.advanceMillis(220);

        assertThat(channel.refused(it -> it.queueDeclarePassive("q")))
                .isEqualTo(QueueContractTest.noQueue(broker, "q"));
    }

    @Contract
    void shouldKeepQueueWhileItHasConsumer(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").argument("x-expires", 200));
        var consumer = channel.consume("q");

        broker.advanceMillis(300);
        broker.send("q", "1");
        channel.ack(consumer.next());
        channel.cancel(consumer.consumerTag());
        broker.advanceMillis(260);

        assertThat(channel.refused(it -> it.queueDeclarePassive("q")))
                .isEqualTo(QueueContractTest.noQueue(broker, "q"));
    }

    @Contract
    void shouldRenewLeaseWhenQueueIsDeclaredOrFetchedFrom(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").argument("x-expires", 400));

        broker.advanceMillis(200);
        channel.queueDeclarePassive("q");
        broker.advanceMillis(200);
        channel.queueDeclare(queue("q").argument("x-expires", 400));
        broker.advanceMillis(200);
        channel.get("q", true);
        broker.advanceMillis(200);

        assertThatCode(() -> channel.queueDeclarePassive("q")).doesNotThrowAnyException();
    }

    @Contract
    void shouldNotRenewLeaseWhenMessageIsPublished(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").argument("x-expires", 400));

        broker.advanceMillis(200);
        broker.send("q", "1");
        broker.advanceMillis(240);

        assertThat(channel.refused(it -> it.queueDeclarePassive("q")))
                .isEqualTo(QueueContractTest.noQueue(broker, "q"));
    }

    @Contract
    @Row("A5")
    void shouldRefuseDeclarationWhenTimeIsNotPositiveInteger(Deployment broker) {
        String prefix =
                "PRECONDITION_FAILED - invalid arg 'x-expires' for queue 'q' in vhost '" + broker.vhost() + "': ";

        assertThat(broker.channel().refused(it -> it.queueDeclare(queue("q").argument("x-expires", 0))))
                .isEqualTo(Closure.channel(406, prefix + "{value_zero,0}"));
        assertThat(broker.channel().refused(it -> it.queueDeclare(queue("q").argument("x-expires", -5))))
                .isEqualTo(Closure.channel(406, prefix + "{value_negative,-5}"));
        assertThat(broker.channel().refused(it -> it.queueDeclare(queue("q").argument("x-expires", "100"))))
                .isEqualTo(Closure.channel(406, prefix + "\"expected integer, got longstr\""));
    }

    @Contract
    void shouldCountEveryIntegerWidthWhenTimeIsGiven(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("byte").argument("x-expires", (byte) 100));
        channel.queueDeclare(queue("short").argument("x-expires", (short) 100));
        channel.queueDeclare(queue("long").argument("x-expires", 100L));

        broker.advanceMillis(150);

        for (String name : new String[] {"byte", "short", "long"}) {
            assertThat(broker.channel().refused(it -> it.queueDeclarePassive(name)))
                    .isEqualTo(QueueContractTest.noQueue(broker, name));
        }
    }
}
