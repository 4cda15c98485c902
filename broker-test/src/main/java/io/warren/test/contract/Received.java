package io.warren.test.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What one consumer has been sent and the test has not taken yet.
 *
 * <p>The adapter fills it from whatever thread its deliveries come on; the test takes from it, waiting at most
 * {@value #DEADLINE_SECONDS} seconds.
 */
public final class Received {
    /** Generous: it is reached only by a contract that fails. */
    static final int DEADLINE_SECONDS = 10;

    private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private volatile String consumerTag = "";

    /** For the adapter: the broker accepted the consumer under this tag. */
    public void onStarted(String tag) {
        consumerTag = tag;
    }

    /** For the adapter: a message was pushed. */
    public void onDelivery(Delivery delivery) {
        deliveries.add(delivery);
    }

    /** For the adapter: the broker, not the test, ended the consumer. */
    public void onCancelled() {
        cancelled.countDown();
    }

    /** The tag under which to cancel. */
    public String consumerTag() {
        return consumerTag;
    }

    /** Takes the next delivery, waiting for it. */
    public Delivery next() {
        Delivery delivery = poll();
        if (delivery == null) {
            throw new AssertionError("consumer '" + consumerTag + "' received nothing for " + DEADLINE_SECONDS + " s");
        }
        return delivery;
    }

    private @Nullable Delivery poll() {
        try {
            return deliveries.poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for a delivery", interrupted);
        }
    }

    /** Takes the next deliveries, waiting for each. */
    public List<Delivery> next(int count) {
        var taken = new ArrayList<Delivery>(count);
        while (taken.size() < count) {
            taken.add(next());
        }
        return taken;
    }

    /** The bodies of the next deliveries, waiting for each. */
    public List<String> nextTexts(int count) {
        return next(count).stream().map(Delivery::text).toList();
    }

    /** The bodies of what arrived and was not taken; ask only after a barrier, see the package. */
    public List<String> pending() {
        return deliveries.stream().map(Delivery::text).toList();
    }

    /** Waits until the broker has cancelled the consumer. */
    public void awaitCancelled() {
        try {
            if (!cancelled.await(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("consumer '" + consumerTag + "' was not cancelled by the broker");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for a cancel", interrupted);
        }
    }

    /** Whether the broker has cancelled the consumer. */
    public boolean isCancelled() {
        return cancelled.getCount() == 0;
    }
}
