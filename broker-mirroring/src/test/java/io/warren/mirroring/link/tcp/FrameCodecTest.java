package io.warren.mirroring.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FrameCodecTest {
    private static final Member A = new Member("a", 3);
    private static final Member B = new Member("böse", 1L << 40);

    private final FrameCodec<String> codec = new FrameCodec<>(new Texts());

    static Stream<Frame<String>> frames() {
        View view = new View(-7, 9, 8, 5, 4, 2, true, List.of(A, B), List.of(new Member("c", 2)), List.of("d"));
        View down = new View(Long.MAX_VALUE, 1, 1, 0, 0, 1, false, List.of(A), List.of(), List.of());
        return Stream.of(
                new Frame.Hello<>(-1, 2, Position.START),
                new Frame.Hello<>(1L << 62, Long.MAX_VALUE, new Position(3, 1L << 50)),
                new Frame.Append<>(1, 2, true, new Position(1, 7), List.of(), 6, 5),
                new Frame.Append<>(
                        1,
                        9,
                        false,
                        new Position(1, 7),
                        List.of(
                                new Entry<>(new Position(1, 8), A, 4, true, 100, "one", null),
                                new Entry<>(new Position(1, 9), A, 5, false, 0, "", null),
                                new Entry<>(new Position(8, 10), A, 0, true, 64, null, view),
                                new Entry<>(new Position(8, 11), B, 1, true, 1, "zwölf", null),
                                new Entry<>(new Position(9, 12), A, 6, true, 64, null, down)),
                        11,
                        0),
                new Frame.Broadcast<>(1, 2, B, 77, 70, true, 12, "a text"),
                new Frame.Have<>(1, 2, new long[] {1, 0, 1L << 60, 3}));
    }

    private ByteBuf written(Frame<String> frame) {
        ByteBuf out = Unpooled.buffer();
        codec.write(frame, out);
        return out;
    }

    @ParameterizedTest
    @MethodSource("frames")
    void shouldReadWhatItWrote(Frame<String> frame) {
        assertThat(codec.read(written(frame))).isEqualTo(frame);
    }

    @ParameterizedTest
    @MethodSource("frames")
    void shouldNeverReadAnotherFrameWhenItIsCutAnywhere(Frame<String> frame) {
        ByteBuf whole = written(frame);

        for (int length = 0; length < whole.readableBytes(); length++) {
            ByteBuf cut = whole.slice(0, length);
            Frame<String> read = null;
            try {
                read = codec.read(cut);
            } catch (Malformed | IndexOutOfBoundsException | IllegalArgumentException expected) {
                continue;
            }
            // Only a broadcast's payload reaches to the end, and may be shorter.
            assertThat(read).isInstanceOf(Frame.Broadcast.class);
        }
    }

    @Test
    void shouldRefuseMoreBytesThanTheFrameHas() {
        ByteBuf frame = written(new Frame.Hello<>(1, 2, Position.START)).writeByte(0);

        assertThatThrownBy(() -> codec.read(frame)).hasMessage("1 bytes behind a ring frame of kind 0");
    }

    @Test
    void shouldRefuseACountThatTheBytesCannotHold() {
        ByteBuf frame = Unpooled.buffer().writeByte(3).writeLong(1).writeByte(2);
        Fields.writeNumber(frame, 1L << 30);

        assertThatThrownBy(() -> codec.read(frame)).hasMessageContaining("a count of 1073741824");
    }

    @Test
    void shouldRefuseToWriteEntriesWithAGap() {
        Entry<String> entry = new Entry<>(new Position(1, 9), A, 4, true, 100, "one", null);

        assertThatThrownBy(() -> written(new Frame.Append<>(1, 1, false, new Position(1, 7), List.of(entry), 0, 0)))
                .hasMessageContaining("does not follow 1:7");
    }

    @Test
    void shouldRefuseANumberOfMoreThanNineBytes() {
        ByteBuf endless = Unpooled.buffer().writeZero(20);
        for (int at = 0; at < 20; at++) {
            endless.setByte(at, 0xff);
        }

        assertThatThrownBy(() -> Fields.readNumber(endless)).isInstanceOf(Malformed.class);
    }
}
