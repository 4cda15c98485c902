package io.warren.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.message.Message;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.Settlement;
import java.util.List;
import org.junit.jupiter.api.Test;

class LocalBackingQueueTest {

    private final FakeQueueLog log = new FakeQueueLog();
    private long heldBytes;
    private final LocalBackingQueue queue =
            new LocalBackingQueue(3, log, change -> heldBytes += change, new FakeBackingListener());

    private long publish(String name, int priority) {
        return queue.publish(Messages.message(name), priority, BackingQueue.NEVER, false);
    }

    private long publishExpiring(String name, int priority, long expiresAtNs) {
        return queue.publish(Messages.message(name), priority, expiresAtNs, false);
    }

    private List<String> names(int countMax) {
        return queue.peek(countMax).stream().map(Message::routingKey).toList();
    }

    @Test
    void shouldNumberOffsetsFromZeroWhenPublished() {
        assertThat(publish("a", 0)).isZero();
        assertThat(publish("b", 2)).isEqualTo(1);
        assertThat(publish("c", 0)).isEqualTo(2);
    }

    @Test
    void shouldHaveNoHeadWhenEmpty() {
        assertThat(queue.head()).isEqualTo(BackingQueue.NONE);
        assertThat(queue.expiredHead(Long.MAX_VALUE)).isEqualTo(BackingQueue.NONE);
        assertThat(queue.nextExpiryNs()).isEqualTo(BackingQueue.NEVER);
        assertThat(queue.purge()).isZero();
        assertThat(queue.peek(5)).isEmpty();
    }

    @Test
    void shouldOrderByPriorityThenOffsetWhenPeeked() {
        publish("low1", 0);
        publish("high1", 3);
        publish("low2", 0);
        publish("high2", 3);
        publish("middle", 1);

        assertThat(names(10)).containsExactly("high1", "high2", "middle", "low1", "low2");
        assertThat(names(3)).containsExactly("high1", "high2", "middle");
        assertThat(queue.head()).isEqualTo(1);
    }

    @Test
    void shouldCountAsHighestWhenPriorityIsHigherStill() {
        publish("high", 3);
        publish("higher", 200);

        assertThat(names(2)).containsExactly("high", "higher");
        assertThat(log.takeEntries()).containsExactly("publish 0 high priority=3", "publish 1 higher priority=3");
    }

    @Test
    void shouldCountReadyMessagesAndBytesWhenTheyComeAndGo() {
        queue.publish(Messages.ofBytes("a", 5), 0, BackingQueue.NEVER, false);
        queue.publish(Messages.ofBytes("b", 7), 1, BackingQueue.NEVER, false);
        assertThat(queue.readyCount()).isEqualTo(2);
        assertThat(queue.readyBytes()).isEqualTo(12);

        queue.fetch(1);
        assertThat(queue.readyCount()).isEqualTo(1);
        assertThat(queue.readyBytes()).isEqualTo(5);
        queue.putBack(1);

        assertThat(queue.readyCount()).isEqualTo(2);
        assertThat(queue.readyBytes()).isEqualTo(12);
    }

    @Test
    void shouldMarkOnlyRequeuedOnesWhenTheyComeBack() {
        publish("a", 0);
        publish("b", 0);
        queue.fetch(0);
        queue.fetch(1);

        queue.putBack(0);
        queue.requeue(1);

        assertThat(queue.isRedelivered(0)).isFalse();
        assertThat(queue.isRedelivered(1)).isTrue();
        assertThat(names(2)).containsExactly("a", "b");
    }

    @Test
    void shouldRefuseToFetchWhenOffsetIsNotAHead() {
        publish("a", 0);
        publish("b", 0);

        assertThatThrownBy(() -> queue.fetch(1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("offset=1 is not a head; that is 0");
    }

    @Test
    void shouldFindExpiredHeadOfAnyPriorityWhenTimeHasCome() {
        publishExpiring("low", 0, 50);
        publish("high", 3);
        publishExpiring("middle", 1, 60);

        assertThat(queue.expiredHead(49)).isEqualTo(BackingQueue.NONE);
        assertThat(queue.expiredHead(50)).isZero();
        assertThat(queue.expiredHead(60)).isEqualTo(2);
        assertThat(queue.nextExpiryNs()).isEqualTo(50);
        assertThat(queue.expiresAtNs(2)).isEqualTo(60);
        assertThat(queue.expiresAtNs(1)).isEqualTo(BackingQueue.NEVER);
    }

    @Test
    void shouldNotLookBehindHeadsWhenExpiryIsAskedFor() {
        publish("a", 0);
        publishExpiring("b", 0, 50);

        assertThat(queue.expiredHead(100)).isEqualTo(BackingQueue.NONE);
        assertThat(queue.nextExpiryNs()).isEqualTo(BackingQueue.NEVER);
        queue.fetch(0);

        assertThat(queue.expiredHead(100)).isEqualTo(1);
        assertThat(queue.nextExpiryNs()).isEqualTo(50);
    }

    @Test
    void shouldCountExpiringAgainWhenItComesBack() {
        publishExpiring("a", 0, 50);
        queue.fetch(0);
        assertThat(queue.nextExpiryNs()).isEqualTo(BackingQueue.NEVER);

        queue.requeue(0);

        assertThat(queue.nextExpiryNs()).isEqualTo(50);
        assertThat(queue.expiresAtNs(0)).isEqualTo(50);
    }

    @Test
    void shouldTellLogAndMemoryWhenMessageLives() {
        Message message = Messages.message("a");
        queue.publish(message, 1, 50, false);
        assertThat(heldBytes).isEqualTo(message.memoryBytes());
        queue.fetch(0);
        assertThat(heldBytes).isEqualTo(message.memoryBytes());

        queue.settle(0, Settlement.REJECTED);

        assertThat(heldBytes).isZero();
        assertThat(log.takeEntries())
                .containsExactly("publish 0 a priority=1 expires=50", "handedOut 0", "settle 0 REJECTED");
    }

    @Test
    void shouldKnowNothingOfMessageWhenItIsSettled() {
        publish("a", 0);
        queue.fetch(0);

        queue.settle(0, Settlement.ACKNOWLEDGED);

        assertThatThrownBy(() -> queue.settle(0, Settlement.ACKNOWLEDGED)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void shouldBeginAnewWhenPublishedAfterDeletion() {
        publish("a", 2);
        publish("b", 2);
        publish("c", 0);
        queue.fetch(0);
        queue.delete();

        publish("d", 0);

        assertThat(names(5)).containsExactly("d");
        assertThat(queue.head()).isEqualTo(3);
        assertThatThrownBy(() -> queue.settle(0, Settlement.ACKNOWLEDGED)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void shouldNotTellHandedOutWhenDropped() {
        publish("a", 0);
        publish("b", 0);
        log.takeEntries();

        queue.drop(0, Settlement.MAXLEN);

        assertThat(log.takeEntries()).containsExactly("settle 0 MAXLEN");
        assertThat(names(5)).containsExactly("b");
        assertThat(heldBytes).isEqualTo(Messages.message("b").memoryBytes());
    }

    @Test
    void shouldSettleReadyOnlyWhenPurged() {
        publish("a", 0);
        publish("b", 0);
        publish("c", 2);
        queue.fetch(2);
        log.takeEntries();

        assertThat(queue.purge()).isEqualTo(2);

        assertThat(log.takeEntries()).containsExactly("settle 0 PURGED", "settle 1 PURGED");
        assertThat(queue.readyCount()).isZero();
        assertThat(queue.readyBytes()).isZero();
        queue.requeue(2);
        assertThat(names(5)).containsExactly("c");
    }

    @Test
    void shouldBeAsSafeAsItsLogWhenAsked() {
        log.safeOffset = 17;

        assertThat(queue.safeOffset()).isEqualTo(17);
    }

    @Test
    void shouldHoldNothingWhenDeleted() {
        publishExpiring("a", 0, 50);
        publish("b", 2);
        queue.fetch(1);

        queue.delete();

        assertThat(heldBytes).isZero();
        assertThat(queue.readyCount()).isZero();
        assertThat(queue.readyBytes()).isZero();
        assertThat(queue.head()).isEqualTo(BackingQueue.NONE);
        assertThat(queue.nextExpiryNs()).isEqualTo(BackingQueue.NEVER);
        assertThat(queue.expiredHead(100)).isEqualTo(BackingQueue.NONE);
        assertThat(queue.peek(5)).isEmpty();
        assertThat(queue.purge()).isZero();
        assertThat(log.takeEntries()).endsWith("delete");
    }
}
