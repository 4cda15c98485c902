package io.warren.mirroring.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Position;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The two ends of a link, without the connection. */
class StreamsTest {
    private static final int FRAME_BYTES_MAX = 64 << 20;

    private final Queue<Runnable> loop = new ArrayDeque<>();
    private final List<ByteBuf> written = new ArrayList<>();
    private final List<String> came = new ArrayList<>();
    private boolean writable = true;
    private RuntimeException failure;

    private final Outgoing<String> outgoing = new Outgoing<>(
            new Outgoing.Line() {
                @Override
                public boolean isWritable() {
                    return writable;
                }

                @Override
                public ByteBuf buffer(int capacity) {
                    return Unpooled.buffer(capacity);
                }

                @Override
                public void write(ByteBuf batch) {
                    written.add(batch);
                }

                @Override
                public void fail(RuntimeException reason) {
                    failure = reason;
                }
            },
            new FrameCodec<>(new Texts()),
            FRAME_BYTES_MAX,
            loop::add);

    private final Incoming<String> incoming = new Incoming<>(
            new FrameCodec<>(new Texts()), FRAME_BYTES_MAX, UnpooledByteBufAllocator.DEFAULT, new Incoming.Output<>() {
                @Override
                public void frame(String group, Frame<String> frame, int bytes) {
                    came.add(group + " " + frame);
                    incoming().giveBack(group, bytes);
                }

                @Override
                public void message(String group, int type, byte[] body, int bytes) {
                    came.add(group + " " + type + " " + body.length);
                    incoming().giveBack(group, bytes);
                }

                @Override
                public void heartbeat(long number, long echo, long[] values) {
                    came.add("heartbeat " + number + " " + echo + " " + values.length);
                }

                @Override
                public void credit(int stream, long bytes) {
                    came.add("credit " + stream + " " + bytes);
                }

                @Override
                public void giveBack(int stream, int bytes) {
                    outgoing.onCredit(stream, bytes);
                }
            });
    private final Messages messages = new Messages(UnpooledByteBufAllocator.DEFAULT, incoming::read);

    private Incoming<String> incoming() {
        return incoming;
    }

    private void runLoop() {
        while (!loop.isEmpty()) {
            loop.remove().run();
        }
    }

    private void carry() {
        runLoop();
        for (int at = 0; at < written.size(); at++) {
            messages.read(written.get(at));
        }
        written.clear();
    }

    @Test
    void shouldPutWhatManyGroupsSendIntoOneBatch() {
        for (int number = 0; number < 50; number++) {
            outgoing.send("q" + number, new Frame.Hello<>(1, 2, new Position(1, number)));
        }

        runLoop();

        assertThat(written).hasSize(1);
        carry();
        assertThat(came).hasSize(50).startsWith("q0 Hello[logId=1, epoch=2, last=1:0]");
    }

    @Test
    void shouldReadTheSameWhereverTheBytesAreCut() {
        Random random = new Random(11);
        outgoing.heartbeat(3, 2, new long[] {1, -1});
        for (int number = 0; number < 200; number++) {
            outgoing.send("q" + number % 7, number % 5, new byte[random.nextInt(3_000)]);
        }
        outgoing.send("large", 9, new byte[700_000]);
        runLoop();
        byte[] all = ByteBufUtil.getBytes(Unpooled.wrappedBuffer(written.toArray(new ByteBuf[0])));

        for (int at = 0; at < all.length; ) {
            int count = Math.min(all.length - at, 1 + random.nextInt(random.nextInt(4) == 0 ? 100_000 : 20));
            messages.read(Unpooled.wrappedBuffer(all, at, count));
            at += count;
        }

        assertThat(came).hasSize(202).startsWith("heartbeat 3 2 2").contains("large 9 700000");
    }

    @Test
    void shouldWaitWhenTheConnectionTakesNoMore() {
        writable = false;
        outgoing.send("q", 1, new byte[10]);
        runLoop();
        assertThat(written).isEmpty();

        writable = true;
        outgoing.onWritable();
        carry();

        assertThat(came).containsExactly("q 1 10");
    }

    @Test
    void shouldNameAnIdleStreamAnewWhenThereAreTooMany() {
        int groups = Wire.STREAMS_MAX + 500;
        for (int number = 0; number < groups; number++) {
            outgoing.send("q" + number, 1, new byte[0]);
            if (number % 1_000 == 0) {
                carry();
            }
        }
        outgoing.send("q0", 2, new byte[0]);
        carry();

        assertThat(failure).isNull();
        assertThat(came).hasSize(groups + 1).endsWith("q0 2 0");
        assertThat(came.get(groups - 1)).isEqualTo("q" + (groups - 1) + " 1 0");
    }

    @Test
    void shouldNameAStreamAnewThatHasSentSomethingWhenItHasBackWhatItUsed() {
        int groups = Wire.STREAMS_MAX + 500;
        for (int number = 0; number < groups; number++) {
            outgoing.send("q" + number, 1, new byte[1]);
            if (number % 1_000 == 0) {
                carry();
                incoming.onTick();
            }
        }
        outgoing.send("q0", 2, new byte[7]);
        carry();

        assertThat(failure).isNull();
        assertThat(came).hasSize(groups + 1).endsWith("q0 2 7");
    }

    @Test
    void shouldNotGiveBackEveryByteWhileThereAreStreamsEnough() {
        outgoing.send("q", 1, new byte[10]);
        carry();

        incoming.onTick();

        // The credit is not whole, so that there is room for as much again.
        outgoing.onCredit(0, 10);
        assertThatThrownBy(() -> outgoing.onCredit(0, 100)).isInstanceOf(Malformed.class);
    }

    @Test
    void shouldRefuseCreditThatWasNotUsed() {
        outgoing.send("q", 1, new byte[10]);
        runLoop();

        assertThatThrownBy(() -> outgoing.onCredit(0, 1 << 20)).isInstanceOf(Malformed.class);
        assertThatThrownBy(() -> outgoing.onCredit(7, 1)).hasMessage("credit for stream 7 of 1");
    }

    @Test
    void shouldRefuseWhatMakesNoSense() {
        assertThatThrownBy(() -> messages.read(Unpooled.copyInt(0))).hasMessage("a message of 0 bytes");
        assertThatThrownBy(() -> messages.read(Unpooled.copyInt(1 << 30))).hasMessage("a message of 1073741824 bytes");
        assertThatThrownBy(() -> incoming.read(Unpooled.wrappedBuffer(new byte[] {Wire.FRAME, 3})))
                .hasMessage("stream 3 has no name");
        assertThatThrownBy(() -> incoming.read(Unpooled.wrappedBuffer(new byte[] {17})))
                .hasMessage("a message of kind 17");
        incoming.read(Unpooled.wrappedBuffer(new byte[] {Wire.NAME, 0, 'q'}));
        assertThatThrownBy(() -> incoming.read(Unpooled.wrappedBuffer(new byte[] {Wire.PIECE, 0, 0, 1})))
                .hasMessage("pieces of group q out of order");
    }

    @Test
    void shouldTakeAnyBytesWithoutAnythingButAFailure() {
        Random random = new Random(4);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[1 + random.nextInt(30)];
            random.nextBytes(bytes);
            bytes[0] = (byte) random.nextInt(6);
            try {
                incoming.read(Unpooled.wrappedBuffer(bytes));
            } catch (RuntimeException expected) {
                assertThat(expected)
                        .isInstanceOfAny(
                                Malformed.class, IndexOutOfBoundsException.class, IllegalArgumentException.class);
            }
        }
    }
}
