package io.warren.mirroring.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.queue.DeathReason;
import io.warren.core.store.format.Records;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class QueueEntryCodecTest {
    private static final ChannelId CHANNEL = new ChannelId("node-a", 3, 77);
    private static final Message MESSAGE = Message.owning(
                    "x",
                    "key",
                    Properties.builder().headers(Map.of("a", "b")).persistent().build(),
                    new byte[] {1, 2, 3, 4, 5})
            .withBlindRoutingKeys(
                    List.of("hidden"), Properties.builder().persistent().build());

    private static QueueEntryCodec.Publishing publishing() {
        return new QueueEntryCodec.Publishing(9, 5, 41, CHANNEL, 12, 7, 3, 1_700_000_000_000L, true, true);
    }

    static Stream<QueueEntry> otherEntries() {
        List<OffsetRange> most = new ArrayList<>();
        for (long at = 0; at < QueueEntryCodec.RANGES_MAX; at++) {
            most.add(new OffsetRange(3 * at, 3 * at + 1));
        }
        return Stream.of(
                new QueueEntry.Settle(1, SettleReason.ACKNOWLEDGED, List.of(new OffsetRange(0, 0))),
                new QueueEntry.Settle(
                        Long.MAX_VALUE,
                        SettleReason.NOT_KEPT,
                        List.of(new OffsetRange(2, 9), new OffsetRange(11, Long.MAX_VALUE))),
                new QueueEntry.Settle(2, SettleReason.PURGED, most),
                new QueueEntry.DeadLetter(1, 12, DeathReason.REJECTED),
                new QueueEntry.DeadLetter(1, 0, DeathReason.EXPIRED),
                new QueueEntry.DeadLetter(1, 12, DeathReason.MAXLEN),
                new QueueEntry.ChannelGone(4, CHANNEL),
                new QueueEntry.ChannelGone(4, ChannelId.ofQueue(8)),
                new QueueEntry.ChannelGone(4, new ChannelId("n".repeat(ChannelId.NODE_BYTES_MAX), 1, 1)),
                new QueueEntry.HandOut(4, 255, 1L << 40));
    }

    @ParameterizedTest
    @MethodSource("otherEntries")
    void shouldReadWhatItWrote(QueueEntry entry) {
        byte[] bytes = QueueEntryCodec.encode(entry);

        assertThat(QueueEntryCodec.decode(bytes)).isEqualTo(entry);
        assertThat(QueueEntryCodec.reign(bytes)).isEqualTo(entry.reign());
        assertThat(QueueEntryCodec.isSettle(bytes)).isEqualTo(entry instanceof QueueEntry.Settle);
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadEveryReasonItWrote(SettleReason reason) {
        QueueEntry entry = new QueueEntry.Settle(1, reason, List.of(new OffsetRange(1, 2)));

        assertThat(QueueEntryCodec.decode(QueueEntryCodec.encode(entry))).isEqualTo(entry);
    }

    @Test
    void shouldReadAPublishItWrote() {
        byte[] bytes = QueueEntryCodec.publish(publishing(), MESSAGE);

        QueueEntry.Publish publish = (QueueEntry.Publish) QueueEntryCodec.decode(bytes);

        publish.check();
        assertThat(publish.reign()).isEqualTo(9);
        assertThat(publish.channel()).isEqualTo(CHANNEL);
        assertThat(publish.sequence()).isEqualTo(12);
        assertThat(publish.firstOpen()).isEqualTo(7);
        assertThat(publish.offset()).isEqualTo(41);
        assertThat(publish.priority()).isEqualTo(3);
        assertThat(publish.expiresAtMs()).isEqualTo(1_700_000_000_000L);
        assertThat(publish.isPersistent()).isTrue();
        assertThat(publish.raisesLimit()).isTrue();
        assertThat(publish.bodyBytes()).isEqualTo(5);
        Message message = publish.message();
        assertThat(message.exchange()).isEqualTo("x");
        assertThat(message.routingKey()).isEqualTo("key");
        assertThat(message.body()).isEqualTo(MESSAGE.body());
        assertThat(message.blindRoutingKeys()).containsExactly("hidden");
        assertThat(QueueEntryCodec.isSettle(bytes)).isFalse();
    }

    @Test
    void shouldReadAPublishOfNobodyThatNeverExpires() {
        byte[] bytes = QueueEntryCodec.publish(
                new QueueEntryCodec.Publishing(9, 5, 0, null, 0, 0, 0, Records.NEVER_MS, false, false), MESSAGE);

        QueueEntry.Publish publish = (QueueEntry.Publish) QueueEntryCodec.decode(bytes);

        assertThat(publish.channel()).isNull();
        assertThat(publish.isPersistent()).isFalse();
        assertThat(publish.raisesLimit()).isFalse();
        assertThat(publish.expiresAtMs()).isEqualTo(Records.NEVER_MS);
    }

    @Test
    void shouldGrowItsBufferWhenHeadersAreLong() {
        Message long1 = Message.owning(
                "x",
                "k",
                Properties.builder().headers(Map.of("h", "v".repeat(9_000))).build(),
                new byte[0]);

        QueueEntry.Publish publish =
                (QueueEntry.Publish) QueueEntryCodec.decode(QueueEntryCodec.publish(publishing(), long1));

        assertThat(publish.message().properties().headersOrEmpty().get("h")).isEqualTo("v".repeat(9_000));
    }

    @ParameterizedTest
    @MethodSource("otherEntries")
    void shouldRefuseAnEntryWhenItIsCutAnywhere(QueueEntry entry) {
        byte[] bytes = QueueEntryCodec.encode(entry);
        int step = Math.max(1, bytes.length / 500);

        for (int length = 0; length < bytes.length; length += step) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> QueueEntryCodec.decode(cut))
                    .as("cut at %d", length)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> QueueEntryCodec.decode(Arrays.copyOf(bytes, bytes.length + 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseAPublishWhenItIsCutAnywhere() {
        byte[] bytes = QueueEntryCodec.publish(publishing(), MESSAGE);

        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> QueueEntryCodec.decode(cut))
                    .as("cut at %d", length)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldRefuseAPublishWhenAnyByteOfItIsAnother() {
        byte[] bytes = QueueEntryCodec.publish(publishing(), MESSAGE);

        for (int at = 0; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assertThatThrownBy(() -> ((QueueEntry.Publish) QueueEntryCodec.decode(damaged)).check())
                    .as("byte %d", at)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("otherEntries")
    void shouldRefuseAnEntryWhenAnyByteOfItIsAnother(QueueEntry entry) {
        byte[] bytes = QueueEntryCodec.encode(entry);
        int step = Math.max(1, bytes.length / 200);

        for (int at = 0; at < bytes.length; at += step) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assertThatThrownBy(() -> QueueEntryCodec.decode(damaged))
                    .as("byte %d", at)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldSayWhatIsWrongWhenItIsNoEntry() {
        assertThatThrownBy(() -> QueueEntryCodec.decode(new byte[3]))
                .hasMessage("not an entry of a mirrored queue: too short for an entry (3)");
        assertThatThrownBy(() -> QueueEntryCodec.decode(new byte[40]))
                .hasMessage("not an entry of a mirrored queue: no size of a head (0)");
    }

    @Test
    void shouldRefuseToWriteWhatIsNoEntry() {
        assertThatThrownBy(() -> QueueEntryCodec.encode(new QueueEntry.Settle(1, SettleReason.PURGED, List.of())))
                .hasMessageContaining("ranges=0");
        List<OffsetRange> tooMany = new ArrayList<>();
        for (long at = 0; at <= QueueEntryCodec.RANGES_MAX; at++) {
            tooMany.add(new OffsetRange(2 * at, 2 * at));
        }
        assertThatThrownBy(() -> QueueEntryCodec.encode(new QueueEntry.Settle(1, SettleReason.PURGED, tooMany)))
                .hasMessageContaining("ranges=4097");
        assertThatThrownBy(() -> new OffsetRange(3, 2)).hasMessage("first=3 last=2");
        assertThatThrownBy(() -> new ChannelId("n", 0, 1)).hasMessage("node=n incarnation=0");
        assertThatThrownBy(() -> new ChannelId("n".repeat(2_000), 1, 1)).hasMessageContaining("longer than 1024 bytes");
        assertThatCode(() -> ChannelId.ofQueue(1)).doesNotThrowAnyException();
    }
}
