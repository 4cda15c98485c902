package io.warren.core.queue;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The consumers of a queue: who is admitted, who is active, and whose turn it is.
 *
 * <p>With single active consumer the first that came is active until it leaves; then the next by priority and arrival.
 */
final class Consumers {

    private final boolean singleActive;
    private final Set<QueueConsumer> all = new LinkedHashSet<>();
    private final Set<QueueConsumer> waitingForPermit = new LinkedHashSet<>();
    private final ReadyConsumers ready = new ReadyConsumers();

    Consumers(boolean singleActive) {
        this.singleActive = singleActive;
    }

    int count() {
        return all.size();
    }

    /** Whether it may join: an exclusive consumer is alone. */
    boolean admits(QueueConsumer consumer) {
        if (consumer.isExclusive()) {
            return all.isEmpty() && !singleActive;
        }
        return all.isEmpty() || !all.iterator().next().isExclusive();
    }

    void add(QueueConsumer consumer) {
        all.add(consumer);
        consumer.active = !singleActive || all.size() == 1;
        offer(consumer);
    }

    /** False if it was not there. */
    boolean remove(QueueConsumer consumer) {
        if (!all.remove(consumer)) {
            return false;
        }
        deactivate(consumer);
        activateNext();
        return true;
    }

    /** Removes all of a channel; false if it had none. */
    boolean removeAll(ChannelRef channel) {
        boolean removed = false;
        Iterator<QueueConsumer> each = all.iterator();
        while (each.hasNext()) {
            QueueConsumer consumer = each.next();
            if (consumer.channel() == channel) {
                each.remove();
                deactivate(consumer);
                removed = true;
            }
        }
        activateNext();
        return removed;
    }

    void clear() {
        all.forEach(this::deactivate);
        all.clear();
    }

    void forEach(Consumer<QueueConsumer> action) {
        all.forEach(action);
    }

    private void deactivate(QueueConsumer consumer) {
        consumer.active = false;
        ready.remove(consumer);
        waitingForPermit.remove(consumer);
    }

    private void activateNext() {
        if (!singleActive || all.stream().anyMatch(consumer -> consumer.active)) {
            return;
        }
        QueueConsumer next = null;
        for (QueueConsumer consumer : all) {
            if (next == null || consumer.priority() > next.priority()) {
                next = consumer;
            }
        }
        if (next != null) {
            next.active = true;
            offer(next);
        }
    }

    /** Whether somebody waits for a message; it may turn out to have no room or no permit after all. */
    boolean isAnyInTurn() {
        return !ready.isEmpty();
    }

    /** It takes its place in the turn if it has room. */
    void offer(QueueConsumer consumer) {
        if (consumer.hasRoom() && !consumer.waitsForPermit) {
            ready.add(consumer);
        }
    }

    /** A consumer taken with {@link #next} was not served: its permit goes back, its turn stays. */
    void putBack(QueueConsumer consumer) {
        if (consumer.acknowledges()) {
            consumer.channel().returnPermit();
        }
        ready.addFirst(consumer);
    }

    /** The consumer whose turn it is, with its channel's permit taken if it acknowledges; null if none can be served. */
    @Nullable QueueConsumer next() {
        for (QueueConsumer consumer = ready.poll(); consumer != null; consumer = ready.poll()) {
            if (!consumer.hasRoom()) {
                continue;
            }
            ChannelRef channel = consumer.channel();
            if (consumer.acknowledges() ? channel.takePermit() : channel.hasPermit()) {
                return consumer;
            }
            consumer.waitsForPermit = true;
            waitingForPermit.add(consumer);
        }
        return null;
    }

    /** The channel has permits again. */
    void permitted(ChannelRef channel) {
        Iterator<QueueConsumer> each = waitingForPermit.iterator();
        while (each.hasNext()) {
            QueueConsumer consumer = each.next();
            if (consumer.channel() == channel) {
                each.remove();
                consumer.waitsForPermit = false;
                offer(consumer);
            }
        }
    }
}
