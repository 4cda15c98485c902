package io.warren.core;

import io.warren.core.metadata.Command;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Outcome;
import io.warren.core.spi.MetadataStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A topology that answers when the test says so, as a cluster's would after a round trip. */
final class LateMetadataStore implements MetadataStore {

    private record Submitted(Command command, CompletableFuture<Outcome> answer) {}

    private final Queue<Submitted> submitted = new ArrayDeque<>();
    private final List<Consumer<Outcome>> listeners = new ArrayList<>();
    private volatile Definitions current = Definitions.initial();
    private boolean late;

    /** From now on answers wait for {@link #answerNext}. */
    void beLate() {
        late = true;
    }

    /** Answers all that waits, and at once from now on. */
    void beOnTime() {
        late = false;
        while (!submitted.isEmpty()) {
            answerNext();
        }
    }

    @Override
    public Definitions current() {
        return current;
    }

    @Override
    public CompletionStage<Outcome> submit(Command command) {
        Submitted one = new Submitted(command, new CompletableFuture<>());
        submitted.add(one);
        if (!late) {
            answerNext();
        }
        return one.answer;
    }

    int waiting() {
        return submitted.size();
    }

    void answerNext() {
        Submitted next = submitted.remove();
        Outcome outcome = current.apply(next.command);
        current = outcome.definitions();
        listeners.forEach(listener -> listener.accept(outcome));
        next.answer.complete(outcome);
    }

    void failNext(Exception failure) {
        submitted.remove().answer.completeExceptionally(failure);
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
