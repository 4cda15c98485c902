package io.warren.test.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Confirms and returns of one channel in the order in which they came.
 *
 * <p>One that stands for several publishes ("multiple") is recorded as one event for each, so that contracts need not know how a broker
 * groups them. The adapter fills it from any thread.
 */
public final class PublisherEvents {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<PublisherEvent> events = new ArrayList<>();
    private final TreeSet<Long> unconfirmed = new TreeSet<>();
    private long published;

    /** For the adapter: in confirm mode, called before each publish. */
    public void onPublish() {
        lock.lock();
        try {
            unconfirmed.add(++published);
        } finally {
            lock.unlock();
        }
    }

    /** For the adapter: positive confirm. */
    public void onAck(long number, boolean multiple) {
        settle(number, multiple, PublisherEvent.Ack::new);
    }

    /** For the adapter: negative confirm. */
    public void onNack(long number, boolean multiple) {
        settle(number, multiple, PublisherEvent.Nack::new);
    }

    /** For the adapter: a mandatory message came back. */
    public void onReturn(PublisherEvent.Return returned) {
        lock.lock();
        try {
            events.add(returned);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void settle(long number, boolean multiple, LongFunction<PublisherEvent> event) {
        lock.lock();
        try {
            if (multiple) {
                var settled = unconfirmed.headSet(number, true);
                settled.forEach(each -> events.add(event.apply(each)));
                settled.clear();
            } else {
                // A number confirmed twice is recorded twice, so that a contract sees it.
                unconfirmed.remove(number);
                events.add(event.apply(number));
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until every publish is confirmed, then gives all events. */
    public List<PublisherEvent> awaitConfirms() {
        return await(unconfirmed::isEmpty, () -> "unconfirmed: " + unconfirmed);
    }

    /** Waits until so many events have come, then gives all of them. */
    public List<PublisherEvent> await(int count) {
        return await(() -> events.size() >= count, () -> "fewer than " + count + " events");
    }

    private List<PublisherEvent> await(BooleanSupplier condition, Supplier<String> otherwise) {
        lock.lock();
        try {
            long leftNs = TimeUnit.SECONDS.toNanos(Received.DEADLINE_SECONDS);
            while (!condition.getAsBoolean()) {
                if (leftNs <= 0) {
                    throw new AssertionError(otherwise.get() + "; so far " + events);
                }
                leftNs = changed.awaitNanos(leftNs);
            }
            return List.copyOf(events);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for confirms", interrupted);
        } finally {
            lock.unlock();
        }
    }

    /** What has come so far; to assert that nothing came, ask only after a barrier, see the package. */
    public List<PublisherEvent> soFar() {
        lock.lock();
        try {
            return List.copyOf(events);
        } finally {
            lock.unlock();
        }
    }
}
