package io.warren.mirroring.attachment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.mirroring.attachment.AttachmentFrame.ToChannel;
import org.junit.jupiter.api.Test;

/** A mirrored queue's end: what comes again is the queue's business, and of attachments only the present one counts. */
class MirroredQueueEndTest {
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

    private void attach(int attempt, long firstOpen, long reign) {
        end.onAttach(
                new AttachmentFrame.Attach(1, attempt, "/", "q", 7, firstOpen, reign, 0), said.queue("q" + attempt));
    }

    private void publish(int attempt, long number, long firstOpen) {
        Message message = Message.owning("", "q", Properties.NONE, ("m" + number).getBytes(UTF_8));
        end.onFrame(new AttachmentFrame.Publish(1, attempt, number, firstOpen, true, message));
    }

    @Test
    void shouldHandOnWhatComesAgainWithItsNumbers() {
        attach(1, 1, 3);
        publish(1, 1, 1);
        publish(1, 2, 1);

        attach(2, 2, 3);
        publish(2, 2, 2);

        assertThat(said.take())
                .containsExactly(
                        "q1 publish 1 from 1 m1", "q1 publish 2 from 1 m2", "q1 close", "q2 publish 2 from 2 m2");
    }

    @Test
    void shouldRememberNoAnswerForTheNextAttachment() {
        attach(1, 1, 3);
        publish(1, 1, 1);
        end.onAnswered(1, true);
        end.onLinkLost();
        said.take();

        attach(2, 1, 3);

        assertThat(said.take()).isEmpty();
    }

    @Test
    void shouldSayNothingWhenTheReignIsOver() {
        attach(1, 1, 3);
        publish(1, 1, 1);
        end.onAnswered(1, true);
        said.take();

        end.onReignOver(1);
        end.flush();
        publish(1, 2, 1);

        assertThat(said.take()).isEmpty();
    }

    @Test
    void shouldTellTheChannelWhenTheQueueLetsGo() {
        attach(1, 1, 3);

        end.onLetGo(1);
        publish(1, 1, 1);

        assertThat(said.take()).containsExactly("q1 close", "Detached[attempt=1]");
    }

    @Test
    void shouldLetOfAnEarlierAttachmentGoNothing() {
        attach(1, 1, 3);
        attach(2, 1, 3);
        said.take();

        end.onLetGo(1);
        end.onReignOver(1);
        publish(2, 1, 1);

        assertThat(said.take()).containsExactly("q2 publish 1 from 1 m1");
    }

    @Test
    void shouldForgetTheChannelOnlyWhenItHasHeardThatItEnded() {
        attach(1, 1, 3);
        publish(1, 1, 1);
        end.onFrame(new AttachmentFrame.Detach(1, 1));
        end.onClosed();
        assertThat(said.take()).containsExactly("q1 publish 1 from 1 m1", "q1 close", "closed", "Detached[attempt=1]");

        end.onFrame(new AttachmentFrame.Detach(1, 1));

        assertThat(said.take()).containsExactly("heard", "ended");
    }

    @Test
    void shouldForgetNoChannelThatMayPublishAgainOverTheNextLink() { // seed 1431 of the simulation
        attach(1, 1, 3);
        publish(1, 1, 1);
        end.onFrame(new AttachmentFrame.Detach(1, 1));
        end.onClosed();
        said.take();

        end.onLinkLost();
        assertThat(said.take()).containsExactly("ended");
        attach(2, 1, 3);
        publish(2, 1, 1);

        assertThat(said.take()).containsExactly("q2 publish 1 from 1 m1");
    }
}
