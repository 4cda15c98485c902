package io.warren.core.spi;

import io.warren.core.metadata.Queue;

/** Where queues keep what must outlive them: in memory nothing does, on disk confirmed persistent messages do. */
public interface MessageStore extends AutoCloseable {

    /** The log of one queue. */
    QueueLog openLog(String vhost, Queue queue, QueueLogListener listener);

    /** Whether an earlier run left messages of a queue whose log has not been opened yet. */
    default boolean keeps(Queue queue) {
        return false;
    }

    @Override
    void close();
}
