package io.warren.test.contract;

/** One connection to a broker. */
public interface Client extends AutoCloseable {

    /** A new channel. */
    ClientChannel openChannel();

    /** Whether the connection is open. */
    boolean isOpen();

    /** Waits until the broker has closed the connection and says why. */
    Closure awaitClosed();

    /** Waits until the broker has said that it takes nothing from publishers. */
    void awaitBlocked();

    /** Waits until the broker has said that it takes messages again. */
    void awaitUnblocked();

    /** Closes the connection with its channels; nothing happens when it is closed already. */
    @Override
    void close();
}
