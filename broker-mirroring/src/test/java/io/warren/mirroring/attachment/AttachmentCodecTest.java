package io.warren.mirroring.attachment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.SettleVerb;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AttachmentCodecTest {
    private static final Message MESSAGE = Message.owning(
                    "x",
                    "key",
                    Properties.builder().headers(Map.of("a", "b")).persistent().build(),
                    new byte[300])
            .withBlindRoutingKeys(
                    List.of("hidden"), Properties.builder().persistent().build());
    private static final AmqpError ERROR = AmqpError.channel(ReplyCode.ACCESS_REFUSED, "in exclusive use");

    static Stream<AttachmentFrame> frames() {
        return Stream.of(
                new AttachmentFrame.Attach(1, 2, "/", "q", 7, 9),
                new AttachmentFrame.Attach(1, 2, "/", "q", 7, 8, 9, 10),
                new AttachmentFrame.Publish(1, 2, 3, 2, true, MESSAGE),
                new AttachmentFrame.Barrier(1, 2, 3),
                new AttachmentFrame.Consume(1, 2, new AttachedQueue.Consumer("t", true, false, -3, 5, 1_024, false), 7),
                new AttachmentFrame.Cancel(1, 2, "t"),
                new AttachmentFrame.Credit(1, 2, "t", 10),
                new AttachmentFrame.LimitPermits(1, 2, true),
                new AttachmentFrame.Permit(1, 2, 3),
                new AttachmentFrame.Get(1, 2, false),
                new AttachmentFrame.Settle(Long.MAX_VALUE, Integer.MAX_VALUE, SettleVerb.REJECT, List.of(1L, 5L)),
                new AttachmentFrame.Declare(1, 2),
                new AttachmentFrame.Purge(1, 2),
                new AttachmentFrame.Delete(1, 2, true, false),
                new AttachmentFrame.ChannelReceived(1, 2, 3L << 40),
                new AttachmentFrame.Detach(1, 2),
                new AttachmentFrame.Taken(1, 2, 99),
                new AttachmentFrame.Answered(1, 2, List.of(1L, 2L), List.of(3L)),
                new AttachmentFrame.Delivered(1, 2, "t", 40, true, false, MESSAGE),
                new AttachmentFrame.GetOk(1, 2, 40, true, 8, MESSAGE),
                new AttachmentFrame.GetEmpty(1, 2),
                new AttachmentFrame.ConsumeOk(1, 2, "t"),
                new AttachmentFrame.ConsumeRefused(1, 2, "t", ERROR),
                new AttachmentFrame.CancelOk(1, 2, "t"),
                new AttachmentFrame.Cancelled(1, 2, "t"),
                new AttachmentFrame.DeclareOk(1, 2, 10, 3),
                new AttachmentFrame.Purged(1, 2, 10),
                new AttachmentFrame.DeleteGranted(1, 2, 10),
                new AttachmentFrame.Refused(1, 2, ERROR),
                new AttachmentFrame.PermitWanted(1, 2),
                new AttachmentFrame.PermitReturned(1, 2, 3),
                new AttachmentFrame.Gone(1, 2),
                new AttachmentFrame.QueueReceived(1, 2, 8 << 20),
                new AttachmentFrame.Detached(1, 2),
                new AttachmentFrame.Mirrored(1, 2),
                new AttachmentFrame.Reply("/", MESSAGE),
                new AttachmentFrame.Alarms(List.of("memory", "disk")));
    }

    @Test
    void shouldHaveAFrameOfEachKind() {
        long kinds = Stream.of(AttachmentFrame.ToQueue.class, AttachmentFrame.ToChannel.class)
                .mapToLong(side -> side.getPermittedSubclasses().length)
                .sum();

        assertThat(frames().map(Object::getClass).distinct()).hasSize((int) kinds + 2);
    }

    @ParameterizedTest
    @MethodSource("frames")
    void shouldReadWhatItWrote(AttachmentFrame frame) {
        ByteBuffer bytes = AttachmentCodec.encode(frame);

        AttachmentFrame read = AttachmentCodec.decode(bytes.duplicate());

        assertThat(read).hasSameClassAs(frame);
        assertThat(read.toString()).isEqualTo(frame.toString());
        assertThat(AttachmentCodec.encode(read)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @MethodSource("frames")
    void shouldRefuseAFrameThatIsCutOrTooLong(AttachmentFrame frame) {
        byte[] bytes = new byte[AttachmentCodec.encode(frame).remaining()];
        AttachmentCodec.encode(frame).get(bytes);

        for (int length = 0; length < bytes.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> AttachmentCodec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
        }
        ByteBuffer longer = ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length + 1));
        assertThatThrownBy(() -> AttachmentCodec.decode(longer)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseAMessageThatIsLargerThanNodesPassOn() {
        Message large = Message.owning("", "q", Properties.NONE, new byte[AttachmentCodec.MESSAGE_BYTES_MAX + 1]);

        assertThatThrownBy(() -> AttachmentCodec.encode(new AttachmentFrame.Publish(1, 2, 3, 2, true, large)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("message size 134217729 is larger than what nodes pass on to each other: 134217728");
    }

    @Test
    void shouldRefuseAKindItDoesNotKnow() {
        ByteBuffer bytes = ByteBuffer.allocate(13).put(0, (byte) 99);

        assertThatThrownBy(() -> AttachmentCodec.decode(bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kind=99");
    }
}
