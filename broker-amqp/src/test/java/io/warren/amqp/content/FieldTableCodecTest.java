package io.warren.amqp.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.warren.core.error.AmqpException;
import io.warren.core.message.FieldTable;
import io.warren.core.message.OpaqueString;
import io.warren.core.message.Properties;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldTableCodecTest {

    /** Each a table of one field k. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "7401", // true
                "62ff", // -1 in a byte
                "42ff", // 255 in a byte
                "738000", // -32768
                "758000", // 32768
                "4980000000", // -2^31
                "6980000000", // 2^31
                "6c8000000000000000", // -2^63
                "663f800000", // 1.0f
                "643ff0000000000000", // 1.0
                "44020000007b", // 1.23
                "5300000003616263", // abc
                "5300000002fffe", // bytes that are no text
                "5300000000", // the empty string
                "7800000002fffe", // bytes
                "54000000005f5e1000", // a time
                "4600000007016b4900000001", // a table of 1
                "4100000006490000000156", // 1 and void in an array
                "56", // void
            })
    void shouldWriteFieldAsItWasRead(String value) {
        String hex = table(value);
        ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
        FieldTable table = FieldTableCodec.read(bytes);
        ByteBuf written = Unpooled.buffer();

        FieldTableCodec.write(written, table);

        assertThat(ByteBufUtil.hexDump(written)).isEqualTo(hex);
        assertThat(table.has("k")).isTrue();
    }

    /** The table around a value: its length and the name k. */
    private static String table(String value) {
        return String.format("%08x", 2 + value.length() / 2) + "016b" + value;
    }

    @Test
    void shouldKeepBytesWhenLongStringIsNoText() {
        ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump("00000009016b5300000002fffe"));

        FieldTable table = FieldTableCodec.read(bytes);

        assertThat(table.get("k")).isEqualTo(OpaqueString.of(new byte[] {(byte) 0xff, (byte) 0xfe}));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00000003016b7a", // unknown type z
                "000000 0b016b54 8000000000000000", // a time before any calendar
            })
    void shouldRefuseWithSyntaxErrorWhenFieldMeansNothing(String hex) {
        ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex.replace(" ", "")));

        assertThatThrownBy(() -> FieldTableCodec.read(bytes))
                .isInstanceOfSatisfying(AmqpException.class, malformed -> assertThat(malformed.replyCode())
                        .isEqualTo(502));
    }

    @Test
    void shouldRefuseWhenTablesAreNestedTooDeep() {
        ByteBuf nested = Unpooled.buffer().writeInt(0);
        for (int depth = 0; depth < 10_000; depth++) {
            ByteBuf outer = Unpooled.buffer(nested.readableBytes() + 7);
            outer.writeInt(nested.readableBytes() + 3)
                    .writeByte(1)
                    .writeByte('k')
                    .writeByte('F');
            nested = outer.writeBytes(nested);
        }
        ByteBuf bytes = nested;

        assertThatThrownBy(() -> FieldTableCodec.read(bytes))
                .isInstanceOf(AmqpException.class)
                .hasMessageContaining("nested deeper");
    }

    @Test
    void shouldNotBelieveLengthWhenBytesAreNotThere() {
        ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump("7fffffff016b56"));

        assertThatThrownBy(() -> FieldTableCodec.read(bytes)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldReadPropertiesAsTheyWereWritten() {
        Properties all = Properties.builder()
                .contentType("a")
                .contentEncoding("b")
                .headers(Map.of("list", List.of(1, "two", Collections.singletonMap("void", null))))
                .deliveryMode(2)
                .priority(0)
                .correlationId("c")
                .replyTo("d")
                .expiration("5")
                .messageId("e")
                .timestamp(Instant.ofEpochSecond(1_700_000_000))
                .type("f")
                .userId("g")
                .appId("h")
                .clusterId("i")
                .build();

        assertThat(roundTrip(all)).isEqualTo(all);
        assertThat(roundTrip(Properties.NONE)).isEqualTo(Properties.NONE);
    }

    private static Properties roundTrip(Properties properties) {
        ByteBuf bytes = Unpooled.buffer();
        PropertiesCodec.write(bytes, properties);
        Properties read = PropertiesCodec.read(bytes);
        assertThat(bytes.isReadable()).isFalse();
        return read;
    }
}
