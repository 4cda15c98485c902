package io.warren.core.store.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is a short string in AMQP need not be one here: keys of BCC and of dead letters come from elsewhere. */
class MessageCodecTest {

    private static Message again(Message message) {
        ByteBuffer bytes = ByteBuffer.allocate(1 << 20);
        MessageCodec.write(bytes, 1, 2, message, 0, Records.NEVER_MS, 0);
        assertThat(Records.isSound(bytes.flip(), 0)).isTrue();
        return MessageCodec.read(bytes, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 253, 254, 255, 256, 300, 70_000})
    void shouldReadKeysOfAnyLength(int length) {
        String key = "k".repeat(length);

        Message read = again(Message.owning("exchange", key, Properties.NONE, new byte[] {1, 2, 3})
                .withBlindRoutingKeys(List.of(key, "other"), Properties.NONE));

        assertThat(read.exchange()).isEqualTo("exchange");
        assertThat(read.routingKey()).isEqualTo(key);
        assertThat(read.blindRoutingKeys()).containsExactly(key, "other");
        assertThat(read.body()).containsExactly(1, 2, 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 255, 256, 65_535, 65_536, 70_000})
    void shouldReadAnyNumberOfHiddenKeys(int count) {
        List<String> keys = Collections.nCopies(count, "key");

        Message read = again(
                Message.owning("", "q", Properties.NONE, new byte[0]).withBlindRoutingKeys(keys, Properties.NONE));

        assertThat(read.blindRoutingKeys()).isEqualTo(keys);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 126, 127})
    void shouldReadPropertiesOfAnyLength(int length) {
        Properties properties = Properties.builder()
                .correlationId("\u00e9".repeat(length))
                .messageId("m".repeat(2 * length + 1))
                .build();

        assertThat(again(Message.owning("", "q", properties, new byte[0])).properties())
                .isEqualTo(properties);
    }
}
