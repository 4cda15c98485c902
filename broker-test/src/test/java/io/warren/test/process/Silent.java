package io.warren.test.process;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.impl.ForgivingExceptionHandler;

/** A client that expects its broker to die says nothing about it. */
public final class Silent extends ForgivingExceptionHandler {

    @Override
    protected void log(String message, Throwable broken) {
        // The broker was killed: what was in flight is what the harness is about.
    }

    @Override
    public void handleUnexpectedConnectionDriverException(Connection connection, Throwable broken) {
        // As above.
    }
}
