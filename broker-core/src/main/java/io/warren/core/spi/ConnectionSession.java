package io.warren.core.spi;

/** A connection for whoever speaks for a client. Thread-safe. */
public interface ConnectionSession {

    /** Unique in the broker; exclusive queues belong to it. */
    String name();

    String user();

    String vhost();

    /**
     * Opens a channel; on a closed connection it is closed from the start and its methods do nothing.
     *
     * @param number what the client calls it
     */
    ChannelSession openChannel(int number, ChannelReceiver receiver);

    /** Closes the connection; the answer comes when queues have back what its channels held and its own are deleted. */
    void close(Runnable answer);
}
