package io.warren.test.contract;

import static io.warren.test.contract.ExchangeSpec.direct;
import static io.warren.test.contract.QueueSpec.queue;
import static io.warren.test.contract.QueueSpec.serverNamed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/** How queues come and go, and when a declaration is equivalent to an earlier one. */
@Row("A5")
final class QueueContractTest {

    static Closure noQueue(Deployment broker, String name) {
        return Closure.channel(404, "NOT_FOUND - no queue '" + name + "' in vhost '" + broker.vhost() + "'");
    }

    private static Closure inequivalent(Deployment broker, String argument, String difference) {
        return Closure.channel(
                406,
                "PRECONDITION_FAILED - inequivalent arg '" + argument + "' for queue 'q' in vhost '" + broker.vhost()
                        + "': " + difference);
    }

    @Contract
    void shouldNameQueueWhenNameIsEmpty(Deployment broker) {
        var channel = broker.channel();

        QueueStatus first = channel.queueDeclare(serverNamed());
        QueueStatus second = channel.queueDeclare(serverNamed());

        assertThat(first.name()).matches("amq\\.gen-[A-Za-z0-9_-]{22}");
        assertThat(second.name()).matches("amq\\.gen-[A-Za-z0-9_-]{22}").isNotEqualTo(first.name());
        assertThat(first.messages()).isZero();
    }

    @Contract
    void shouldMeanLastDeclaredQueueWhenNameIsLeftOut(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        broker.send("q", "1", "2");

        String text = channel.get("").text();
        long purged = channel.queuePurge("");
        Closure passive = channel.refused(it -> it.queueDeclarePassive(""));

        assertThat(text).isEqualTo("1");
        assertThat(purged).isEqualTo(1);
        assertThat(passive).isEqualTo(noQueue(broker, ""));
    }

    @Contract
    @Case("RD-02")
    void shouldTellReadyMessagesAndConsumersWhenDeclaredPassively(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").durable().argument("x-max-length", 10));
        broker.send("q", "1", "2", "3");
        channel.get("q");

        QueueStatus before = channel.queueDeclarePassive("q");
        channel.qos(1);
        channel.consume("q").next();
        QueueStatus after = channel.queueDeclarePassive("q");

        assertThat(before).isEqualTo(new QueueStatus("q", 2, 0));
        assertThat(after).isEqualTo(new QueueStatus("q", 1, 1));
    }

    @Contract
    @Case("RD-02")
    void shouldCloseChannelWhenPassivelyDeclaredQueueIsMissing(Deployment broker) {
        var client = broker.connect();
        var channel = client.openChannel();

        Closure refusal = channel.refused(it -> it.queueDeclarePassive("nope"));

        assertThat(refusal).isEqualTo(noQueue(broker, "nope"));
        assertThat(channel.isOpen()).isFalse();
        assertThat(client.isOpen()).isTrue();
        assertThat(client.openChannel().isOpen()).isTrue();
    }

    @Contract
    void shouldKeepQueueWhenDeclaredAgainAlike(Deployment broker) {
        var channel = broker.channel();
        var spec = queue("q")
                .durable()
                .autoDelete()
                .messageTtl(60_000)
                .argument("x-max-length", 5)
                .argument("x-overflow", "reject-publish")
                .argument("x-own", "1");
        channel.queueDeclare(spec);
        broker.send("q", "1");

        QueueStatus status = channel.queueDeclare(spec);

        assertThat(status).isEqualTo(new QueueStatus("q", 1, 0));
    }

    @Contract
    void shouldRefuseDeclarationWhenFlagDiffers(Deployment broker) {
        broker.channel().queueDeclare(queue("q").durable());

        Closure durable = broker.channel().refused(it -> it.queueDeclare(queue("q")));
        Closure autoDelete = broker.channel()
                .refused(it -> it.queueDeclare(queue("q").durable().autoDelete()));

        assertThat(durable).isEqualTo(inequivalent(broker, "durable", "received 'false' but current is 'true'"));
        assertThat(autoDelete).isEqualTo(inequivalent(broker, "auto_delete", "received 'true' but current is 'false'"));
    }

    @Contract
    @Case("RD-01")
    void shouldCompareByValueWhenIntegerWidthsDiffer(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").argument("x-expires", 10_000).argument("x-max-priority", 3));

        channel.queueDeclare(queue("q").argument("x-expires", 10_000L).argument("x-max-priority", (byte) 3));
        channel.queueDeclare(queue("q").argument("x-expires", (short) 10_000).argument("x-max-priority", 3L));

        assertThat(channel.isOpen()).isTrue();
    }

    @Contract
    @Case("RD-01")
    void shouldRefuseDeclarationWhenArgumentHasOtherType(Deployment broker) {
        broker.channel().queueDeclare(queue("q").argument("x-message-ttl", 10_000));

        Closure text = broker.channel().refused(it -> it.queueDeclare(queue("q").argument("x-message-ttl", "10000")));

        assertThat(text).isEqualTo(inequivalent(broker, "x-message-ttl", "received '10000' but current is '10000'"));
    }

    @Contract
    @Case("RD-01")
    void shouldRefuseDeclarationWhenArgumentIsMissingOrNew(Deployment broker) {
        broker.channel().queueDeclare(queue("q").messageTtl(10_000));

        Closure missing = broker.channel().refused(it -> it.queueDeclare(queue("q")));
        Closure added = broker.channel()
                .refused(it -> it.queueDeclare(queue("q").messageTtl(10_000).argument("x-expires", 5_000)));

        assertThat(missing)
                .isEqualTo(inequivalent(
                        broker, "x-message-ttl", "received none but current is the value '10000' of type 'signedint'"));
        assertThat(added)
                .isEqualTo(inequivalent(
                        broker, "x-expires", "received the value '5000' of type 'signedint' but current is none"));
    }

    @Contract
    @Case("RD-01")
    void shouldRefuseDeclarationWhenArgumentHasOtherValue(Deployment broker) {
        broker.channel().queueDeclare(queue("q").messageTtl(10_000).argument("x-overflow", "drop-head"));

        Closure number = broker.channel()
                .refused(it -> it.queueDeclare(queue("q").messageTtl(20_000).argument("x-overflow", "drop-head")));
        Closure text = broker.channel()
                .refused(it -> it.queueDeclare(queue("q").messageTtl(10_000).argument("x-overflow", "reject-publish")));

        assertThat(number).isEqualTo(inequivalent(broker, "x-message-ttl", "received '20000' but current is '10000'"));
        assertThat(text)
                .isEqualTo(inequivalent(broker, "x-overflow", "received 'reject-publish' but current is 'drop-head'"));
    }

    @Contract
    @Case("RD-01")
    void shouldIgnoreUnknownArgumentWhenQueueIsDeclaredAgain(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").argument("x-foo", 1));

        channel.queueDeclare(queue("q").argument("x-foo", "two"));
        channel.queueDeclare(queue("q"));

        assertThat(channel.isOpen()).isTrue();
    }

    @Contract
    @Case("RD-03")
    void shouldAnswerOkWhenQueueOrExchangeToDeleteIsMissing(Deployment broker) {
        var channel = broker.channel();

        long messages = channel.queueDelete("nope");
        channel.exchangeDelete("nope");

        assertThat(messages).isZero();
        assertThat(channel.isOpen()).isTrue();
    }

    @Contract
    @Case("RD-03")
    void shouldRefuseDeletionWhenItsConditionIsNotMet(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("full"));
        channel.queueDeclare(queue("busy"));
        broker.send("full", "1");
        channel.consume("busy");

        Closure notEmpty = broker.channel().refused(it -> it.queueDelete("full", false, true));
        Closure inUse = broker.channel().refused(it -> it.queueDelete("busy", true, false));

        assertThat(notEmpty)
                .isEqualTo(Closure.channel(
                        406, "PRECONDITION_FAILED - queue 'full' in vhost '" + broker.vhost() + "' not empty"));
        assertThat(inUse)
                .isEqualTo(Closure.channel(
                        406, "PRECONDITION_FAILED - queue 'busy' in vhost '" + broker.vhost() + "' in use"));
        assertThat(channel.queueDelete("full", true, false)).isEqualTo(1);
        assertThat(channel.queueDelete("busy", false, true)).isZero();
    }

    @Contract
    @Row("A7")
    void shouldPurgeReadyMessagesOnly(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        broker.send("q", "1", "2", "3");
        Delivery unacked = channel.get("q");

        long purged = channel.queuePurge("q");
        channel.nack(unacked.tag(), false, true);

        assertThat(purged).isEqualTo(2);
        assertThat(channel.drain("q")).containsExactly("1");
    }

    @Contract
    void shouldForgetBindingsWhenQueueIsDeletedAndDeclaredAgain(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x"));
        channel.queueDeclare(queue("q"));
        channel.queueBind("q", "x", "k");

        channel.queueDelete("q");
        channel.queueDeclare(queue("q"));
        channel.publish("x", "k", "1");

        assertThat(channel.drain("q")).isEmpty();
    }

    @Contract
    @Case("EX-02")
    void shouldKeepAutoDeleteQueueWhenItNeverHadConsumer(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").autoDelete());
        broker.send("q", "1", "2");

        channel.get("q", true);

        assertThat(channel.ready("q")).isEqualTo(1);
    }

    @Contract
    @Case("EX-02")
    void shouldDeleteAutoDeleteQueueWhenLastConsumerIsCancelled(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").autoDelete());
        channel.qos(1);
        var first = channel.consume("q");
        var second = channel.consume("q");
        broker.send("q", "1", "2", "3");

        channel.cancel(first.consumerTag());
        channel.queueDeclarePassive("q");
        channel.cancel(second.consumerTag());

        assertThat(channel.refused(it -> it.queueDeclarePassive("q"))).isEqualTo(noQueue(broker, "q"));
    }

    @Contract
    @Case("EX-02")
    void shouldDeleteAutoDeleteQueueWhenChannelOfLastConsumerCloses(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").autoDelete());
        channel.consume("q");

        channel.close();

        assertThat(broker.channel().refused(it -> it.queueDeclarePassive("q"))).isEqualTo(noQueue(broker, "q"));
    }

    @Contract
    @Case("EX-01")
    void shouldLockEveryOperationWhenQueueIsExclusiveToOtherConnection(Deployment broker) {
        var owner = broker.channel();
        owner.queueDeclare(queue("q").exclusive());
        owner.exchangeDeclare(direct("x"));
        owner.queueBind("q", "x", "bound");
        var other = broker.connect();
        var locked = locked(broker);

        assertThat(other.openChannel().refused(it -> it.queueDeclare(queue("q").exclusive())))
                .isEqualTo(locked);
        assertThat(other.openChannel()
                        .refused(it -> it.queueDeclare(queue("q").durable().messageTtl(1))))
                .isEqualTo(locked);
        assertThat(other.openChannel().refused(it -> it.queueDeclarePassive("q")))
                .isEqualTo(locked);
        assertThat(other.openChannel().refused(it -> it.queueBind("q", "x", "k")))
                .isEqualTo(locked);
        assertThat(other.openChannel().refused(it -> it.queueUnbind("q", "x", "bound")))
                .isEqualTo(locked);
        assertThat(other.openChannel().refused(it -> it.consume("q"))).isEqualTo(locked);
        assertThat(other.openChannel().refused(it -> it.get("q", true))).isEqualTo(locked);
        assertThat(other.openChannel().refused(it -> it.queuePurge("q"))).isEqualTo(locked);
        assertThat(other.openChannel().refused(it -> it.queueDelete("q"))).isEqualTo(locked);
        assertThat(other.isOpen()).isTrue();
    }

    private static Closure locked(Deployment broker) {
        return Closure.channel(
                405,
                "RESOURCE_LOCKED - cannot obtain exclusive access to locked queue 'q' in vhost '" + broker.vhost()
                        + "'. It could be originally declared on another connection or the exclusive property value "
                        + "does not match that of the original declaration.");
    }

    @Contract
    @Case("EX-01")
    void shouldRefuseDeclarationWhenExclusiveDiffers(Deployment broker) {
        broker.channel().queueDeclare(queue("q"));

        Closure refusal =
                broker.channel().refused(it -> it.queueDeclare(queue("q").exclusive()));

        assertThat(refusal).isEqualTo(locked(broker));
    }

    @Contract
    @Case("EX-01")
    void shouldRefuseOwnersDeclarationWhenItIsNotExclusive(Deployment broker) {
        broker.channel().queueDeclare(queue("q").exclusive());

        Closure refusal = broker.channel().refused(it -> it.queueDeclare(queue("q")));

        assertThat(refusal).isEqualTo(locked(broker));
    }

    @Contract
    @Case("EX-01")
    void shouldTakeMessagesFromOthersWhenQueueIsExclusive(Deployment broker) {
        var owner = broker.channel();
        owner.queueDeclare(queue("q").exclusive());
        var consumer = owner.consume(ConsumeSpec.from("q").noAck());

        broker.send("q", "1");

        assertThat(consumer.next().text()).isEqualTo("1");
    }

    @Contract
    @Case("EX-01")
    void shouldBeFreeForOthersWhenOwnerOfExclusiveQueueHasClosed(Deployment broker) {
        var owner = broker.connect();
        owner.openChannel().queueDeclare(queue("q").exclusive());
        broker.send("q", "1");

        owner.close();
        QueueStatus status = broker.channel().queueDeclare(queue("q").exclusive());

        assertThat(status.messages()).isZero();
    }

    @Contract
    @Case("EX-01")
    void shouldKeepExclusiveQueueWhenOnlyItsChannelCloses(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q").exclusive());

        channel.close();

        assertThatCode(() -> broker.channel().queueDeclarePassive("q")).doesNotThrowAnyException();
    }

    @Contract
    void shouldAnswerOkWhenBindingToRemoveIsMissingThoughQueueIsLocked(Deployment broker) {
        broker.channel().queueDeclare(queue("q").exclusive());
        var other = broker.connect().openChannel();

        other.queueUnbind("q", "amq.direct", "k");

        assertThat(other.isOpen()).isTrue();
    }

    @Contract
    @Row("A6")
    void shouldCutReplyTextWhenItIsLongerThan255Bytes(Deployment broker) {
        String name = "n".repeat(250);

        Closure refusal = broker.channel().refused(it -> it.queueDeclarePassive(name));

        assertThat(refusal).isEqualTo(Closure.channel(404, "NOT_FOUND - no queue '" + "n".repeat(230) + "..."));
        assertThat(refusal.text()).hasSize(255);
    }

    @Contract
    void shouldReserveNamesBeginningWithAmq(Deployment broker) {
        Closure queue = broker.channel().refused(it -> it.queueDeclare(queue("amq.foo")));
        Closure exchange = broker.channel().refused(it -> it.exchangeDeclare(direct("amq.foo")));

        assertThat(queue)
                .isEqualTo(
                        Closure.channel(403, "ACCESS_REFUSED - queue name 'amq.foo' contains reserved prefix 'amq.*'"));
        assertThat(exchange)
                .isEqualTo(Closure.channel(
                        403, "ACCESS_REFUSED - exchange name 'amq.foo' contains reserved prefix 'amq.*'"));
    }

    @Contract
    void shouldHandOverOldestFirstWhenMessagesWait(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));

        broker.send("q", "1", "2", "3");

        Delivery first = channel.get("q");
        Delivery second = channel.get("q");
        assertThat(first.text()).isEqualTo("1");
        assertThat(first.messagesLeft()).isEqualTo(2);
        assertThat(first.isRedelivered()).isFalse();
        assertThat(second.text()).isEqualTo("2");
        assertThat(second.messagesLeft()).isEqualTo(1);
        assertThat(second.tag()).isEqualTo(first.tag() + 1);
    }

    @Contract
    void shouldAnswerEmptyWhenNothingIsReady(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        broker.send("q", "1");

        channel.get("q");

        assertThat(channel.get("q", false)).isEmpty();
        assertThat(channel.get("q", true)).isEmpty();
    }

    @Contract
    void shouldCountReadyMessagesOnlyWhenQueueIsDeleted(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        broker.send("q", "1", "2", "3");
        channel.get("q");

        assertThat(channel.queueDelete("q")).isEqualTo(2);
    }

    @Contract
    void shouldDeleteIfEmptyWhenOnlyUnackedMessagesAreLeft(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        broker.send("q", "1");
        channel.get("q");

        assertThat(channel.queueDelete("q", true, true)).isZero();
    }

    @Contract
    @Case("EX-01")
    @Row("B3")
    void shouldNotDeadLetterWhenOwnerOfExclusiveQueueCloses(Deployment broker) {
        var owner = broker.connect();
        broker.channel().queueDeclare(queue("dead"));
        owner.openChannel().queueDeclare(queue("q").exclusive().deadLetterTo("dead"));
        broker.send("q", "1");

        owner.close();

        assertThat(broker.channel().refused(it -> it.queueDeclarePassive("q"))).isEqualTo(noQueue(broker, "q"));
        assertThat(broker.channel().ready("dead")).isZero();
    }
}
