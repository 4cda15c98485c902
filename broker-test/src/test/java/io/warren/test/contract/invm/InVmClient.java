package io.warren.test.contract.invm;

import io.warren.core.Connection;
import io.warren.test.contract.Client;
import io.warren.test.contract.ClientChannel;
import io.warren.test.contract.Closure;
import java.util.concurrent.CompletableFuture;

/** A connection within this JVM. */
final class InVmClient implements Client {

    private final Connection connection;
    private final Runnable links;
    private final CompletableFuture<Closure> closed = new CompletableFuture<>();
    private final CompletableFuture<Boolean> blocked = new CompletableFuture<>();
    private final CompletableFuture<Boolean> unblocked = new CompletableFuture<>();

    /** @param links waits until everything that nodes say to each other has come */
    InVmClient(Connection connection, Runnable links) {
        this.connection = connection;
        this.links = links;
        connection.onClosed(reason -> closed.complete(Closures.of(reason)));
        connection.onBlocked(held -> (held ? blocked : unblocked).complete(true));
    }

    @Override
    public ClientChannel openChannel() {
        // Callbacks run where the broker runs, so that what came before an answer is recorded before it.
        return new InVmChannel(connection.openChannel(Runnable::run), links);
    }

    @Override
    public boolean isOpen() {
        return connection.isOpen();
    }

    @Override
    public Closure awaitClosed() {
        return Closures.await(closed, "the broker closes the connection");
    }

    @Override
    public void awaitBlocked() {
        Closures.await(blocked, "the connection is blocked");
    }

    @Override
    public void awaitUnblocked() {
        Closures.await(unblocked, "the connection is unblocked");
    }

    @Override
    public void close() {
        connection.close();
    }
}
