package io.warren.core.spi;

/** Where queues keep what must outlive them: in memory nothing does, on disk confirmed persistent messages do. */
public interface MessageStore extends AutoCloseable {

    /** The log of one queue; {@code onSafe} is run, posted to the queue's mailbox, when its safe offset has grown. */
    QueueLog openLog(String vhost, String queue, boolean durable, Runnable onSafe);

    @Override
    void close();
}
