package io.warren.core.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.core.spi.SettleVerb;
import org.junit.jupiter.api.Test;

class ChannelStateTransactionTest {

    private static final AmqpError NOT_TRANSACTIONAL =
            AmqpError.channel(ReplyCode.PRECONDITION_FAILED, "channel is not transactional");

    private final ChannelFixture channel = new ChannelFixture();

    private void select() {
        assertThat(channel.state.onTxSelect()).isNull();
        channel.route("m1", channel.q1);
        channel.route("m2", channel.q1, channel.q2);
    }

    @Test
    void shouldSendNothingBeforeCommit() {
        select();
        channel.deliver(channel.q1, "d1");
        channel.effects();

        channel.publish("m1");
        channel.publishMandatory("unroutable");
        assertThat(channel.state.onSettle(1, false, SettleVerb.ACK)).isNull();

        assertThat(channel.effects()).isEmpty();
        assertThat(channel.state.unackedCount()).isZero();
    }

    @Test
    void shouldPublishThenSettleInOrderWhenCommitted() {
        select();
        channel.deliver(channel.q1, "d1", "d2", "d3");
        channel.effects();
        channel.state.onSettle(3, false, SettleVerb.REQUEUE);
        channel.publish("m1");
        channel.state.onSettle(2, true, SettleVerb.ACK);
        channel.publishMandatory("unroutable");
        channel.publish("m2");

        assertThat(channel.state.onTxCommit()).isNull();

        assertThat(channel.effects())
                .containsExactly(
                        "publish q1 1 m1",
                        "returned unroutable",
                        "publish q1 3 m2",
                        "publish q2 3 m2",
                        "returnPermits 1",
                        "settle q1 REQUEUE d3",
                        "returnPermits 2",
                        "settle q1 ACK d1,d2",
                        "barrier q1 4");
    }

    @Test
    void shouldAnswerCommitWhenEverySettlementIsSafe() {
        select();
        channel.deliver(channel.q1, "d1");
        channel.deliver(channel.q2, "d2");
        channel.effects();
        channel.state.onSettle(2, true, SettleVerb.ACK);
        channel.state.onTxCommit();
        assertThat(channel.effects())
                .containsExactly(
                        "returnPermits 2", "settle q1 ACK d1", "settle q2 ACK d2", "barrier q1 1", "barrier q2 2");

        channel.state.onConfirmed(2);
        assertThat(channel.effects()).isEmpty();
        channel.state.onConfirmed(1);

        assertThat(channel.effects()).containsExactly("commitOk");
    }

    @Test
    void shouldAnswerCommitWhenEveryPublishIsSafe() {
        select();
        channel.publish("m1", "m2");
        channel.state.onTxCommit();
        channel.effects();

        channel.state.onConfirmed(2);
        channel.state.onConfirmed(1);
        assertThat(channel.effects()).isEmpty();
        channel.state.onConfirmed(2);

        assertThat(channel.effects()).containsExactly("commitOk");
    }

    @Test
    void shouldAnswerAtOnceWhenNothingWasPublished() {
        select();

        channel.state.onTxCommit();
        channel.publish("unroutable");
        channel.state.onTxCommit();

        assertThat(channel.effects()).containsExactly("commitOk", "commitOk");
    }

    @Test
    void shouldFailOnceWhenAQueueRefuses() {
        select();
        channel.publish("m1", "m2");
        channel.state.onTxCommit();
        channel.effects();

        channel.state.onRejected(1);
        assertThat(channel.effects()).isEmpty();
        channel.state.onConfirmed(2);
        channel.state.onConfirmed(2);

        assertThat(channel.effects()).containsExactly("commitFailed");
    }

    @Test
    void shouldCommitWhenAnEarlierCommitFailed() {
        select();
        channel.publish("m1");
        channel.state.onTxCommit();
        channel.state.onRejected(1);
        channel.publish("m1");
        channel.effects();

        channel.state.onTxCommit();
        channel.state.onConfirmed(2);

        assertThat(channel.effects()).containsExactly("publish q1 2 m1", "commitOk");
    }

    @Test
    void shouldSendOnceWhenCommittedTwice() {
        select();
        channel.deliver(channel.q1, "d1");
        channel.publish("m1");
        channel.state.onSettle(1, false, SettleVerb.ACK);
        channel.state.onTxCommit();
        channel.state.onConfirmed(1);
        channel.state.onConfirmed(2);
        channel.effects();

        channel.state.onTxCommit();

        assertThat(channel.effects()).containsExactly("commitOk");
    }

    @Test
    void shouldForgetPublishesWhenRolledBack() {
        select();
        channel.publish("m1");

        assertThat(channel.state.onTxRollback()).isNull();
        channel.state.onTxCommit();

        assertThat(channel.effects()).containsExactly("commitOk");
    }

    @Test
    void shouldGiveTagsBackWhenRolledBack() {
        select();
        channel.deliver(channel.q1, "d1", "d2", "d3");
        channel.state.onSettle(3, false, SettleVerb.REJECT);
        channel.state.onSettle(2, true, SettleVerb.ACK);
        channel.effects();

        channel.state.onTxRollback();
        assertThat(channel.effects()).isEmpty();
        assertThat(channel.state.unackedCount()).isEqualTo(3);
        channel.state.onSettle(3, true, SettleVerb.ACK);
        channel.state.onTxCommit();
        channel.state.onConfirmed(1);

        assertThat(channel.effects())
                .containsExactly("returnPermits 3", "settle q1 ACK d1,d2,d3", "barrier q1 1", "commitOk");
    }

    @Test
    void shouldRefuseTagWhenSettledInTheSameTransaction() {
        select();
        channel.deliver(channel.q1, "d1");
        channel.state.onSettle(1, false, SettleVerb.ACK);

        assertThat(channel.state.onSettle(1, false, SettleVerb.ACK))
                .isEqualTo(AmqpError.channel(ReplyCode.PRECONDITION_FAILED, "unknown delivery tag 1"));
    }

    @Test
    void shouldRefuseWhenChannelIsNotTransactional() {
        assertThat(channel.state.onTxCommit()).isEqualTo(NOT_TRANSACTIONAL);
        assertThat(channel.state.onTxRollback()).isEqualTo(NOT_TRANSACTIONAL);
        assertThat(channel.effects()).isEmpty();
    }

    @Test
    void shouldStayTransactionalWhenSelectedAgain() {
        select();
        channel.publish("m1");

        assertThat(channel.state.onTxSelect()).isNull();
        channel.state.onTxCommit();

        assertThat(channel.effects()).containsExactly("publish q1 1 m1");
        assertThat(channel.state.isTransactional()).isTrue();
    }

    @Test
    void shouldPublishWithNextCommitWhenPublishedDuringCommit() {
        select();
        channel.publish("m1");
        channel.state.onTxCommit();
        channel.effects();

        channel.publish("m1");
        assertThat(channel.effects()).isEmpty();
        channel.state.onConfirmed(1);
        channel.state.onTxCommit();

        assertThat(channel.effects()).containsExactly("commitOk", "publish q1 2 m1");
    }
}
