package io.warren.core.internal;

import io.warren.core.metadata.Command;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Outcome;
import io.warren.core.spi.MetadataStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The topology of one broker in memory: commands are applied by a mailbox, one after the other. */
final class LocalMetadataStore implements MetadataStore {

    private final Mailbox mailbox;
    private final List<Consumer<Outcome>> listeners = new CopyOnWriteArrayList<>();
    private volatile Definitions current = Definitions.initial();

    LocalMetadataStore(MailboxRunner runner, Consumer<Throwable> onFailure) {
        this.mailbox = new Mailbox(runner, onFailure);
    }

    @Override
    public Definitions current() {
        return current;
    }

    @Override
    public CompletionStage<Outcome> submit(Command command) {
        CompletableFuture<Outcome> applied = new CompletableFuture<>();
        mailbox.post(() -> apply(command, applied));
        return applied;
    }

    private void apply(Command command, CompletableFuture<Outcome> applied) {
        try {
            Outcome outcome = current.apply(command);
            current = outcome.definitions();
            listeners.forEach(listener -> listener.accept(outcome));
            applied.complete(outcome);
        } catch (RuntimeException failure) {
            applied.completeExceptionally(failure);
            throw failure;
        }
    }

    @Override
    public void subscribe(Consumer<Outcome> listener) {
        listeners.add(listener);
    }

    @Override
    public void close() {
        listeners.clear();
    }
}
