package io.warren.amqp.session;

/** Brings an event to the connection's owner: from any thread, in the order they came, without blocking. */
public interface Inbox {

    void post(Runnable event);
}
