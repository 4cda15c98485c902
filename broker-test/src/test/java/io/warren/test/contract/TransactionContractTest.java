package io.warren.test.contract;

import static io.warren.test.contract.PublisherEvent.noRoute;
import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

/** What a transaction holds back until it is committed. */
@Row("A12")
@Case("TX-01")
final class TransactionContractTest {

    private static ClientChannel transactional(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        channel.txSelect();
        return channel;
    }

    @Contract
    void shouldHoldPublishesBackUntilCommit(Deployment broker) {
        var channel = transactional(broker);

        channel.publish("", "q", "1");
        channel.publish("", "q", "2");
        var before = channel.drain("q");
        channel.txCommit();

        assertThat(before).isEmpty();
        assertThat(broker.channel().drain("q")).containsExactly("1", "2");
    }

    @Contract
    void shouldForgetPublishesWhenRolledBack(Deployment broker) {
        var channel = transactional(broker);
        channel.publish("", "q", "1");

        channel.txRollback();
        channel.publish("", "q", "2");
        channel.txCommit();

        assertThat(broker.channel().drain("q")).containsExactly("2");
    }

    @Contract
    void shouldForgetPublishesWhenChannelClosesBeforeCommit(Deployment broker) {
        var channel = transactional(broker);
        channel.publish("", "q", "1");

        channel.close();

        assertThat(broker.channel().drain("q")).isEmpty();
    }

    @Contract
    void shouldHoldAcknowledgementsBackUntilCommit(Deployment broker) {
        var channel = transactional(broker);
        broker.send("q", "1", "2");
        channel.ack(channel.get("q"));
        channel.txCommit();
        channel.ack(channel.get("q"));

        channel.close();

        Delivery left = broker.channel().get("q");
        assertThat(left.text()).isEqualTo("2");
        assertThat(left.isRedelivered()).isTrue();
    }

    @Contract
    void shouldRestoreUnackedWithoutRedeliveryWhenRolledBack(Deployment broker) {
        var channel = transactional(broker);
        broker.send("q", "1");
        var consumer = channel.consume("q");
        Delivery delivery = consumer.next();
        channel.ack(delivery);

        channel.txRollback();
        channel.settle("q");
        var pushedAgain = consumer.pending();
        channel.ack(delivery);
        channel.txCommit();
        channel.close();

        assertThat(pushedAgain).isEmpty();
        assertThat(broker.channel().ready("q")).isZero();
    }

    @Contract
    void shouldRequeueAtCommitWhenRefusedInTransaction(Deployment broker) {
        var channel = transactional(broker);
        broker.send("q", "1");
        Delivery delivery = channel.get("q");

        channel.nack(delivery.tag(), false, true);
        var before = broker.channel().drain("q");
        channel.txCommit();

        assertThat(before).isEmpty();
        assertThat(broker.channel().drain("q")).containsExactly("1");
    }

    @Contract
    void shouldDeadLetterAtCommitWhenRefusedInTransaction(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("dead"));
        channel.queueDeclare(queue("q").deadLetterTo("dead"));
        channel.txSelect();
        broker.send("q", "1");

        channel.reject(channel.get("q").tag(), false);
        var before = broker.channel().drain("dead");
        channel.txCommit();

        assertThat(before).isEmpty();
        assertThat(broker.channel().awaitMessage("dead").text()).isEqualTo("1");
    }

    @Contract
    @Row("A11")
    void shouldReturnUnroutableBeforeCommitAnswers(Deployment broker) {
        var channel = transactional(broker);
        channel.publishMandatory("", "nowhere", "1");
        channel.qos(0);
        var before = channel.publisherEvents().soFar();

        channel.txCommit();

        assertThat(before).isEmpty();
        assertThat(channel.publisherEvents().soFar()).containsExactly(noRoute("", "nowhere", "1"));
    }

    @Contract
    void shouldCloseChannelAtOnceWhenExchangeIsMissing(Deployment broker) {
        var channel = transactional(broker);
        channel.publish("", "q", "1");

        Closure closure = channel.refused(it -> it.publish("nope", "k", "2"));

        assertThat(closure)
                .isEqualTo(Closure.channel(404, "NOT_FOUND - no exchange 'nope' in vhost '" + broker.vhost() + "'"));
        assertThat(broker.channel().drain("q")).isEmpty();
    }

    @Contract
    void shouldCloseChannelWhenTagInTransactionIsUnknown(Deployment broker) {
        var channel = transactional(broker);

        Closure closure = channel.refused(it -> it.ack(42, false));

        assertThat(closure).isEqualTo(Closure.channel(406, "PRECONDITION_FAILED - unknown delivery tag 42"));
    }

    @Contract
    void shouldBeginNextTransactionWhenCommitted(Deployment broker) {
        var channel = transactional(broker);
        channel.txSelect();
        channel.txCommit();
        channel.publish("", "q", "1");
        channel.txCommit();
        channel.publish("", "q", "2");

        channel.txRollback();

        assertThat(broker.channel().drain("q")).containsExactly("1");
    }

    @Contract
    @Row("A6")
    void shouldRefuseCommitAndRollbackWhenNotSelected(Deployment broker) {
        var refusal = Closure.channel(406, "PRECONDITION_FAILED - channel is not transactional");

        assertThat(broker.channel().refused(ClientChannel::txCommit)).isEqualTo(refusal);
        assertThat(broker.channel().refused(ClientChannel::txRollback)).isEqualTo(refusal);
    }

    @Contract
    @Row("A6")
    @Row("A10")
    void shouldRefuseToMixTransactionsAndConfirms(Deployment broker) {
        var confirming = broker.channel();
        confirming.confirmSelect();

        assertThat(transactional(broker).refused(ClientChannel::confirmSelect))
                .isEqualTo(Closure.channel(406, "PRECONDITION_FAILED - cannot switch from tx to confirm mode"));
        assertThat(confirming.refused(ClientChannel::txSelect))
                .isEqualTo(Closure.channel(406, "PRECONDITION_FAILED - cannot switch from confirm to tx mode"));
    }
}
