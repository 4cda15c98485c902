package io.warren.core;

/** What a consumer does with a message. */
@FunctionalInterface
public interface DeliveryHandler {

    /**
     * Called for one message at a time, in order, by the channel's executor.
     *
     * @throws Exception closes the channel: what it had not acknowledged goes back to its queues
     */
    void onDelivery(Delivery delivery) throws Exception;
}
