package io.warren.mirroring.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.queue.DeathReason;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.MemoryBudget;
import io.warren.core.spi.Settlement;
import io.warren.mirroring.ring.View;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages whose bytes are on the disk only. */
class PagedMessagesTest {
    private static final QueueSetup SETUP = new QueueSetup(5, true, 0);
    /** More than is applied with a batch. */
    private static final int COUNT = 3_000;

    private static final int BODY_BYTES = 1_000;

    private final FakeRing ring = new FakeRing();
    private final Counted memoryOfA = new Counted();
    private final Counted memoryOfB = new Counted();
    private final FakeMember a = new FakeMember(ring, FakeRing.A, SETUP, memoryOfA);
    private final FakeMember b = new FakeMember(ring, FakeRing.B, SETUP, memoryOfB);

    /** What a member holds. */
    private static final class Counted implements MemoryBudget {
        private long heldBytes;
        private long allowedBytes = Long.MAX_VALUE;

        @Override
        public void held(long changeBytes) {
            heldBytes += changeBytes;
        }

        @Override
        public boolean mustPage() {
            return heldBytes > allowedBytes;
        }
    }

    @BeforeEach
    void lead() {
        View view = FakeRing.view(1, 1, FakeRing.A, FakeRing.B);
        a.view(view);
        b.view(view);
        ring.open(view);
        a.deliverAll();
        b.deliverAll();
    }

    private void lazy() {
        a.queue.lazy(true);
        b.queue.lazy(true);
    }

    private static Message message(long number, boolean persistent) {
        Properties.Builder properties = Properties.builder();
        if (persistent) {
            properties.persistent();
        }
        byte[] body = ("m" + number + " ".repeat(BODY_BYTES)).getBytes(StandardCharsets.UTF_8);
        return Message.owning("", "m" + number, properties.build(), body);
    }

    private void publish(int count) {
        for (int number = 0; number < count; number++) {
            a.backing().publish(message(number, true), 0, BackingQueue.NEVER, false);
            if (number % 10 == 0) {
                settle();
            }
        }
        settle();
    }

    private void settle() {
        a.settleDown();
        b.settleDown();
    }

    private void promoteB() {
        View view = FakeRing.view(2, 2, FakeRing.B);
        b.view(view);
        ring.open(view);
        b.deliverAll();
    }

    /** Each message in its place, with its body, as it comes from the disk. */
    private static List<String> drain(FakeMember member) {
        List<String> names = new ArrayList<>();
        MirroredBackingQueue backing = member.backing();
        while (backing.head() != BackingQueue.NONE) {
            long head = backing.head();
            String name = member.fetch(head);
            while (name == null) {
                int before = member.fetched.size();
                member.readAll();
                member.settleDown();
                name = member.fetched.size() == before ? null : member.fetched.get(before);
            }
            names.add(name);
            backing.settle(head, Settlement.ACKNOWLEDGED);
        }
        return names;
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(number -> "m" + number).toList();
    }

    @Test
    void shouldHoldNoBodiesOfALazyQueueAtAnyMember() {
        lazy();

        publish(COUNT);

        assertThat(b.queue.heldBytes()).isLessThan(COUNT * 50L);
        assertThat(memoryOfB.heldBytes).isEqualTo(b.queue.heldBytes());
        // The master has those at hand that are next.
        assertThat(a.queue.heldBytes()).isLessThan(COUNT * 50L);
        assertThat(memoryOfA.heldBytes).isLessThan(COUNT * 50L + 2 * 1024 * 1024);
    }

    @Test
    void shouldHoldBodiesOfAnotherQueueUntilThatIsTooMuch() {
        memoryOfB.allowedBytes = 1_000_000;

        publish(COUNT);

        assertThat(a.queue.heldBytes()).isGreaterThan(COUNT * (long) BODY_BYTES);
        assertThat(b.queue.heldBytes()).isBetween(100_000L, 1_500_000L);
    }

    @Test
    void shouldLetBodiesGoWhenItComesToBeLazy() {
        publish(500);
        assertThat(b.queue.heldBytes()).isGreaterThan(400L * BODY_BYTES);

        b.queue.lazy(true);

        assertThat(b.queue.heldBytes()).isLessThan(500 * 50L);
    }

    @Test
    void shouldHandOutInOrderWhatComesFromTheDisk() {
        lazy();
        publish(COUNT);

        assertThat(drain(a)).isEqualTo(names(COUNT));
        settle();
        a.queue.applyFirm();
        assertThat(a.queue.heldBytes()).isLessThan(50_000);
    }

    @Test
    void shouldHandOutInOrderAfterAFailover() {
        lazy();
        publish(COUNT);

        promoteB();

        assertThat(drain(b)).isEqualTo(names(COUNT));
    }

    @Test
    void shouldFailWhenTheDiskLacksWhatSomebodyWaitsFor() {
        lazy();
        publish(10);
        promoteB();
        assertThat(b.fetch(b.backing().head())).isNull();

        assertThatThrownBy(() -> b.readAll(0)).hasMessageContaining("what is not settled is on disk");
    }

    @Test
    void shouldTakeNothingThatWasPurgedWhileItWasRead() {
        lazy();
        publish(10);
        promoteB();
        b.backing().fetch(b.backing().head());
        b.backing().settle(0, Settlement.ACKNOWLEDGED);
        b.backing().purge();
        settle();

        b.readAll(IntStream.range(0, 10).asLongStream().toArray());

        assertThat(b.fetched).isEmpty();
        assertThat(b.backing().readyCount()).isZero();
    }

    @Test
    void shouldPublishTheDeadLetterOfAnEarlierMasterWhenItsMessageHasCome() {
        lazy();
        publish(COUNT);
        long head = a.backing().head();
        a.fetch(head);
        a.readAll();
        a.settleDown();
        a.backing().deadLetter(head, DeathReason.REJECTED);
        settle();
        a.takeSaid();

        promoteB();
        assertThat(b.takeSaid()).noneMatch(said -> said.startsWith("dead letter"));
        b.readAll();

        assertThat(b.takeSaid()).contains("dead letter 1: 0 REJECTED");
        assertThat(b.backing().inheritedMessage(0).routingKey()).isEqualTo("m0");
        b.readAll();
        assertThat(b.takeSaid()).noneMatch(said -> said.startsWith("dead letter"));
    }

    @Test
    void shouldKnowAllOfATransientMessageThatIsAskedForWithoutItsBody() {
        ChannelId channel = new ChannelId("c", 3, 7);
        byte[] entry = QueueEntryCodec.publish(
                new QueueEntryCodec.Publishing(4, 5, 90, channel, 12, 11, 3, 1_000, false, true), message(1, false));
        QueueEntry.Publish whole = PagedEntry.publish(entry);

        QueueEntry.Publish paged = PagedEntry.publish(PagedEntry.of(whole));

        assertThat(paged.isPaged()).isTrue();
        assertThat(List.of(paged.reign(), paged.offset(), paged.expiresAtMs(), paged.sequence(), paged.firstOpen()))
                .isEqualTo(List.of(4L, 90L, 1_000L, 12L, 11L));
        assertThat(List.of(paged.priority(), paged.bodyBytes())).isEqualTo(List.of(3, whole.bodyBytes()));
        assertThat(List.of(paged.isPersistent(), paged.raisesLimit())).isEqualTo(List.of(false, true));
        assertThat(paged.channel()).isEqualTo(channel);
        assertThatThrownBy(paged::message).hasMessage("offset=90 is on the disk only");
        assertThatThrownBy(() -> QueueEntryCodec.decode(PagedEntry.of(whole)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldWriteAStateOfWhichMessagesAreReadBitByBit() {
        lazy();
        publish(20);
        ReplicaSnapshot state = b.queue.snapshotUpTo(b.queue.delivered());
        SnapshotWriter writer = new SnapshotWriter(state);
        SnapshotReader reader = new SnapshotReader();
        List<Integer> asked = new ArrayList<>();

        while (writer.hasNext()) {
            List<Long> wanted = writer.wanted(100, 5 * BODY_BYTES);
            asked.add(wanted.size());
            java.util.Map<Long, byte[]> found = new java.util.HashMap<>();
            ring.log.forEach(each -> found.put(StoredEntry.message(each), each.payload()));
            // It was settled meanwhile.
            found.remove(7L);
            writer.supply(wanted, found);
            reader.accept(writer.next(100));
        }

        assertThat(asked).allMatch(count -> count <= 6).contains(0);
        assertThat(asked.stream().mapToInt(Integer::intValue).sum()).isEqualTo(20);
        assertThat(reader.messagesRead()).isEqualTo(20);
        assertThat(reader.snapshot().messageCount()).isEqualTo(19);
        assertThat(PagedEntry.publish(reader.snapshot().messages.get(7))
                        .message()
                        .routingKey())
                .isEqualTo("m8");
    }
}
