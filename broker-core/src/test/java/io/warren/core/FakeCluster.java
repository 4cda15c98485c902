package io.warren.core;

import io.warren.core.message.Message;
import io.warren.core.metadata.Queue;
import io.warren.core.queue.LocalBackingQueue;
import io.warren.core.spi.AttachedChannel;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.LedQueue;
import io.warren.core.spi.LocalQueues;
import io.warren.core.spi.MovingHome;
import io.warren.core.spi.QueueHomes;
import io.warren.core.spi.Reign;
import io.warren.core.spi.SettleVerb;
import io.warren.core.spi.Settlement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * A cluster of one node, for which queues are mirrored whose names begin with {@code mirrored}. Channels are attached to the reign that is
 * there when they begin; what another reign would do with their publishes, the test says.
 */
final class FakeCluster implements QueueHomes {

    final LateMessageStore store = new LateMessageStore();

    /** What became of things, in words. */
    final List<String> said = new ArrayList<>();

    Reign.Verdict verdict = Reign.Verdict.TAKE;
    boolean isAvailable = true;
    LedQueue led;
    private LocalQueues local;
    private Executor mailbox;

    @Override
    public String here() {
        return "here";
    }

    @Override
    public void begin(LocalQueues queues) {
        local = queues;
        mailbox = queues.serial(failure -> said.add("failed: " + failure));
    }

    @Override
    public boolean isRunning(String node) {
        return true;
    }

    @Override
    public MovingHome mirrored(String vhost, Queue queue) {
        return queue.name().startsWith("mirrored") ? new Home() : null;
    }

    private final class Home implements MovingHome {
        @Override
        public boolean isAvailable() {
            return isAvailable;
        }

        @Override
        public String node() {
            return "here";
        }

        @Override
        public List<String> slaves() {
            return List.of("b", "c");
        }

        @Override
        public List<String> synchronisedSlaves() {
            return List.of("b");
        }
    }

    /** This node comes to lead a queue, with what earlier reigns have left in it. */
    void lead(Queue queue, Message... held) {
        mailbox.execute(() -> leadIn(mailbox, queue, held));
    }

    void leadIn(Executor owner, Queue queue, Message... held) {
        LocalBackingQueue backing =
                new LocalBackingQueue(0, store.openLog("/", queue, null), local.memory(), new ToLed());
        for (Message message : held) {
            backing.publish(message, 0, BackingQueue.NEVER, false);
        }
        led = local.lead("/", queue, owner, backing, new Asked());
    }

    /** What was published last is safe. */
    void force(String queue) {
        mailbox.execute(() -> store.makeSafe(queue));
        mailbox.execute(() -> led.onSafe());
    }

    void end() {
        mailbox.execute(() -> led.end());
    }

    void inMailbox(Runnable task) {
        mailbox.execute(task);
    }

    private final class ToLed implements io.warren.core.spi.BackingQueueListener {
        @Override
        public void onSafe() {
            led.onSafe();
        }

        @Override
        public void onReady() {
            led.onReady();
        }

        @Override
        public void onFetched(long offset, Message message) {
            led.onFetched(offset, message);
        }
    }

    private final class Asked implements Reign {
        @Override
        public Verdict onPublish(AttachedChannel publisher, long sequence, long firstOpen) {
            said.add(verdict + " " + sequence + " from " + firstOpen);
            return verdict;
        }

        @Override
        public void published() {
            said.add("published");
        }

        @Override
        public void deadLetter(long offset, Settlement reason) {
            said.add("dead letter " + offset + " " + reason);
        }
    }

    @Override
    public AttachedQueue attach(String vhost, Queue queue, AttachedChannel channel) {
        said.add("attached to " + queue.name());
        return new Numbering(led.attach(1, channel));
    }

    @Override
    public AttachedQueue attachQueue(long source, String vhost, Queue queue, AttachedChannel channel) {
        said.add("queue " + source + " attached to " + queue.name());
        return new Numbering(led.attach(1, channel));
    }

    @Override
    public void reply(String node, String vhost, Message message) {
        throw new IllegalStateException("nobody asks for this here");
    }

    @Override
    public void alarms(List<String> names) {}

    /** Publishes by numbers, as the end of an attachment does. */
    private record Numbering(AttachedQueue queue) implements AttachedQueue {
        @Override
        public void publish(long sequence, Message message) {
            queue.publish(sequence, sequence, message);
        }

        @Override
        public void barrier(long sequence) {
            queue.barrier(sequence);
        }

        @Override
        public void consume(Consumer consumer, int permits) {
            queue.consume(consumer, permits);
        }

        @Override
        public void cancel(String consumerTag) {
            queue.cancel(consumerTag);
        }

        @Override
        public void credit(String consumerTag, int deliveries) {
            queue.credit(consumerTag, deliveries);
        }

        @Override
        public void limitPermits(boolean limited) {
            queue.limitPermits(limited);
        }

        @Override
        public void permit(int permits) {
            queue.permit(permits);
        }

        @Override
        public void get(boolean acknowledges) {
            queue.get(acknowledges);
        }

        @Override
        public void settle(SettleVerb verb, int attachment, List<Long> offsets) {
            queue.settle(verb, attachment, offsets);
        }

        @Override
        public void declare() {
            queue.declare();
        }

        @Override
        public void purge() {
            queue.purge();
        }

        @Override
        public void delete(boolean ifUnused, boolean ifEmpty) {
            queue.delete(ifUnused, ifEmpty);
        }

        @Override
        public void close(Runnable done) {
            queue.close(done);
        }
    }
}
