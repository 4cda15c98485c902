package io.warren.amqp.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.warren.amqp.content.PropertiesCodec;
import io.warren.core.error.AmqpException;
import io.warren.core.message.Properties;
import org.junit.jupiter.api.Test;

final class RecentPropertiesTest {

    private final RecentProperties recent = new RecentProperties();

    private static ByteBuf bytesOf(Properties properties) {
        ByteBuf bytes = Unpooled.buffer();
        PropertiesCodec.write(bytes, properties);
        return bytes;
    }

    private static Properties typed(String type) {
        return Properties.builder().deliveryMode(1).type(type).build();
    }

    private Properties read(Properties sent) {
        ByteBuf bytes = bytesOf(sent);
        Properties read = recent.read(bytes);
        assertThat(bytes.isReadable()).isFalse();
        assertThat(read).isEqualTo(sent);
        return read;
    }

    @Test
    void shouldGiveTheSameObjectWhenAPublisherRepeatsItself() {
        Properties first = read(typed("a"));

        assertThat(read(typed("a"))).isSameAs(first);
    }

    @Test
    void shouldReadEachAsItWasSentWhenTheyChange() {
        read(typed("a"));
        read(typed("b"));
        read(Properties.NONE);
        read(typed("c".repeat(200)));
        read(typed("b"));
        read(typed("bb"));
    }

    @Test
    void shouldRememberNothingOfWhatWasRefused() {
        Properties first = read(typed("a"));
        ByteBuf cut = bytesOf(typed("abc")).slice(0, 5);
        ByteBuf unknownFlag = Unpooled.buffer().writeShort(1);
        ByteBuf longer = bytesOf(typed("b")).writeByte(0);

        assertThatThrownBy(() -> recent.read(cut)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> recent.read(unknownFlag)).isInstanceOf(AmqpException.class);
        assertThat(recent.read(longer)).isEqualTo(typed("b"));
        assertThat(longer.readableBytes()).isEqualTo(1);
        assertThat(recent.read(Unpooled.buffer().writeShort(0))).isSameAs(Properties.NONE);
        assertThat(read(typed("a"))).isEqualTo(first);
    }

    @Test
    void shouldRefuseAnEmptyBuffer() {
        assertThatThrownBy(() -> recent.read(Unpooled.EMPTY_BUFFER)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
