package io.warren.mirroring.node;

import io.warren.core.metadata.Queue;
import io.warren.core.metadata.VirtualHost;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.metadata.Result;
import io.warren.mirroring.topology.SharedTopology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
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
        List<String> queues = new ArrayList<>();
        for (VirtualHost vhost : topology.current().vhosts().values()) {
            for (Queue queue : vhost.queues().values()) {
                if (node.equals(queue.definition().home()) && queue.definition().durable()) {
                    queues.add(vhost.name() + "/" + queue.name());
                }
            }
        }
        Collections.sort(queues);
        return queues;
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
