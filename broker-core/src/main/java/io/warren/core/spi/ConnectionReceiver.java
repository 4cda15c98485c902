package io.warren.core.spi;

import io.warren.core.error.AmqpError;

/** What a connection tells its client without being asked; on any thread, and it must not block. */
public interface ConnectionReceiver {

    /** The broker closed the connection with all its channels. */
    void onClosed(AmqpError reason);

    /** An alarm holds publishers back. */
    void onBlocked(String reason);

    /** No alarm holds publishers back any more. */
    void onUnblocked();
}
