package io.warren.mirroring.mirror;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
import io.warren.core.metadata.Queue;
import io.warren.core.spi.AttachedChannel;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.LedQueue;
import io.warren.core.spi.LocalQueues;
import io.warren.core.spi.ManualClock;
import io.warren.core.spi.MemoryBudget;
import io.warren.core.spi.Reign;
import io.warren.core.spi.SettleVerb;
import io.warren.core.spi.Settlement;
import io.warren.core.spi.Ticker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** A broker that says what it is asked; its mailboxes run when the test says so, in one order. */
final class FakeBroker implements LocalQueues {
    final List<String> said = new ArrayList<>();
    final ManualClock clock = new ManualClock();
    final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    Reign reign;
    BackingQueue backing;
    AttachedChannel attached;

    void run() {
        for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
            next.run();
        }
    }

    List<String> heard() {
        List<String> all = List.copyOf(said);
        said.clear();
        return all;
    }

    @Override
    public Executor serial(java.util.function.Consumer<Throwable> onFailure) {
        return tasks::add;
    }

    @Override
    public LedQueue lead(String vhost, Queue queue, Executor mailbox, BackingQueue works, Reign asked) {
        said.add("leads " + queue.name());
        reign = asked;
        backing = works;
        return new Led();
    }

    @Override
    public boolean runsByItself(String vhost, String name, long id) {
        return false;
    }

    @Override
    public void release(long queueId, java.util.function.Consumer<io.warren.core.spi.ReleasedQueue> to) {
        throw unasked();
    }

    @Override
    public Ticker ticker() {
        return clock;
    }

    @Override
    public MemoryBudget memory() {
        return change -> {};
    }

    @Override
    public AttachedQueue attach(String vhost, String name, long id, int attachment, AttachedChannel channel) {
        throw unasked();
    }

    @Override
    public void reply(String vhost, Message message) {
        throw unasked();
    }

    @Override
    public void alarmsAt(String node, List<String> names) {
        throw unasked();
    }

    @Override
    public void suspend(AmqpError reason) {
        throw unasked();
    }

    @Override
    public void resume() {
        throw unasked();
    }

    private static IllegalStateException unasked() {
        return new IllegalStateException("nobody asks for this here");
    }

    /** The queue process of a reign. */
    private final class Led implements LedQueue {
        @Override
        public AttachedQueue attach(int attachment, AttachedChannel channel) {
            said.add("attached in " + attachment);
            attached = channel;
            return new Channel();
        }

        @Override
        public void deadLetter(long number, long offset, Settlement reason, Supplier<Message> inherited) {
            said.add("dead letter " + number + " of " + offset);
        }

        @Override
        public void end() {
            said.add("reign over");
        }

        @Override
        public void onSafe() {
            said.add("safe up to " + backing.safeOffset());
        }

        @Override
        public void onReady() {}

        @Override
        public void onFetched(long offset, Message message) {}
    }

    /** An attached channel, of which only the end matters. */
    private final class Channel implements AttachedQueue {
        @Override
        public void publish(long sequence, Message message) {
            throw unasked();
        }

        @Override
        public void barrier(long sequence) {
            throw unasked();
        }

        @Override
        public void consume(Consumer consumer, int permits) {
            throw unasked();
        }

        @Override
        public void cancel(String consumerTag) {
            throw unasked();
        }

        @Override
        public void credit(String consumerTag, int deliveries) {
            throw unasked();
        }

        @Override
        public void limitPermits(boolean limited) {
            throw unasked();
        }

        @Override
        public void permit(int permits) {
            throw unasked();
        }

        @Override
        public void get(boolean acknowledges) {
            throw unasked();
        }

        @Override
        public void settle(SettleVerb verb, int attachment, List<Long> offsets) {
            throw unasked();
        }

        @Override
        public void declare() {
            throw unasked();
        }

        @Override
        public void purge() {
            throw unasked();
        }

        @Override
        public void delete(boolean ifUnused, boolean ifEmpty) {
            throw unasked();
        }

        @Override
        public void close(Runnable done) {
            said.add("closed");
        }
    }
}
