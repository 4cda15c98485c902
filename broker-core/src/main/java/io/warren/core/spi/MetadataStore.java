package io.warren.core.spi;

import io.warren.core.metadata.Command;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Outcome;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Keeps the topology and puts commands into one order: in memory, in a file, or in a cluster's log. */
public interface MetadataStore extends AutoCloseable {

    /** The topology as this broker knows it; read without a lock, whole commands only. */
    Definitions current();

    /**
     * Hands in a command. Completes, on any thread, when this broker has applied it and every subscriber was told; a
     * refusal is in the outcome. Completes exceptionally if it cannot be known whether it was applied: with a
     * {@link java.util.concurrent.TimeoutException} whose message says whom it waited for, if it was that.
     */
    CompletionStage<Outcome> submit(Command command);

    /**
     * Calls the listener for every command applied from now on, one at a time and in order; before that once, with the
     * declarations of the queues that are there already.
     */
    void subscribe(Consumer<Outcome> listener);

    @Override
    void close();
}
