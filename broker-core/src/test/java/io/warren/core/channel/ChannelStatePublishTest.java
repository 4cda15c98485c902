package io.warren.core.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import org.junit.jupiter.api.Test;

/** Routing, returns and confirms. */
class ChannelStatePublishTest {

    private final ChannelFixture channel = new ChannelFixture();

    @Test
    void shouldWantNoAnswerWhenModeIsPlain() {
        channel.route("m1", channel.q1, channel.q2);

        channel.publish("m1");

        assertThat(channel.effects()).containsExactly("publish q1 0 m1", "publish q2 0 m1");
        assertThat(channel.state.unconfirmedCount()).isZero();
        assertThat(channel.state.lastSequence()).isZero();
    }

    @Test
    void shouldDropWhenUnroutableAndPlain() {
        channel.publish("m1");

        assertThat(channel.effects()).isEmpty();
    }

    @Test
    void shouldReturnWhenUnroutableAndMandatory() {
        channel.route("m2", channel.q1);

        channel.publishMandatory("m1");
        channel.publishMandatory("m2");

        assertThat(channel.effects()).containsExactly("returned m1", "publish q1 0 m2");
    }

    @Test
    void shouldReturnBeforeConfirmWhenUnroutableAndMandatory() {
        channel.state.onConfirmSelect();

        channel.publishMandatory("m1");
        channel.publish("m2");

        assertThat(channel.effects()).containsExactly("returned m1", "confirmed 1", "confirmed 2");
    }

    @Test
    void shouldConfirmWhenItsQueueHasIt() {
        channel.state.onConfirmSelect();
        channel.route("m", channel.q1);
        channel.publish("m", "m");
        assertThat(channel.effects()).containsExactly("publish q1 1 m", "publish q1 2 m");
        assertThat(channel.state.unconfirmedCount()).isEqualTo(2);
        assertThat(channel.state.lastSequence()).isEqualTo(2);

        channel.state.onConfirmed(2);
        channel.state.onConfirmed(1);

        assertThat(channel.effects()).containsExactly("confirmed 2", "confirmed 1");
        assertThat(channel.state.unconfirmedCount()).isZero();
    }

    @Test
    void shouldConfirmOnceWhenAllItsQueuesHaveIt() {
        channel.state.onConfirmSelect();
        channel.route("m", channel.q1, channel.q2);
        channel.publish("m");
        channel.effects();

        channel.state.onConfirmed(1);
        assertThat(channel.effects()).isEmpty();
        channel.state.onConfirmed(1);
        assertThat(channel.effects()).containsExactly("confirmed 1");
        channel.state.onConfirmed(1);

        assertThat(channel.effects()).isEmpty();
    }

    @Test
    void shouldRejectOnceWhenOneOfItsQueuesRefuses() {
        channel.state.onConfirmSelect();
        channel.route("m", channel.q1, channel.q2);
        channel.publish("m", "m");
        channel.effects();

        channel.state.onRejected(1);
        channel.state.onConfirmed(1);
        channel.state.onConfirmed(2);
        channel.state.onRejected(2);
        channel.state.onRejected(2);

        assertThat(channel.effects()).containsExactly("rejected 1", "rejected 2");
        assertThat(channel.state.unconfirmedCount()).isZero();
    }

    @Test
    void shouldNumberFromConfirmSelectOnWhenPublishedBefore() {
        channel.route("m", channel.q1);
        channel.publish("m");
        channel.state.onConfirmSelect();
        channel.publish("m");
        channel.state.onConfirmSelect();
        channel.publish("m");

        assertThat(channel.effects()).containsExactly("publish q1 0 m", "publish q1 1 m", "publish q1 2 m");
    }

    @Test
    void shouldRefuseToSwitchWhenInTheOtherMode() {
        ChannelFixture transactional = new ChannelFixture();
        transactional.state.onTxSelect();
        channel.state.onConfirmSelect();

        assertThat(transactional.state.onConfirmSelect())
                .isEqualTo(AmqpError.channel(ReplyCode.PRECONDITION_FAILED, "cannot switch from tx to confirm mode"));
        assertThat(channel.state.onTxSelect())
                .isEqualTo(AmqpError.channel(ReplyCode.PRECONDITION_FAILED, "cannot switch from confirm to tx mode"));
        assertThat(channel.state.isTransactional()).isFalse();
        assertThat(transactional.state.isTransactional()).isTrue();
    }
}
