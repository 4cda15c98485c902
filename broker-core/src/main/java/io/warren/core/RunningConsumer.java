package io.warren.core;

import io.warren.core.spi.ChannelSession;

/** A consumer's handler, and the credit it owes the broker for what it has handled. Used by the channel's callbacks. */
final class RunningConsumer {

    /** Credit is given back in steps: a small part of what a consumer's side may hold, and rarely enough to be cheap. */
    private static final int CREDIT_STEP = 128;

    private final ChannelSession session;
    private final String tag;
    private final DeliveryHandler handler;
    private int handled;

    RunningConsumer(ChannelSession session, String tag, DeliveryHandler handler) {
        this.session = session;
        this.tag = tag;
        this.handler = handler;
    }

    void handle(Delivery delivery) throws Exception {
        if (++handled == CREDIT_STEP) {
            handled = 0;
            session.credit(tag, CREDIT_STEP);
        }
        handler.onDelivery(delivery);
    }
}
