package io.warren.mirroring.attachment;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameWindowTest {
    private static final int MIB = 1 << 20;

    private final List<Long> sent = new ArrayList<>();
    private final FrameWindow<AttachmentFrame.Publish> window = new FrameWindow<>(frame -> sent.add(frame.number()));

    private static AttachmentFrame.Publish publish(long number, int bytes) {
        Message message = Message.owning("", "q", Properties.NONE, new byte[bytes]);
        return new AttachmentFrame.Publish(1, 1, number, 1, true, message);
    }

    @Test
    void shouldSendNoMoreThanFitsUntilTheOtherEndHasTakenItIn() {
        for (int number = 1; number <= 20; number++) {
            window.send(publish(number, MIB));
        }
        assertThat(sent).hasSize(8);
        assertThat(window.isEmpty()).isFalse();

        window.onReceived(3 * FrameWindow.bytes(publish(1, MIB)));

        assertThat(sent).hasSize(11);
    }

    @Test
    void shouldSendAFrameThatIsLargerThanTheWindowWhenNothingElseIsUnderWay() {
        window.send(publish(1, 20 * MIB));
        window.send(publish(2, 0));
        assertThat(sent).containsExactly(1L);

        window.onReceived(FrameWindow.bytes(publish(1, 20 * MIB)));

        assertThat(sent).containsExactly(1L, 2L);
    }

    @Test
    void shouldKeepTheOrderWhenSmallFramesWouldFitBetween() {
        window.send(publish(1, 8 * MIB));
        window.send(publish(2, 8 * MIB));
        window.send(publish(3, 1));

        window.onReceived(FrameWindow.bytes(publish(1, 8 * MIB)));

        assertThat(sent).containsExactly(1L, 2L);
    }

    @Test
    void shouldTellTheOtherEndInStepsAndOfEveryByte() {
        long told = 0;
        for (int number = 0; number < 8; number++) {
            told += window.takenIn(publish(number, MIB));
        }

        assertThat(window.takenIn(publish(9, 10))).isZero();
        assertThat(told).isEqualTo(8 * FrameWindow.bytes(publish(1, MIB)));
    }

    @Test
    void shouldBeginAnewWithTheNextAttachment() {
        window.send(publish(1, 9 * MIB));
        window.send(publish(2, 1));

        window.reset();
        window.send(publish(3, 1));

        assertThat(sent).containsExactly(1L, 3L);
    }

    /** Whatever is sent and however late it is taken in: all of it arrives, in order, and never too much is under way. */
    @Test
    void shouldCarryEverythingWithABoundedNumberOfBytesUnderWay() {
        Random random = new Random(5);
        for (int round = 0; round < 40; round++) {
            Queue<AttachmentFrame.Publish> link = new ArrayDeque<>();
            List<Long> arrived = new ArrayList<>();
            FrameWindow<AttachmentFrame.Publish> near = new FrameWindow<>(link::add);
            FrameWindow<AttachmentFrame.Publish> far = new FrameWindow<>(frame -> {});
            int count = 1 + random.nextInt(60);
            for (long number = 1; number <= count || !link.isEmpty(); ) {
                if (number <= count && random.nextInt(3) > 0) {
                    near.send(publish(number++, random.nextInt(random.nextBoolean() ? 100 : 2 * MIB)));
                }
                long underWay = link.stream().mapToLong(FrameWindow::bytes).sum();
                assertThat(underWay).isLessThan(FrameWindow.BYTES_MAX + 2 * MIB + 100);
                AttachmentFrame.Publish next = random.nextInt(3) == 0 || number > count ? link.poll() : null;
                if (next != null) {
                    arrived.add(next.number());
                    near.onReceived(far.takenIn(next));
                }
            }
            assertThat(near.isEmpty()).isTrue();
            assertThat(arrived).hasSize(count).isSorted();
        }
    }
}
