package io.warren.mirroring.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.error.AmqpError;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.QueueDefinition;
import io.warren.core.metadata.QueueSettings;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.LocalQueues;
import io.warren.core.spi.Reign.Verdict;
import io.warren.mirroring.group.Groups;
import io.warren.mirroring.queue.ChannelId;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import io.warren.mirroring.transfer.TransferFrame;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One node's member of queue q, of which it is the only one: what its shell does. Decision 0069 says why. */
class MirrorTest {
    private static final Member SELF = new Member("a", 1);
    private static final ChannelId CHANNEL = new ChannelId("b", 1, 5);
    private static final Queue QUEUE = new Queue(
            7,
            new QueueDefinition("q", true, false, null, FieldTable.EMPTY, "a"),
            QueueSettings.plain("/", "q"),
            null,
            null);

    private final FakeBroker broker = new FakeBroker();
    private final Set<ChannelId> dead = new HashSet<>();
    private boolean lease = true;
    private Mirror mirror;

    @BeforeEach
    void open() {
        Groups<byte[]> groups = new Groups<>(SELF, broker.tasks::add);
        Mirror.Place place = new Mirror.Place("queue-7", "/", QUEUE);
        mirror = new Mirror(place, SELF, 1, groups, Mirror.Start.EMPTY, null, new Host());
    }

    private final class Host implements Mirror.Host {
        @Override
        public LocalQueues local() {
            return broker;
        }

        @Override
        public boolean isLeaseHeld() {
            return lease;
        }

        @Override
        public boolean isAutomatic(long queueId) {
            return true;
        }

        @Override
        public boolean isDead(ChannelId channel) {
            return dead.contains(channel);
        }

        @Override
        public void propose(String group, long epoch, Member member, boolean inSync) {
            broker.said.add("proposes " + member + " " + inSync);
        }

        @Override
        public void send(String node, String group, TransferFrame frame) {
            broker.said.add(node + ": " + frame);
        }

        @Override
        public void onLeads(Mirror led) {
            broker.said.add("is led");
        }

        @Override
        public void onKept(long queueId) {
            throw new AssertionError("this queue is in memory only");
        }

        @Override
        public void onLost(Mirror lossy, long messages) {
            throw new AssertionError("lost " + messages);
        }

        @Override
        public void onFailed(Mirror failed, Throwable failure) {
            throw new AssertionError(failure);
        }
    }

    /** The end of a channel, which says what it hears. */
    private final class End implements MirrorEnd {
        private void say(String what) {
            broker.said.add("end: " + what);
        }

        @Override
        public void onReignOver() {
            say("reign over");
        }

        @Override
        public void onLetGo() {
            say("let go");
        }

        @Override
        public void onTaken(int publishes) {
            say("taken");
        }

        @Override
        public void onConfirmed(long sequence) {
            say("confirmed " + sequence);
        }

        @Override
        public void onRejected(long sequence) {
            say("rejected " + sequence);
        }

        @Override
        public void onDelivery(
                String tag, int attachment, long offset, boolean redelivered, boolean permitted, Message message) {
            say("delivery " + offset);
        }

        @Override
        public void onGetOk(int attachment, long offset, boolean redelivered, Message message, long readyCount) {
            say("got " + offset);
        }

        @Override
        public void onGetEmpty() {
            say("got nothing");
        }

        @Override
        public void onConsumeOk(String consumerTag) {
            say("consumes");
        }

        @Override
        public void onConsumeRefused(String consumerTag, AmqpError error) {
            say("consume refused");
        }

        @Override
        public void onCancelOk(String consumerTag) {
            say("cancel ok");
        }

        @Override
        public void onCancelled(String consumerTag) {
            say("cancelled");
        }

        @Override
        public void onDeclareOk(long readyCount, int consumerCount) {
            say("declared");
        }

        @Override
        public void onPurged(long messageCount) {
            say("purged");
        }

        @Override
        public void onDeleteGranted(long messageCount) {
            say("delete granted");
        }

        @Override
        public void onRefused(AmqpError error) {
            say("refused");
        }

        @Override
        public void onQueueGone() {
            say("gone");
        }

        @Override
        public void onPermitWanted() {
            say("permit wanted");
        }

        @Override
        public void onPermitsReturned(int permits) {
            say("permits returned");
        }
    }

    private static View view(long epoch, long reign, int minInSync, Member master) {
        return new View(1, epoch, reign, 0, 0, minInSync, true, List.of(master), List.of(), List.of());
    }

    private Leading lead() {
        mirror.onView(view(3, 3, 1, SELF));
        broker.run();
        broker.heard();
        Leading leading = mirror.leading();
        assertThat(leading).isNotNull();
        return leading;
    }

    private void attach(Leading leading, ChannelId channel, int attachment) {
        leading.attach(channel, attachment, new End());
        broker.run();
    }

    /** As the queue process does with a publish that is to be taken. */
    private Verdict publish(long sequence, long firstOpen) {
        Verdict verdict = broker.reign.onPublish(broker.attached, sequence, firstOpen);
        if (verdict == Verdict.TAKE) {
            Message message = Message.owning("", "q", Properties.NONE, "m".getBytes(UTF_8));
            broker.backing.publish(message, 0, BackingQueue.NEVER, false);
            broker.reign.published();
        }
        return verdict;
    }

    @Test
    void shouldLeadWhenItsViewIsDelivered() {
        mirror.onView(view(3, 3, 1, SELF));
        assertThat(mirror.leading()).isNull();

        broker.run();

        assertThat(broker.heard()).startsWith("leads q", "is led");
        assertThat(mirror.leading().reign()).isEqualTo(3);
    }

    @Test
    void shouldTakeAPublishOnceAndRecogniseIt() {
        attach(lead(), CHANNEL, 1);

        Verdict first = publish(4, 4);
        broker.run();
        Verdict again = publish(4, 4);

        assertThat(first).isEqualTo(Verdict.TAKE);
        assertThat(again).isEqualTo(Verdict.CONFIRM);
        assertThat(broker.backing.safeOffset()).isZero();
    }

    @Test
    void shouldRecogniseInTheNextReignWhatWasPublishedInThisOne() {
        attach(lead(), CHANNEL, 1);
        publish(4, 4);
        broker.run();

        mirror.onView(view(5, 5, 1, SELF));
        broker.run();
        assertThat(broker.heard()).contains("end: reign over", "reign over", "leads q");
        attach(mirror.leading(), CHANNEL, 2);

        assertThat(publish(4, 4)).isEqualTo(Verdict.CONFIRM);
        assertThat(broker.backing.readyCount()).isOne();
    }

    @Test
    void shouldEndWithoutAWordWhenAnotherLeads() {
        attach(lead(), CHANNEL, 1);
        broker.heard();

        mirror.onView(view(5, 5, 1, new Member("b", 1)));
        broker.run();

        assertThat(broker.heard()).containsExactly("end: reign over", "reign over");
        assertThat(mirror.leading()).isNull();
    }

    @Test
    void shouldWithholdWordsWithoutALeaseAndKeepTheirOrder() {
        attach(lead(), CHANNEL, 1);
        broker.heard();
        lease = false;
        broker.attached.onConfirmed(1);
        lease = true;
        broker.attached.onRejected(2);
        assertThat(broker.heard()).isEmpty();

        mirror.onTick();
        broker.run();

        assertThat(broker.heard()).containsExactly("end: confirmed 1", "end: rejected 2");
    }

    @Test
    void shouldDropWhatIsWithheldWithTheReign() {
        attach(lead(), CHANNEL, 1);
        lease = false;
        broker.attached.onConfirmed(1);
        broker.heard();

        mirror.onView(view(5, 5, 1, new Member("b", 1)));
        lease = true;
        mirror.onTick();
        broker.run();

        assertThat(broker.heard()).doesNotContain("end: confirmed 1");
    }

    @Test
    void shouldRefusePublishesOfChannelsAndLetQueuesGoWhenTooFewAreInSync() {
        Leading leading = lead();
        attach(leading, CHANNEL, 1);
        mirror.onView(view(4, 3, 2, SELF));
        broker.run();

        assertThat(publish(4, 4)).isEqualTo(Verdict.REFUSE);
        attach(leading, ChannelId.ofQueue(9), 1);
        broker.heard();
        assertThat(publish(1, 1)).isEqualTo(Verdict.DROP);
        assertThat(broker.heard()).containsExactly("closed", "end: let go");
    }

    @Test
    void shouldLetTheDeadGoAndNotAttachThem() {
        Leading leading = lead();
        attach(leading, CHANNEL, 1);
        publish(4, 4);
        broker.run();
        broker.heard();

        dead.add(CHANNEL);
        mirror.onNodes();
        broker.run();
        assertThat(broker.heard()).contains("closed");
        assertThat(publish(5, 5)).isEqualTo(Verdict.DROP);
        attach(leading, CHANNEL, 2);

        assertThat(broker.heard()).contains("end: let go");
    }

    @Test
    void shouldForgetAChannelThatHasEnded() {
        attach(lead(), CHANNEL, 1);
        publish(4, 4);
        broker.run();

        mirror.channelEnded(CHANNEL);
        broker.run();
        attach(mirror.leading(), CHANNEL, 2);

        assertThat(publish(4, 4)).isEqualTo(Verdict.TAKE);
    }

    @Test
    void shouldTellWhoLosesAQueuesAttachmentToAnother() {
        Leading leading = lead();
        attach(leading, ChannelId.ofQueue(9), 1);
        broker.heard();

        attach(leading, ChannelId.ofQueue(9), 1);

        assertThat(broker.heard()).containsExactly("attached in 1", "closed", "end: let go");
    }
}
