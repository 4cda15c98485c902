package io.warren.mirroring.attachment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.spi.AttachedQueue.Consumer;
import io.warren.mirroring.attachment.AttachmentFrame.ToQueue;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A mirrored queue, used by a channel; masters are A in reign 3, then B in reign 5. */
class MirroredChannelEndTest {
    private final Said said = new Said();
    private final ChannelEnd end = end(0);

    private ChannelEnd end(long source) {
        ChannelEnd.Target target = new ChannelEnd.Target("/", "q", 7, "A", true, source);
        return new ChannelEnd(1, target, said.channel(), new ChannelEnd.Output() {
            @Override
            public void send(ToQueue frame) {
                said.add(Said.text(frame));
            }

            @Override
            public void endedApart(int lastAttempt) {
                said.add("ended apart " + lastAttempt);
            }

            @Override
            public void mirrored() {
                said.add("mirrored");
            }

            @Override
            public void ended() {
                said.add("ended");
            }
        });
    }

    private static Message message(String text) {
        return Message.owning("", "q", Properties.NONE, text.getBytes(UTF_8));
    }

    private static String attach(int attempt, int firstOpen, int reign) {
        return "Attach[attempt=" + attempt + ", vhost=/, queue=q, queueId=7, firstOpen=" + firstOpen + ", reign="
                + reign + ", source=0]";
    }

    private static String publish(int attempt, int number, int firstOpen, String text) {
        return "Publish[attempt=" + attempt + ", number=" + number + ", firstOpen=" + firstOpen + ", confirm=true, "
                + text + "]";
    }

    private static Consumer consumer(boolean cancelledByFailover) {
        return new Consumer("t", true, false, 0, 5, 10, cancelledByFailover);
    }

    private static AttachmentFrame.Answered confirmed(int attempt, long... numbers) {
        List<Long> all = java.util.Arrays.stream(numbers).boxed().toList();
        return new AttachmentFrame.Answered(1, attempt, all, List.of());
    }

    @Test
    void shouldKeepEveryPublishUntilItIsConfirmed() {
        end.onLink("A", 3);
        end.publish(0, message("one"));
        end.publish(4, message("two"));
        assertThat(said.take()).containsExactly(attach(1, 1, 3), publish(1, 1, 1, "one"), publish(1, 2, 1, "two"));

        end.onFrame(confirmed(1, 1, 2));

        assertThat(said.take()).containsExactly("taken 1", "taken 1", "confirmed 4");
    }

    @Test
    void shouldSendAgainToTheNextMasterWhatIsNotConfirmed() {
        end.onLink("A", 3);
        end.publish(1, message("one"));
        end.publish(2, message("two"));
        end.onFrame(confirmed(1, 1));
        said.take();

        end.onMoved("B");
        end.publish(3, message("three"));
        assertThat(said.take()).isEmpty();
        end.onLink("B", 5);

        assertThat(said.take()).containsExactly(attach(2, 2, 5), publish(2, 2, 2, "two"), publish(2, 3, 2, "three"));
    }

    @Test
    void shouldCancelOnlyConsumersThatAskedForItWhenTheMasterChanges() {
        end.onLink("A", 3);
        end.consume(consumer(true), 0);
        end.onFrame(new AttachmentFrame.ConsumeOk(1, 1, "t"));
        said.take();

        end.onMoved("B");
        end.onLink("B", 5);

        assertThat(said.take()).containsExactly("cancelled t", attach(2, 1, 5));
    }

    @Test
    void shouldConsumeAgainAtTheNextMaster() {
        end.onLink("A", 3);
        end.consume(consumer(false), 0);
        end.onFrame(new AttachmentFrame.ConsumeOk(1, 1, "t"));
        said.take();

        end.onMoved("B");
        end.onLink("B", 5);

        assertThat(said.take())
                .containsExactly(
                        attach(2, 1, 5),
                        "Consume[attempt=2, consumer=Consumer[tag=t, acknowledges=true, exclusive=false, priority=0,"
                                + " prefetchCount=5, credit=10], permits=0]");
    }

    @Test
    void shouldSendNothingAgainWhenItsOwnProcessCountsAsEnded() {
        end.onLink("A", 3);
        end.publish(1, message("one"));
        end.onApart();
        said.take();

        end.close(() -> said.add("closed"));
        assertThat(said.take()).containsExactly("closed");
        end.onSelfEnded();
        end.onLink("A", 3);

        assertThat(said.take()).containsExactly("ended");
    }

    @Test
    void shouldTellTheNextMasterThatTheChannelHasEnded() {
        end.onLink("A", 3);
        end.publish(0, message("one"));
        end.onMoved("B");
        said.take();

        end.close(() -> said.add("closed"));
        assertThat(said.take()).containsExactly("closed");
        end.onLink("B", 5);
        assertThat(said.take()).containsExactly(attach(2, 1, 5), publish(2, 1, 1, "one"), "Detach[attempt=2]");
        end.onFrame(new AttachmentFrame.Detached(1, 2));

        assertThat(said.take()).containsExactly("Detach[attempt=2]", "ended");
    }

    @Test
    void shouldTellTheNextMasterWhenTheFirstGoesWhileTheChannelEnds() {
        end.onLink("A", 3);
        end.publish(0, message("one"));
        end.close(() -> said.add("closed"));
        said.take();

        end.onMoved("B");
        assertThat(said.take()).containsExactly("closed");
        end.onLink("B", 5);

        assertThat(said.take()).containsExactly(attach(2, 1, 5), publish(2, 1, 1, "one"), "Detach[attempt=2]");
    }

    @Test
    void shouldAttachAgainWhenTheQueueHasLetGo() {
        end.onLink("A", 3);
        end.publish(1, message("one"));
        said.take();

        end.onFrame(new AttachmentFrame.Detached(1, 1));
        assertThat(end.isApart()).isTrue();
        end.onLink("A", 3);

        assertThat(said.take()).containsExactly(attach(2, 1, 3), publish(2, 1, 1, "one"));
    }

    @Test
    void shouldRefuseWhatIsAskedWhileNobodyHoldsTheQueue() {
        end.onLink("A", 3);
        end.publish(1, message("one"));
        said.take();

        end.onHomeDown();
        end.publish(2, message("two"));

        assertThat(said.take()).containsExactly("taken 1", "rejected 1", "taken 1", "rejected 2");
    }

    @Test
    void shouldCountAsDeletedWhenItIsDeletedWithoutAMaster() {
        end.publish(1, message("one"));
        end.consume(consumer(false), 0);

        end.onDeleted();

        assertThat(said.take())
                .containsExactly(
                        "taken 1",
                        "confirmed 1",
                        "consume refused t: NOT_FOUND - no queue 'q' in vhost '/'",
                        "ended",
                        "queue gone");
    }

    @Test
    void shouldPublishDeadLettersUnderTheirOwnNumbersAndKeepThem() {
        ChannelEnd letters = end(9);
        letters.onLink("A", 3);
        letters.publish(4, message("four"));
        letters.publish(8, message("eight"));
        assertThat(said.take())
                .containsExactly(
                        "Attach[attempt=1, vhost=/, queue=q, queueId=7, firstOpen=1, reign=3, source=9]",
                        publish(1, 4, 4, "four"),
                        publish(1, 8, 4, "eight"));

        letters.onHomeDown();
        assertThat(said.take()).isEmpty();
        letters.onLink("B", 5);

        assertThat(said.take())
                .containsExactly(
                        "Attach[attempt=2, vhost=/, queue=q, queueId=7, firstOpen=4, reign=5, source=9]",
                        publish(2, 4, 4, "four"),
                        publish(2, 8, 4, "eight"));
    }
}
