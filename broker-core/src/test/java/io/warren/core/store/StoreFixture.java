package io.warren.core.store;

import io.warren.core.message.FieldTable;
import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Command;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.QueueDefinition;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.ManualClock;
import io.warren.core.spi.QueueLog;
import io.warren.core.spi.QueueLogListener;
import io.warren.core.spi.Settlement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Stores on a disk and on the thread of the test's, with the writer's rounds run by the test, one at a time. */
final class StoreFixture {

    /** A queue as the test drives it. */
    static final class TestQueue implements QueueLogListener {

        final String name;
        final QueueLog log;

        /** What was found when it was opened: redelivered mark by offset. */
        final TreeMap<Long, Boolean> found = new TreeMap<>();

        final Map<Long, Integer> foundBytes = new LinkedHashMap<>();
        final Map<Long, Long> foundExpiries = new LinkedHashMap<>();
        final List<Long> stored = new ArrayList<>();
        final Map<Long, Message> read = new TreeMap<>();
        int handOutAnswers;
        Runnable onRead = () -> {};
        long nextOffset;

        TestQueue(DurableMessageStore store, Queue queue) {
            name = queue.name();
            log = store.openLog("/", queue, this);
            nextOffset = log.recover((offset, bytes, priority, expiresAtNs, redelivered) -> {
                if (found.put(offset, redelivered) != null) {
                    throw new AssertionError("message " + offset + " of " + name + " was told twice");
                }
                foundBytes.put(offset, bytes);
                foundExpiries.put(offset, expiresAtNs);
            });
        }

        /** Publishes a persistent message whose body tells queue and offset. */
        long publish() {
            return publish(body(nextOffset), true, BackingQueue.NEVER, false);
        }

        String body(long offset) {
            return name + ":" + offset + "." + "x".repeat((int) (offset * 37 % 300));
        }

        long publish(String body, boolean persistent, long expiresAtNs, boolean store) {
            Properties properties =
                    persistent ? Properties.builder().persistent().build() : Properties.NONE;
            Message message = Message.owning("", name, properties, body.getBytes(StandardCharsets.UTF_8));
            log.publish(nextOffset, message, 0, expiresAtNs, false, store);
            return nextOffset++;
        }

        void settle(long offset) {
            log.settle(offset, Settlement.ACKNOWLEDGED);
        }

        String readBody(long offset) {
            Message message = read.get(offset);
            return message == null ? null : new String(message.body(), StandardCharsets.UTF_8);
        }

        @Override
        public void onSafe() {
            // Asked for directly.
        }

        @Override
        public void onStored(List<Long> offsets) {
            stored.addAll(offsets);
        }

        @Override
        public void onHandOutAllowed() {
            handOutAnswers++;
        }

        @Override
        public void onRead(List<Long> offsets, List<Message> messages) {
            onRead.run();
            for (int i = 0; i < offsets.size(); i++) {
                read.put(offsets.get(i), messages.get(i));
            }
        }
    }

    /** Writes down what the store said of itself. */
    static final class Heard implements StoreListener {

        final List<String> said = new ArrayList<>();

        @Override
        public void onStopped(String reason, Throwable failure) {
            said.add("stopped: " + reason);
        }

        @Override
        public void onDiskLow(boolean low, long freeBytes) {
            said.add(low ? "disk low" : "disk not low");
        }

        @Override
        public void onBehind(boolean behind) {
            said.add(behind ? "behind" : "not behind");
        }
    }

    final SimulatedDisk disk;
    final Heard heard = new Heard();
    final ManualClock clock = new ManualClock();
    final DurableStores stores;
    final DurableMessageStore messages;

    StoreFixture(SimulatedDisk disk, StoreSettings settings) throws IOException {
        this(disk, settings, StoreTasks::named);
    }

    /** @param threads makes the threads that move, read and declare: the store's own, where something is to happen meanwhile */
    StoreFixture(SimulatedDisk disk, StoreSettings settings, Function<String, StoreThread> threads) throws IOException {
        this.disk = disk;
        this.stores = DurableStores.open(
                disk,
                settings,
                clock,
                Runnable::run,
                heard,
                failure -> {
                    throw new AssertionError(failure);
                },
                null,
                threads);
        this.messages = (DurableMessageStore) stores.messages();
    }

    /** A durable queue; declared if it is not there. */
    TestQueue queue(String name) {
        return queue(name, true);
    }

    TestQueue queue(String name, boolean durable) {
        stores.metadata()
                .submit(new Command.DeclareQueue(
                        "/", new QueueDefinition(name, durable, false, null, FieldTable.EMPTY)))
                .toCompletableFuture()
                .join();
        return opened(name);
    }

    TestQueue opened(String name) {
        return new TestQueue(messages, stores.metadata().current().vhost("/").queue(name));
    }

    boolean hasQueue(String name) {
        return stores.metadata().current().vhost("/").queue(name) != null;
    }

    /** Deletes a queue as a broker does: first from the topology, then what it holds. */
    void delete(TestQueue queue) {
        long id = stores.metadata().current().vhost("/").queue(queue.name).id();
        stores.metadata()
                .submit(new Command.DeleteQueue("/", queue.name, id))
                .toCompletableFuture()
                .join();
        queue.log.delete();
    }

    /** Runs what was handed in, and the copies that follow from it, until nothing follows. */
    void round() {
        boolean more = true;
        while (more) {
            more = messages.writer().round();
            messages.quiesce();
        }
    }

    /** The bodies of these messages, read from the disk. */
    void read(TestQueue queue, List<Long> offsets) {
        queue.log.read(offsets);
        messages.quiesce();
    }

    /** A clean stop. */
    void close() {
        messages.writer().stop();
        messages.writer().round();
        stores.close();
    }

    static boolean isPowerLoss(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof SimulatedDisk.PowerLost)) {
            cause = cause.getCause();
        }
        return cause != null;
    }
}
