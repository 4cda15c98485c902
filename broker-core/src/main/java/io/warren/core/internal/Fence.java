package io.warren.core.internal;

import io.warren.core.message.Message;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.SettleVerb;
import java.util.ArrayDeque;
import java.util.List;

/**
 * A channel at the successor of a queue process: what it says waits until the process has heard, or passed on, all that the channel had said to it.
 *
 * <p>Owned by the channel's mailbox, but for permits, which have no order with the rest. Holds what one channel says in the meantime, which its credit
 * bounds.
 */
final class Fence implements AttachedQueue {
    private final AttachedQueue queue;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private boolean isOpen;

    Fence(AttachedQueue queue) {
        this.queue = queue;
    }

    void open() {
        isOpen = true;
        waiting.forEach(Runnable::run);
        waiting.clear();
    }

    private void say(Runnable word) {
        if (isOpen) {
            word.run();
        } else {
            waiting.add(word);
        }
    }

    @Override
    public void publish(long sequence, Message message) {
        say(() -> queue.publish(sequence, message));
    }

    @Override
    public void barrier(long sequence) {
        say(() -> queue.barrier(sequence));
    }

    @Override
    public void consume(Consumer consumer, int permits) {
        say(() -> queue.consume(consumer, permits));
    }

    @Override
    public void cancel(String consumerTag) {
        say(() -> queue.cancel(consumerTag));
    }

    @Override
    public void credit(String consumerTag, int deliveries) {
        say(() -> queue.credit(consumerTag, deliveries));
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
        say(() -> queue.get(acknowledges));
    }

    @Override
    public void settle(SettleVerb verb, int attachment, List<Long> offsets) {
        say(() -> queue.settle(verb, attachment, offsets));
    }

    @Override
    public void declare() {
        say(queue::declare);
    }

    @Override
    public void purge() {
        say(queue::purge);
    }

    @Override
    public void delete(boolean ifUnused, boolean ifEmpty) {
        say(() -> queue.delete(ifUnused, ifEmpty));
    }

    @Override
    public void close(Runnable done) {
        say(() -> queue.close(done));
    }
}
