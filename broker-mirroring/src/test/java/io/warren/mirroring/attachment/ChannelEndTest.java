package io.warren.mirroring.attachment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.spi.AttachedQueue.Consumer;
import io.warren.core.spi.SettleVerb;
import io.warren.mirroring.attachment.AttachmentFrame.ToQueue;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queue q of node A, used by a channel elsewhere. */
class ChannelEndTest {
    private static final String DOWN =
            "NOT_FOUND - home node 'A' of durable queue 'q' in vhost '/' is down or inaccessible";
    private static final AmqpError REFUSAL = AmqpError.channel(ReplyCode.ACCESS_REFUSED, "no");

    private final Said said = new Said();
    private final ChannelEnd end =
            new ChannelEnd(1, new ChannelEnd.Target("/", "q", 7, "A"), said.channel(), new ChannelEnd.Output() {
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

    private static Message message(String text) {
        return Message.owning("", "q", Properties.NONE, text.getBytes(UTF_8));
    }

    private static Consumer consumer(String tag) {
        return new Consumer(tag, true, false, 0, 5, 10, false);
    }

    private static String attach(int attempt, int firstOpen) {
        return "Attach[attempt=" + attempt + ", vhost=/, queue=q, queueId=7, firstOpen=" + firstOpen + "]";
    }

    private static String publish(int attempt, int number, int firstOpen, boolean confirm, String text) {
        return "Publish[attempt=" + attempt + ", number=" + number + ", firstOpen=" + firstOpen + ", confirm=" + confirm
                + ", " + text + "]";
    }

    private void link() {
        end.onLink();
        said.take();
    }

    @Test
    void shouldGoOnAtTheMasterWithWhatWasNotAnswered() {
        link();
        end.consume(consumer("t"), 0);
        end.onFrame(new AttachmentFrame.ConsumeOk(1, 1, "t"));
        end.publish(1, message("one"));
        end.publish(2, message("two"));
        end.onFrame(new AttachmentFrame.Answered(1, 1, List.of(1L), List.of()));
        said.take();

        end.onFrame(new AttachmentFrame.Mirrored(1, 1));
        assertThat(said.take()).containsExactly("ended apart 1", "mirrored");
        end.onMoved("B");
        end.onLink("B", 5);

        assertThat(said.take())
                .hasSize(3)
                .anyMatch(frame -> frame.startsWith("Consume[attempt=2"))
                .endsWith(publish(2, 2, 2, true, "two"));
    }

    @Test
    void shouldBringToTheMasterWhatItsQueueHadNotTakenWhenTheChannelEnds() {
        link();
        end.publish(0, message("one"));
        end.close(() -> said.add("closed"));
        said.take();

        end.onFrame(new AttachmentFrame.Mirrored(1, 1));
        end.onFrame(new AttachmentFrame.Detached(1, 1));
        assertThat(said.take()).containsExactly("closed", "mirrored");
        end.onLink("B", 5);

        assertThat(said.take()).hasSize(3).anyMatch(frame -> frame.startsWith("Publish[attempt=2, number=1"));
    }

    @Test
    void shouldSayWhatWaitedWhenTheLinkComesUp() {
        end.publish(0, message("one"));
        end.publish(4, message("two"));
        end.consume(consumer("t"), 0);
        assertThat(said.take()).isEmpty();

        end.onLink();

        assertThat(said.take())
                .containsExactly(
                        attach(1, 1),
                        "Consume[attempt=1, consumer=Consumer[tag=t, acknowledges=true, exclusive=false, priority=0,"
                                + " prefetchCount=5, credit=10], permits=0]",
                        publish(1, 1, 1, false, "one"),
                        publish(1, 2, 1, true, "two"));
    }

    @Test
    void shouldTakeCreditForALargePublishByItsBytesAndGiveAllOfItBack() {
        link();
        Message large = Message.owning("", "q", Properties.NONE, new byte[100 * 4096]);

        end.publish(0, large);
        end.publish(7, large);
        assertThat(said.take())
                .filteredOn(line -> !line.startsWith("Publish"))
                .containsExactly("weighs more by 100", "weighs more by 100");
        end.onFrame(new AttachmentFrame.Taken(1, 1, 1));
        end.onFrame(new AttachmentFrame.Answered(1, 1, List.of(2L), List.of()));

        assertThat(said.take()).containsExactly("taken 101", "taken 101", "confirmed 7");
    }

    @Test
    void shouldRejectAPublishThatIsTooLargeToTravelAndCloseTheChannel() {
        link();
        end.publish(7, message("one"));
        end.publish(8, message("two"));
        said.take();

        end.onTooLarge(1, "message size 3 is larger than 2");
        end.onTooLarge(1, "said twice");
        assertThat(said.take())
                .containsExactly(
                        "taken 1", "rejected 7", "refused: PRECONDITION_FAILED - message size 3 is larger than 2");
        end.onApart();
        end.onLink();

        assertThat(said.take()).containsExactly(attach(2, 2), publish(2, 2, 2, true, "two"));
    }

    @Test
    void shouldCloseTheChannelWhenAMessageForItIsTooLargeToTravel() {
        link();

        end.onFrame(new AttachmentFrame.Refused(1, 1, REFUSAL));

        assertThat(said.take()).containsExactly("refused: ACCESS_REFUSED - no");
    }

    @Test
    void shouldHaveTheHomeToldWhenTheChannelEndsWhileThereIsNoLink() {
        link();
        end.onApart();
        said.take();

        end.close(() -> said.add("closed"));

        assertThat(said.take()).containsExactly("ended apart 1", "ended", "closed");
    }

    @Test
    void shouldHaveNobodyToldWhenTheHomeNeverHeardOfTheChannel() {
        end.publish(1, message("one"));

        end.close(() -> said.add("closed"));

        assertThat(said.take()).containsExactly("ended", "closed");
    }

    @Test
    void shouldGiveCreditForWhatIsTakenOnceAndForWhatIsAnswered() {
        link();
        end.publish(0, message("one"));
        end.publish(0, message("two"));
        end.publish(9, message("three"));
        said.take();

        end.onFrame(new AttachmentFrame.Taken(1, 1, 2));
        end.onFrame(new AttachmentFrame.Taken(1, 1, 2));
        end.onFrame(new AttachmentFrame.Answered(1, 1, List.of(3L), List.of()));

        assertThat(said.take()).containsExactly("taken 2", "taken 1", "confirmed 9");
    }

    @Test
    void shouldSendInOrderAgainWhatWasNotAnsweredWhenTheLinkWasLost() {
        link();
        end.consume(consumer("t"), 0);
        end.onFrame(new AttachmentFrame.ConsumeOk(1, 1, "t"));
        end.onFrame(new AttachmentFrame.Delivered(1, 1, "t", 40, false, false, message("m")));
        end.publish(1, message("one"));
        end.publish(2, message("two"));
        end.publish(3, message("three"));
        end.onFrame(new AttachmentFrame.Answered(1, 1, List.of(2L), List.of()));
        end.onApart();
        said.take();

        end.onLink();

        assertThat(said.take())
                .containsExactly(
                        attach(2, 1),
                        "Consume[attempt=2, consumer=Consumer[tag=t, acknowledges=true, exclusive=false, priority=0,"
                                + " prefetchCount=5, credit=9], permits=0]",
                        publish(2, 1, 1, true, "one"),
                        publish(2, 3, 1, true, "three"));
        end.onFrame(new AttachmentFrame.ConsumeOk(1, 2, "t"));
        assertThat(said.take()).isEmpty();
    }

    @Test
    void shouldHearNothingOfAnEarlierAttachmentAndSettleNothingOfIt() {
        link();
        end.consume(consumer("t"), 0);
        end.onApart();
        link();

        end.onFrame(new AttachmentFrame.Delivered(1, 1, "t", 40, false, false, message("m")));
        end.settle(SettleVerb.ACK, 1, List.of(40L));
        assertThat(said.take()).isEmpty();

        end.settle(SettleVerb.ACK, 2, List.of(40L));
        assertThat(said.take()).containsExactly("Settle[attempt=2, verb=ACK, offsets=[40]]");
    }

    @Test
    void shouldRejectCancelAndRefuseWhenTheHomeIsDown() {
        link();
        end.consume(consumer("t"), 0);
        end.onFrame(new AttachmentFrame.ConsumeOk(1, 1, "t"));
        end.publish(1, message("one"));
        end.publish(0, message("two"));
        end.get(true);
        said.take();

        end.onHomeDown();

        assertThat(said.take()).containsExactly("taken 1", "rejected 1", "taken 1", "cancelled t", "refused: " + DOWN);
        end.declare();
        end.consume(consumer("u"), 0);
        end.publish(2, message("three"));
        assertThat(said.take())
                .containsExactly("refused: " + DOWN, "consume refused u: " + DOWN, "taken 1", "rejected 2");
    }

    @Test
    void shouldBeginAnewWhenTheHomeIsBack() {
        link();
        end.publish(1, message("one"));
        end.onHomeDown();
        end.onApart();
        said.take();

        end.onLink();
        end.publish(2, message("two"));

        assertThat(said.take()).containsExactly(attach(2, 2), publish(2, 2, 2, true, "two"));
    }

    @Test
    void shouldAskAgainWhatHasNoAnswerWhenTheLinkIsBack() {
        link();
        end.get(false);
        end.onApart();
        said.take();

        end.onLink();
        end.onFrame(new AttachmentFrame.GetOk(1, 2, 3, true, 8, message("m")));

        assertThat(said.take()).containsExactly(attach(2, 1), "Get[attempt=2, acknowledges=false]", "got 2/3 m 8");
    }

    @Test
    void shouldFailABarrierWhoseSettlementsMayBeLost() {
        link();
        end.barrier(5);
        said.take();

        end.onApart();
        assertThat(said.take()).containsExactly("rejected 5");

        end.barrier(6);
        assertThat(said.take()).containsExactly("rejected 6");
    }

    @Test
    void shouldCancelAConsumerThatComesAgainAndIsRefused() {
        link();
        end.consume(consumer("t"), 0);
        end.onFrame(new AttachmentFrame.ConsumeOk(1, 1, "t"));
        end.onApart();
        link();
        said.take();

        end.onFrame(new AttachmentFrame.ConsumeRefused(1, 2, "t", REFUSAL));

        assertThat(said.take()).containsExactly("cancelled t");
    }

    @Test
    void shouldCountACancelAsDoneWhenTheLinkIsLost() {
        link();
        end.consume(consumer("t"), 0);
        end.cancel("t");
        said.take();

        end.onApart();
        assertThat(said.take()).containsExactly("cancel ok t");

        end.onLink();
        assertThat(said.take()).containsExactly(attach(2, 1));
    }

    @Test
    void shouldReturnPermitsThatWereAwayWhenTheLinkIsLost() {
        end.limitPermits(true);
        link();
        end.consume(consumer("t"), 2);
        end.permit(3);
        end.onFrame(new AttachmentFrame.Delivered(1, 1, "t", 40, false, true, message("m")));
        end.onFrame(new AttachmentFrame.PermitReturned(1, 1, 1));
        said.take();

        end.onApart();
        assertThat(said.take()).containsExactly("permits returned 3");

        end.permit(4);
        end.consume(consumer("u"), 5);
        assertThat(said.take()).containsExactly("permits returned 4", "permits returned 5");
    }

    @Test
    void shouldAnswerEverythingAsADeletedQueueDoesWhenTheQueueIsGone() {
        link();
        end.publish(1, message("one"));
        end.consume(consumer("t"), 0);
        end.onFrame(new AttachmentFrame.ConsumeOk(1, 1, "t"));
        end.get(true);
        end.cancel("t");
        said.take();

        end.onFrame(new AttachmentFrame.Gone(1, 1));

        assertThat(said.take())
                .containsExactly(
                        "taken 1", "confirmed 1", "cancelled t", "got nothing", "cancel ok t", "ended", "queue gone");
    }

    @Test
    void shouldCloseWhenTheQueueHasBackWhatTheChannelHeldOrNeverWill() {
        link();
        end.close(() -> said.add("closed"));
        assertThat(said.take()).containsExactly("Detach[attempt=1]");
        end.onFrame(new AttachmentFrame.Detached(1, 1));
        assertThat(said.take()).containsExactly("ended", "closed");
    }

    @Test
    void shouldBeClosedWhenTheQueueIsGoneMeanwhile() {
        link();
        end.close(() -> said.add("closed"));
        said.take();

        end.onFrame(new AttachmentFrame.Gone(1, 1));

        assertThat(said.take()).containsExactly("ended", "closed");
    }

    @Test
    void shouldBeClosedWhenTheLinkIsLostMeanwhile() {
        link();
        end.close(() -> said.add("closed"));
        said.take();

        end.onApart();

        assertThat(said.take()).containsExactly("ended apart 1", "ended", "closed");
    }
}
