package io.warren.core.metadata;

/** What a command changed that a running broker must act on. */
public sealed interface Change {

    /** A queue is there that was not. */
    record QueueDeclared(String vhost, Queue queue) implements Change {}

    /** A queue is gone. */
    record QueueDeleted(String vhost, Queue queue) implements Change {}

    /** Other settings apply to a queue. */
    record QueueSettingsChanged(String vhost, Queue queue) implements Change {}

    /** A queue lives at another node now, the one its definition names; it is the same queue, and what it holds is there. */
    record QueueMoved(String vhost, Queue queue) implements Change {}

    /** An exchange is gone. */
    record ExchangeDeleted(String vhost, String exchange) implements Change {}

    /** A virtual host is gone with everything in it; its queues are reported one by one before it. */
    record VhostDeleted(String vhost) implements Change {}

    /** A user is gone. */
    record UserDeleted(String user) implements Change {}
}
