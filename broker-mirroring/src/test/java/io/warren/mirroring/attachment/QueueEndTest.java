package io.warren.mirroring.attachment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.spi.SettleVerb;
import io.warren.mirroring.attachment.AttachmentFrame.ToChannel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A queue used by a channel of another node; flushed when it is asked for, by hand. */
class QueueEndTest {
    private final Said said = new Said();
    private final QueueEnd end = new QueueEnd(1, new QueueEnd.Output() {
        @Override
        public void send(ToChannel frame) {
            said.add(Said.text(frame));
        }

        @Override
        public void flushSoon() {
            said.add("flush soon");
        }

        @Override
        public void closed() {
            said.add("closed");
        }

        @Override
        public void heard() {
            said.add("heard");
        }

        @Override
        public void ended() {
            said.add("ended");
        }
    });

    private void attach(int attempt, long firstOpen) {
        end.onAttach(new AttachmentFrame.Attach(1, attempt, "/", "q", 7, firstOpen), said.queue("q" + attempt));
    }

    private void publish(int attempt, long number, boolean confirm) {
        Message message = Message.owning("", "q", Properties.NONE, ("m" + number).getBytes(UTF_8));
        end.onFrame(new AttachmentFrame.Publish(1, attempt, number, 1, confirm, message));
    }

    @Test
    void shouldHandOnWhatTheChannelSays() {
        attach(1, 1);

        publish(1, 1, true);
        publish(1, 2, false);
        end.onFrame(new AttachmentFrame.Settle(1, 1, SettleVerb.REQUEUE, List.of(3L, 5L)));
        end.onFrame(new AttachmentFrame.Barrier(1, 1, 3));

        assertThat(said.take())
                .containsExactly("q1 publish 1 m1", "q1 publish 0 m2", "q1 REQUEUE 1/[3, 5]", "q1 barrier 3");
    }

    @Test
    void shouldAnswerManyAtOnce() {
        attach(1, 1);
        publish(1, 1, true);
        publish(1, 2, true);
        publish(1, 3, false);
        said.take();

        end.onTaken(3);
        end.onAnswered(1, true);
        end.onAnswered(2, false);
        end.flush();

        assertThat(said.take())
                .containsExactly(
                        "flush soon", "Taken[attempt=1, upTo=3]", "Answered[attempt=1, confirmed=[1], rejected=[2]]");
    }

    @Test
    void shouldRecogniseAPublishThatComesAgainAndAnswerItAsBefore() {
        attach(1, 1);
        publish(1, 1, true);
        publish(1, 2, true);
        end.onAnswered(1, false);
        end.onLinkLost();
        end.onAnswered(2, true);
        said.take();

        attach(2, 1);
        publish(2, 1, true);
        publish(2, 2, true);
        publish(2, 3, true);

        assertThat(said.take()).containsExactly("Answered[attempt=2, confirmed=[2], rejected=[1]]", "q2 publish 3 m3");
    }

    @Test
    void shouldSayLastThatTheQueueIsMirrored() {
        attach(1, 1);
        publish(1, 1, true);
        publish(1, 2, true);
        end.onTaken(1);
        end.onAnswered(1, true);
        said.take();

        end.onMirrored();
        publish(1, 3, true);

        assertThat(said.take())
                .containsExactly("Answered[attempt=1, confirmed=[1], rejected=[]]", "Mirrored[attempt=1]");
    }

    @Test
    void shouldSayAgainWhatWasLostWithTheLinkWhenTheQueueCameToBeMirrored() {
        attach(1, 1);
        publish(1, 1, true);
        publish(1, 2, true);
        end.onTaken(1);
        end.onLinkLost();
        end.onAnswered(1, true);
        end.onMirrored();
        said.take();

        end.onAttachMirrored(new AttachmentFrame.Attach(1, 2, "/", "q", 7, 1));

        assertThat(said.take())
                .containsExactly("Answered[attempt=2, confirmed=[1], rejected=[]]", "Mirrored[attempt=2]");
    }

    @Test
    void shouldAnswerABarrierInItsAttachmentOnly() {
        attach(1, 1);
        end.onFrame(new AttachmentFrame.Barrier(1, 1, 1));
        end.onAnswered(1, true);
        end.flush();
        assertThat(said.take())
                .containsExactly("q1 barrier 1", "flush soon", "Answered[attempt=1, confirmed=[1], rejected=[]]");

        attach(2, 2);

        assertThat(said.take()).containsExactly("q1 close");
    }

    @Test
    void shouldForgetAnswersTheChannelHasHeard() {
        attach(1, 1);
        publish(1, 1, true);
        publish(1, 2, true);
        end.onAnswered(1, true);
        end.onAnswered(2, true);
        said.take();

        attach(2, 2);

        assertThat(said.take()).containsExactly("q1 close", "Answered[attempt=2, confirmed=[2], rejected=[]]");
    }

    @Test
    void shouldLetGoOfTheChannelWhenTheLinkIsLost() {
        attach(1, 1);
        said.take();

        end.onLinkLost();
        end.onFrame(new AttachmentFrame.Settle(1, 1, SettleVerb.ACK, List.of(3L)));
        end.onAnswer(1, new AttachmentFrame.GetEmpty(1, 1));

        assertThat(said.take()).containsExactly("q1 close");
    }

    @Test
    void shouldPassOnNothingOfAnEarlierAttachment() {
        attach(1, 1);
        attach(2, 1);
        said.take();

        end.onAnswer(1, new AttachmentFrame.ConsumeOk(1, 1, "t"));
        end.onFrame(new AttachmentFrame.Settle(1, 1, SettleVerb.ACK, List.of(3L)));
        end.onAnswer(2, new AttachmentFrame.ConsumeOk(1, 2, "t"));

        assertThat(said.take()).containsExactly("ConsumeOk[attempt=2, tag=t]");
    }

    @Test
    void shouldKnowNothingOfEarlierNumbersAfterARestart() {
        attach(1, 100);
        publish(1, 100, true);

        assertThat(said.take()).containsExactly("q1 publish 100 m100");
    }

    @Test
    void shouldSayThatTheQueueIsGoneWhenItIsNotThere() {
        end.onAttach(new AttachmentFrame.Attach(1, 1, "/", "q", 7, 1), null);

        assertThat(said.take()).containsExactly("Gone[attempt=1]", "ended");
    }

    @Test
    void shouldSayTheLastAnswersOfADeletedQueueBeforeThatItIsGone() {
        attach(1, 1);
        publish(1, 1, true);
        said.take();

        end.onAnswered(1, true);
        end.onAnswer(1, new AttachmentFrame.Gone(1, 1));

        assertThat(said.take())
                .containsExactly(
                        "flush soon", "Answered[attempt=1, confirmed=[1], rejected=[]]", "Gone[attempt=1]", "ended");
    }

    @Test
    void shouldEndWhenTheChannelHasEndedInAnAttachmentOfWhichNothingCame() {
        attach(1, 1);
        end.onLinkLost();
        said.take();

        end.onFrame(new AttachmentFrame.Detach(1, 3));

        assertThat(said.take()).containsExactly("Detached[attempt=3]", "ended");
    }

    @Test
    void shouldGoOnWhenADetachOfAnEarlierAttachmentComesLate() {
        attach(2, 1);
        said.take();

        end.onFrame(new AttachmentFrame.Detach(1, 1));
        publish(2, 1, true);

        assertThat(said.take()).containsExactly("q2 publish 1 m1");
    }

    @Test
    void shouldRefuseTheChannelAMessageThatIsTooLargeToTravel() {
        attach(2, 1);
        said.take();

        end.onTooLarge(1, "of an earlier attachment");
        end.onTooLarge(2, "message size 3 is larger than 2");

        assertThat(said.take())
                .singleElement()
                .asString()
                .startsWith("Refused[attempt=2, error=")
                .contains("message size 3 is larger than 2; the queue can be consumed at its node");
    }

    @Test
    void shouldAnswerADetachWhenTheQueueHasBackWhatTheChannelHeld() {
        attach(1, 1);
        said.take();

        end.onFrame(new AttachmentFrame.Detach(1, 1));
        assertThat(said.take()).containsExactly("q1 close", "closed");

        end.onClosed();
        assertThat(said.take()).containsExactly("Detached[attempt=1]", "ended");
    }
}
