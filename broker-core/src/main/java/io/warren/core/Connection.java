package io.warren.core;

import io.warren.core.error.AmqpError;
import io.warren.core.internal.BrokerWiring;
import io.warren.core.internal.Callbacks;
import io.warren.core.spi.ChannelReceiver;
import io.warren.core.spi.ChannelSession;
import io.warren.core.spi.ClientOrigin;
import io.warren.core.spi.ConnectionReceiver;
import io.warren.core.spi.ConnectionSession;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connection of one user to one virtual host, within this JVM. Thread-safe. */
public final class Connection implements AutoCloseable {

    private final BrokerWiring wiring;
    private final Broker broker;
    private final OpenedAt openedAt = new OpenedAt();
    private final Waiting waiting;
    private final Answers answers = new Answers("connection");
    private final ConnectionSession session;
    private final Callbacks callbacks;
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();
    private final AtomicInteger channelCount = new AtomicInteger();
    private final List<Consumer<AmqpError>> closedListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<Boolean>> blockedListeners = new CopyOnWriteArrayList<>();

    Connection(Broker broker, BrokerWiring wiring, Waiting waiting, String name, String user, String vhost) {
        this.broker = broker;
        this.wiring = wiring;
        this.waiting = waiting;
        this.callbacks = wiring.callbacks(
                null, failure -> wiring.report("a listener of connection '" + name + "'", failure), () -> {});
        this.session = wiring.open(name, user, vhost, ClientOrigin.IN_VM, new Receiver());
    }

    /** Unique in the broker. */
    public String name() {
        return session.name();
    }

    public String user() {
        return session.user();
    }

    public String vhost() {
        return session.vhost();
    }

    /** Opens a channel whose callbacks run on the broker's threads. */
    public Channel openChannel() {
        return open(null);
    }

    /** Opens a channel whose callbacks run on an executor, one at a time and in order. */
    public Channel openChannel(Executor callbackExecutor) {
        return open(callbackExecutor);
    }

    private Channel open(@Nullable Executor executor) {
        answers.checkOpen();
        Channel channel = new Channel(this, executor, waiting);
        channels.add(channel);
        return channel;
    }

    ChannelSession openSession(ChannelReceiver receiver) {
        return session.openChannel(channelCount.incrementAndGet(), receiver);
    }

    Callbacks callbacks(@Nullable Executor executor, Consumer<Throwable> onFailure, Runnable onRejected) {
        return wiring.callbacks(executor, onFailure, onRejected);
    }

    void report(String where, Throwable failure) {
        wiring.report(where, failure);
    }

    void forget(Channel channel) {
        channels.remove(channel);
    }

    /** Where in the program it was opened, such as {@code OrdersTest.java:41}. */
    String openedAt() {
        return openedAt.toString();
    }

    public boolean isOpen() {
        return answers.isOpen();
    }

    /** Why the broker closed the connection, or null. */
    public @Nullable AmqpError closeReason() {
        return answers.closeReason();
    }

    /** Adds a listener for the connection being closed by the broker. */
    public void onClosed(Consumer<AmqpError> listener) {
        closedListeners.add(listener);
    }

    /** Adds a listener for publishers being held back by an alarm (true) and let go again (false). */
    public void onBlocked(Consumer<Boolean> listener) {
        blockedListeners.add(listener);
    }

    /** Closes the connection with its channels; its exclusive queues are gone when this returns. Idempotent. */
    @Override
    public void close() {
        waiting.on(closeAsync(), "closeAsync");
    }

    public CompletableFuture<Void> closeAsync() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        if (answers.close()) {
            broker.forget(this);
            CompletableFuture<?>[] open =
                    channels.stream().map(Channel::closeAsync).toArray(CompletableFuture<?>[]::new);
            var unused = CompletableFuture.allOf(open)
                    .whenComplete((done, failure) -> session.close(() -> closed.complete(null)));
        } else {
            closed.complete(null);
        }
        return closed;
    }

    private final class Receiver implements ConnectionReceiver {

        @Override
        public void onClosed(AmqpError reason) {
            broker.forget(Connection.this);
            answers.closed(reason);
            callbacks.post(() -> closedListeners.forEach(listener -> listener.accept(reason)));
        }

        @Override
        public void onBlocked(String reason) {
            callbacks.post(() -> blockedListeners.forEach(listener -> listener.accept(true)));
        }

        @Override
        public void onUnblocked() {
            callbacks.post(() -> blockedListeners.forEach(listener -> listener.accept(false)));
        }
    }
}
