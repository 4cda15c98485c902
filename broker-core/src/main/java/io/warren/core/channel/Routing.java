package io.warren.core.channel;

import io.warren.core.message.Message;
import io.warren.core.queue.QueueRef;
import java.util.List;

/** Where a message goes now: a function of the topology and the message. */
@FunctionalInterface
public interface Routing {

    /** Each queue once; empty if it is unroutable. */
    List<QueueRef> route(Message message);
}
