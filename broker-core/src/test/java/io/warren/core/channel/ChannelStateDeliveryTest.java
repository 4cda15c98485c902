package io.warren.core.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ErrorScope;
import io.warren.core.error.ReplyCode;
import io.warren.core.spi.SettleVerb;
import org.junit.jupiter.api.Test;

/** Delivery tags, settling, recover and qos. */
class ChannelStateDeliveryTest {

    private final ChannelFixture channel = new ChannelFixture();

    private static AmqpError unknownTag(long tag) {
        return AmqpError.channel(ReplyCode.PRECONDITION_FAILED, "unknown delivery tag " + tag);
    }

    @Test
    void shouldCountTagsFromOneWhenMessagesComeAnyWay() {
        channel.deliver(channel.q1, "m1");
        channel.got(channel.q2, true, true, "m2");
        channel.state.onReply("reply", ChannelFixture.message("m3"));
        channel.deliver(channel.q1, false, true, "m4");

        assertThat(channel.effects())
                .containsExactly(
                        "deliver c 1 m1",
                        "getOk 2 m2 redelivered ready=5",
                        "deliver reply 3 m3",
                        "deliver c 4 m4 redelivered");
        assertThat(channel.state.unackedCount()).isEqualTo(2);
    }

    @Test
    void shouldKeepNothingWhenAcknowledgedAutomatically() {
        channel.deliver(channel.q1, false, false, "m1");
        channel.got(channel.q1, false, false, "m2");

        assertThat(channel.state.unackedCount()).isZero();
        assertThat(channel.state.onSettle(1, false, SettleVerb.ACK)).isEqualTo(unknownTag(1));
        assertThat(channel.state.onSettle(2, false, SettleVerb.ACK)).isEqualTo(unknownTag(2));
    }

    @Test
    void shouldSettleOneWhenNotMultiple() {
        channel.deliver(channel.q1, "m1", "m2", "m3");
        channel.effects();

        assertThat(channel.state.onSettle(2, false, SettleVerb.REJECT)).isNull();

        assertThat(channel.effects()).containsExactly("returnPermits 1", "settle q1 REJECT m2");
        assertThat(channel.state.unackedCount()).isEqualTo(2);
    }

    @Test
    void shouldSettleAllUpToTagWhenMultiple() {
        channel.deliver(channel.q1, "m1", "m2", "m3", "m4");
        channel.state.onSettle(2, false, SettleVerb.ACK);
        channel.effects();

        assertThat(channel.state.onSettle(3, true, SettleVerb.REQUEUE)).isNull();

        assertThat(channel.effects()).containsExactly("returnPermits 2", "settle q1 REQUEUE m1,m3");
        assertThat(channel.state.unackedCount()).isEqualTo(1);
    }

    @Test
    void shouldSettleAllWhenMultipleAndTagIsZero() {
        channel.deliver(channel.q1, "m1", "m2");
        channel.effects();

        assertThat(channel.state.onSettle(0, true, SettleVerb.ACK)).isNull();
        assertThat(channel.state.onSettle(0, true, SettleVerb.ACK)).isNull();

        assertThat(channel.effects()).containsExactly("returnPermits 2", "settle q1 ACK m1,m2");
    }

    @Test
    void shouldSendRunsOfOneQueueTogetherWhenSeveralQueuesDelivered() {
        channel.deliver(channel.q1, "m1", "m2");
        channel.deliver(channel.q2, "m3");
        channel.deliver(channel.q1, "m4");
        channel.effects();

        channel.state.onSettle(0, true, SettleVerb.ACK);

        assertThat(channel.effects())
                .containsExactly("returnPermits 4", "settle q1 ACK m1,m2", "settle q2 ACK m3", "settle q1 ACK m4");
    }

    @Test
    void shouldReturnPermitsOnlyOfConsumedWhenSomeWereGot() {
        channel.got(channel.q1, true, false, "m1");
        channel.deliver(channel.q1, "m2");
        channel.effects();

        channel.state.onSettle(2, true, SettleVerb.ACK);

        assertThat(channel.effects()).containsExactly("returnPermits 1", "settle q1 ACK m1,m2");
    }

    @Test
    void shouldReturnNoPermitWhenAllWereGot() {
        channel.got(channel.q1, true, false, "m1");
        channel.effects();

        channel.state.onSettle(1, false, SettleVerb.ACK);

        assertThat(channel.effects()).containsExactly("settle q1 ACK m1");
    }

    @Test
    void shouldRefuseTagWhenItIsUnknownOrSettled() {
        channel.deliver(channel.q1, "m1", "m2");
        channel.state.onSettle(1, false, SettleVerb.ACK);
        channel.effects();

        assertThat(channel.state.onSettle(1, false, SettleVerb.ACK)).isEqualTo(unknownTag(1));
        assertThat(channel.state.onSettle(1, true, SettleVerb.ACK)).isEqualTo(unknownTag(1));
        assertThat(channel.state.onSettle(3, true, SettleVerb.REQUEUE)).isEqualTo(unknownTag(3));
        assertThat(channel.state.onSettle(0, false, SettleVerb.ACK)).isEqualTo(unknownTag(0));

        assertThat(channel.effects()).isEmpty();
        assertThat(channel.state.unackedCount()).isEqualTo(1);
    }

    @Test
    void shouldRequeueEverythingWhenRecovered() {
        channel.deliver(channel.q1, "m1");
        channel.got(channel.q2, true, false, "m2");
        channel.effects();

        assertThat(channel.state.onRecover(true)).isNull();

        assertThat(channel.effects())
                .containsExactly("returnPermits 1", "settle q1 REQUEUE m1", "settle q2 REQUEUE m2");
        assertThat(channel.state.unackedCount()).isZero();
    }

    @Test
    void shouldDoNothingWhenRecoveredWithNothingHeld() {
        assertThat(channel.state.onRecover(true)).isNull();

        assertThat(channel.effects()).isEmpty();
    }

    @Test
    void shouldRefuseToRecoverWhenMessagesAreToStay() {
        channel.deliver(channel.q1, "m1");
        channel.effects();

        assertThat(channel.state.onRecover(false))
                .isEqualTo(AmqpError.connection(ReplyCode.NOT_IMPLEMENTED, "requeue=false"));

        assertThat(channel.effects()).isEmpty();
    }

    @Test
    void shouldCountForConsumersToComeWhenQosIsNotGlobal() {
        assertThat(channel.state.prefetchCount()).isZero();

        assertThat(channel.state.onQos(0, 7, false)).isNull();

        assertThat(channel.state.prefetchCount()).isEqualTo(7);
        assertThat(channel.effects()).isEmpty();
    }

    @Test
    void shouldLimitTheChannelWhenQosIsGlobal() {
        assertThat(channel.state.onQos(0, 7, true)).isNull();

        assertThat(channel.state.prefetchCount()).isZero();
        assertThat(channel.effects()).containsExactly("permitLimit 7");
    }

    @Test
    void shouldRefuseQosWhenItLimitsBytes() {
        AmqpError error = channel.state.onQos(1, 7, true);

        assertThat(error).isEqualTo(AmqpError.connection(ReplyCode.NOT_IMPLEMENTED, "prefetch_size!=0 (1)"));
        assertThat(error).extracting(AmqpError::scope).isEqualTo(ErrorScope.CONNECTION);
        assertThat(channel.effects()).isEmpty();
    }
}
