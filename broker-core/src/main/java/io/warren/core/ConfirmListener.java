package io.warren.core;

/** Told of confirms, in the order they come; on the channel's executor. */
@FunctionalInterface
public interface ConfirmListener {

    /**
     * A publish was answered.
     *
     * @param sequence number of the publish on its channel, from 1
     * @param confirmed false if a queue refused it (basic.nack)
     */
    void onConfirm(long sequence, boolean confirmed);
}
