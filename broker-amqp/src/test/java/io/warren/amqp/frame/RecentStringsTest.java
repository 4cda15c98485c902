package io.warren.amqp.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.warren.amqp.content.Strings;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RecentStringsTest {

    private final RecentStrings recent = new RecentStrings();

    private static ByteBuf bytesOf(String text) {
        ByteBuf bytes = Unpooled.buffer();
        Strings.writeShort(bytes, text);
        return bytes;
    }

    @Test
    void shouldGiveTheSameObjectWhenAPeerRepeatsAKey() {
        String first = recent.readShort(bytesOf("stock.usd"));
        String exchange = recent.readShort(bytesOf("amq.topic"));

        assertThat(recent.readShort(bytesOf("stock.usd"))).isSameAs(first);
        assertThat(recent.readShort(bytesOf("amq.topic"))).isSameAs(exchange);
    }

    @Test
    void shouldTellApartWhatHasOneHashCode() {
        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());

        assertThat(recent.readShort(bytesOf("Aa"))).isEqualTo("Aa");
        assertThat(recent.readShort(bytesOf("BB"))).isEqualTo("BB");
        assertThat(recent.readShort(bytesOf("\0"))).isEqualTo("\0");
        assertThat(recent.readShort(bytesOf(""))).isEmpty();
    }

    @Test
    void shouldReadWhatWasWrittenAndNoByteMore() {
        Random random = new Random(11);
        String alphabet = "ab.\u00e4\u20ac";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(6); length > 0; length--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            ByteBuf bytes = bytesOf(text.toString()).writeByte(77);

            assertThat(recent.readShort(bytes)).isEqualTo(text.toString());
            assertThat(bytes.readByte()).isEqualTo((byte) 77);
            assertThat(bytes.isReadable()).isFalse();
        }
    }

    @Test
    void shouldRefuseWhenTheBufferEndsFirst() {
        ByteBuf cut = Unpooled.copiedBuffer("\5abcd", StandardCharsets.US_ASCII);

        assertThatThrownBy(() -> recent.readShort(cut)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
