package io.warren.test.contract.rabbitmq;

import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import io.warren.test.contract.Client;
import io.warren.test.contract.ClientChannel;
import io.warren.test.contract.ClosedException;
import io.warren.test.contract.Closure;
import io.warren.test.contract.Login;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A connection of the Java client. */
public final class RabbitClient implements Client {
    private final Connection connection;
    private final Login login;
    private final DeclarationListener declarations;
    private final CompletableFuture<Closure> closed = new CompletableFuture<>();
    private final Semaphore blocked = new Semaphore(0);
    private final Semaphore unblocked = new Semaphore(0);

    private RabbitClient(Connection connection, Login login, DeclarationListener declarations) {
        this.connection = connection;
        this.login = login;
        this.declarations = declarations;
        connection.addBlockedListener(reason -> blocked.release(), unblocked::release);
        connection.addShutdownListener(signal -> closed.complete(Closures.of(signal)));
    }

    /** Connects with a factory's settings under a login. */
    public static RabbitClient connect(ConnectionFactory template, Login login, DeclarationListener declarations) {
        ConnectionFactory factory = template.clone();
        factory.setVirtualHost(login.vhost());
        factory.setUsername(login.user());
        factory.setPassword(login.password());
        try {
            return new RabbitClient(factory.newConnection(), login, declarations);
        } catch (AuthenticationFailureException refused) {
            // The library keeps the text only.
            throw new ClosedException(Closure.connection(403, refused.getMessage()), refused);
        } catch (IOException refused) {
            throw Closures.rethrow(refused);
        } catch (TimeoutException late) {
            throw new UncheckedIOException(new IOException(late));
        }
    }

    @Override
    public ClientChannel openChannel() {
        try {
            return new RabbitChannel(connection.createChannel(), login, declarations);
        } catch (IOException failed) {
            throw Closures.rethrow(failed);
        } catch (ShutdownSignalException failed) {
            throw new ClosedException(Closures.of(failed), failed);
        }
    }

    @Override
    public boolean isOpen() {
        return connection.isOpen();
    }

    @Override
    public Closure awaitClosed() {
        return Closures.await(closed);
    }

    @Override
    public void awaitBlocked() {
        acquire(blocked, "blocked");
    }

    @Override
    public void awaitUnblocked() {
        acquire(unblocked, "unblocked");
    }

    private static void acquire(Semaphore notification, String what) {
        try {
            if (!notification.tryAcquire(Closures.DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("connection was not " + what);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    @Override
    public void close() {
        connection.abort(Closures.DEADLINE_SECONDS * 1000);
    }
}
