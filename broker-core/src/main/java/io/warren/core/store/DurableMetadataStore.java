package io.warren.core.store;

import io.warren.core.metadata.Command;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Outcome;
import io.warren.core.spi.MetadataStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topology of one broker in a file: a command takes effect when it is on the disk. Commands that came while the last
 * ones were forced share the next force.
 *
 * <p>Commands about what a restart ends anyway are written and not forced, so that the log can be read in one order.
 */
final class DurableMetadataStore implements MetadataStore {

    private static final Logger LOG = LoggerFactory.getLogger("io.warren.core.store");

    /** Commands that share a force. */
    private static final int GROUP_MAX = 1_000;

    private record Submitted(Command command, CompletableFuture<Outcome> answer) {}

    /** One that is decided and not on disk yet. */
    private record Decided(Outcome outcome, CompletableFuture<Outcome> answer) {}

    private final StoreThread thread;
    private final TopologyLog log;
    private final BlockingQueue<Submitted> submitted = new LinkedBlockingQueue<>();
    private final List<Consumer<Outcome>> listeners = new CopyOnWriteArrayList<>();
    private final Consumer<Throwable> onFailure;
    private volatile Definitions current;
    private volatile @Nullable IOException failure;
    private volatile boolean closed;

    /**
     * @param log what was read, and where commands are written
     * @param onFailure told of what a subscriber threw
     */
    DurableMetadataStore(TopologyLog log, StoreThread thread, Consumer<Throwable> onFailure) {
        this.log = log;
        this.thread = thread;
        this.onFailure = onFailure;
        this.current = log.recovered();
    }

    @Override
    public Definitions current() {
        return current;
    }

    @Override
    public CompletionStage<Outcome> submit(Command command) {
        CompletableFuture<Outcome> answer = new CompletableFuture<>();
        if (closed) {
            answer.completeExceptionally(new IllegalStateException("the topology is closed"));
            return answer;
        }
        submitted.add(new Submitted(command, answer));
        thread.execute(this::round);
        return answer;
    }

    private void round() {
        List<Submitted> group = new ArrayList<>();
        submitted.drainTo(group, GROUP_MAX);
        if (group.isEmpty()) {
            return;
        }
        IOException broken = failure;
        if (broken != null) {
            refuse(group, broken);
            return;
        }
        try {
            decide(group).forEach(this::apply);
            log.compactIfLong(current);
        } catch (TopologyLog.NotWrittenException full) {
            LOG.warn("changes of the topology are refused: {}", full.getMessage(), full);
            refuse(group, full);
        } catch (IOException failed) {
            LOG.error("the topology cannot be written any more: changes of it are refused", failed);
            failure = failed;
            refuse(group, failed);
        } catch (RuntimeException | Error mistake) {
            // None of it was written, and none of it may be written with the next group.
            log.discard();
            refuse(group, mistake);
            onFailure.accept(mistake);
        }
    }

    private static void refuse(List<Submitted> group, Throwable why) {
        group.forEach(one -> one.answer.completeExceptionally(why));
    }

    /** Decides all of a group and writes it; nobody sees any of it before. */
    private List<Decided> decide(List<Submitted> group) throws IOException {
        List<Decided> decided = new ArrayList<>();
        Definitions working = current;
        boolean force = false;
        for (Submitted one : group) {
            Outcome outcome = working.apply(one.command);
            if (outcome.refusal() == null && !Durability.isUnchanged(working, outcome.definitions())) {
                log.add(working.nextQueueId(), one.command);
                force |= Durability.outlivesRestart(working, one.command);
            }
            working = outcome.definitions();
            decided.add(new Decided(outcome, one.answer));
        }
        log.write(force);
        return decided;
    }

    private void apply(Decided decided) {
        current = decided.outcome.definitions();
        try {
            listeners.forEach(listener -> listener.accept(decided.outcome));
            decided.answer.complete(decided.outcome);
        } catch (RuntimeException broken) {
            decided.answer.completeExceptionally(broken);
            onFailure.accept(broken);
        }
    }

    @Override
    public void subscribe(Consumer<Outcome> listener) {
        listeners.add(listener);
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.call(() -> {
                if (failure == null) {
                    log.close();
                } else {
                    log.abandon();
                }
                return true;
            });
            thread.end(30);
        } catch (IOException notClosed) {
            LOG.warn("the topology's log was not closed", notClosed);
        }
        listeners.clear();
    }
}
