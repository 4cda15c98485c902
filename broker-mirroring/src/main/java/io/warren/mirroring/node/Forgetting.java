package io.warren.mirroring.node;

import io.warren.core.metadata.Definitions;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.metadata.Result;
import io.warren.mirroring.topology.SharedTopology;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Takes nodes out of the cluster for good, and says beforehand what is lost with them. */
final class Forgetting {
    private final MetadataStore store;
    private final SharedTopology topology;
    private final Duration wait;
    private static final int TRIES = 10;

    /** A store may answer at once that it does not know. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** @param wait how long the metadata log may take to answer */
    Forgetting(MetadataStore store, SharedTopology topology, Duration wait) {
        this.store = store;
        this.topology = topology;
        this.wait = wait;
    }

    List<String> durableQueuesOf(String node) {
        return store.<List<String>>read(metadata -> DurableQueues.of(node, metadata));
    }

    /** Durable queues of a node as this one knows the topology, that another state of it does not have. */
    List<String> durableQueuesNotIn(String node, Definitions other) {
        return DurableQueues.missing(node, topology.current(), other);
    }

    void refuseLoss(String node, boolean losingQueues) {
        List<String> lost = durableQueuesOf(node);
        if (!losingQueues && !lost.isEmpty()) {
            throw new IllegalStateException("without node '" + node + "' its durable queues are lost: " + lost);
        }
    }

    void submit(String node) {
        Result result = Result.UNKNOWN;
        // Any command may be submitted twice, and one whose fate is unknown has to be.
        for (int tries = 0; result == Result.UNKNOWN && tries < TRIES; tries++) {
            result = submitted(node);
            if (result == Result.UNKNOWN) {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
        switch (result) {
            case APPLIED -> {}
            case REFUSED ->
                throw new IllegalStateException(
                        "node '" + node + "' was not forgotten: it runs, or a queue waits for what it holds");
            case UNKNOWN ->
                throw new IllegalStateException(
                        "it is not known whether node '" + node + "' was forgotten: no majority answered; try again");
        }
    }

    private Result submitted(String node) {
        CompletableFuture<Result> taken = new CompletableFuture<>();
        store.submit(new Command.Forget(node), taken::complete);
        try {
            return taken.get(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException failed) {
            throw new IllegalStateException("node '" + node + "' was not forgotten in " + wait, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while node '" + node + "' was forgotten", interrupted);
        }
    }
}
