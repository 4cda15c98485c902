package io.warren.amqp.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.warren.amqp.method.BasicMethod;
import io.warren.amqp.method.Method;
import io.warren.core.error.AmqpException;
import io.warren.core.message.Properties;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class FrameCodecTest {

    private static final int FRAME_BYTES_MAX = 4_096;

    private final FrameEncoder encoder = new FrameEncoder();
    private final FrameDecoder decoder = new FrameDecoder(FRAME_BYTES_MAX);
    private final RecordingListener listener = new RecordingListener();

    private void decodeAll(ByteBuf in) {
        boolean more = true;
        while (more) {
            more = decoder.decode(in, listener);
        }
    }

    @ParameterizedTest
    @MethodSource("io.warren.amqp.frame.MethodSamples#all")
    void shouldReadMethodAsItWasWritten(Method method) {
        ByteBuf bytes = Unpooled.buffer();
        encoder.method(bytes, 7, method);

        decodeAll(bytes);

        assertThat(listener.frames).isEqualTo(List.of(List.of(7, method)));
        assertThat(bytes.isReadable()).isFalse();
    }

    @Test
    void shouldNotLookIntoHeaderWhenNoneIsDue() {
        ByteBuf methodAsHeader = Unpooled.buffer();
        encoder.method(methodAsHeader, RecordingListener.NO_HEADER_CHANNEL, new BasicMethod.Get("q", true));
        methodAsHeader.setByte(0, FrameType.HEADER);

        decodeAll(methodAsHeader);

        assertThat(listener.frames)
                .isEqualTo(List.of(List.of(RecordingListener.NO_HEADER_CHANNEL, "unexpected header")));
    }

    @Test
    void shouldKnowEveryMethodOfTheProtocol() {
        assertThat(MethodSamples.all().map(method -> method.classId() * 1_000 + method.methodId()))
                .hasSize(66)
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("io.warren.amqp.frame.MethodSamples#all")
    void shouldRefuseMethodWhenItsArgumentsAreCutOff(Method method) {
        ByteBuf whole = Unpooled.buffer();
        encoder.method(whole, 1, method);
        int payloadBytes = whole.readableBytes() - FrameType.OVERHEAD_BYTES;

        for (int cut = 4; cut < payloadBytes; cut++) {
            ByteBuf shorter = Unpooled.buffer();
            shorter.writeByte(FrameType.METHOD).writeShort(1).writeInt(cut);
            shorter.writeBytes(whole, FrameType.PREFIX_BYTES, cut).writeByte(FrameType.END);

            assertThatThrownBy(() -> decodeAll(shorter))
                    .isInstanceOfSatisfying(AmqpException.class, malformed -> assertThat(malformed.replyCode())
                            .isIn(501, 502));
        }
        assertThat(listener.frames).isEmpty();
    }

    @Test
    void shouldReadTheSameFramesWhereverTheBytesAreCut() {
        ByteBuf exchange = exchange();
        decodeAll(exchange.duplicate());
        List<Object> whole = new ArrayList<>(listener.frames);

        for (int cut = 0; cut <= exchange.readableBytes(); cut++) {
            listener.frames.clear();
            ByteBuf arriving = Unpooled.buffer().writeBytes(exchange, 0, cut);
            decodeAll(arriving);
            arriving.writeBytes(exchange, cut, exchange.readableBytes() - cut);
            decodeAll(arriving);

            assertThat(listener.frames).as("cut at byte %d", cut).isEqualTo(whole);
        }
    }

    private ByteBuf exchange() {
        ByteBuf bytes = Unpooled.buffer();
        Properties properties = Properties.builder()
                .contentType("text/plain")
                .header("n", 1)
                .persistent()
                .build();
        MethodSamples.all().forEach(method -> encoder.method(bytes, 1, method));
        encoder.heartbeat(bytes);
        encoder.method(bytes, 2, new BasicMethod.Publish("x", "k", true, false));
        encoder.header(bytes, 2, 60, 5, properties);
        encoder.bodyPrefix(bytes, 2, 5);
        bytes.writeBytes(new byte[] {1, 2, 3, 4, 5});
        encoder.bodyEnd(bytes);
        return bytes;
    }

    @ParameterizedTest
    @CsvSource({
        // An end octet that is none; a type nobody knows; a frame beyond the limit, its payload not yet there.
        "0300010000000141ff, 501, 'FRAME_ERROR - type 3, all octets = <<\"A\">>: {invalid_frame_end_marker,255}'",
        "0900010000000141ce, 501, 'FRAME_ERROR - type 9, all octets = <<\"A\">>: unknown_frame'",
        "03000100001000, 501, 'FRAME_ERROR - type 3, all octets = <<>>: {frame_too_large,4096,4088}'",
        // A heartbeat on a channel; one with a payload.
        "08000100000000ce, 505, 'UNEXPECTED_FRAME - type 8, all octets = <<>>'",
        "0800000000000101ce, 501, 'FRAME_ERROR - type 8, all octets = <<1>>: unknown_frame'",
        // basic.ack without its bit; with an octet too many.
        "010001000000" + "0c003c00500000000000000001ce, 501, 'FRAME_ERROR - cannot decode <<0,0,0,0,0,0,0,1>>'",
        "010001000000" + "0e003c0050000000000000000100ffce, 501,"
                + " 'FRAME_ERROR - cannot decode <<0,0,0,0,0,0,0,1,0,255>>'",
        // A method of no class.
        "01000100000004006300 01ce, 501, 'FRAME_ERROR - unknown method 1 of class 99'",
        // A content header of properties that do not exist.
        "0200010000000e003c000000000000000000000002ce, 502, 'SYNTAX_ERROR - unknown property flags 2'",
    })
    void shouldSayWhyWhenFrameIsMalformed(String hex, int code, String text) {
        ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex.replace(" ", "")));

        assertThatThrownBy(() -> decodeAll(bytes)).isInstanceOfSatisfying(AmqpException.class, malformed -> {
            assertThat(malformed.replyCode()).isEqualTo(code);
            assertThat(malformed).hasMessage(text);
        });
    }
}
