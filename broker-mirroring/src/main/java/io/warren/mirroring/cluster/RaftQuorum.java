package io.warren.mirroring.cluster;

import io.warren.mirroring.node.Quorum;
import io.warren.mirroring.raft.RatisMetadataStore;
import io.warren.mirroring.ring.Member;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who decides, as Ratis has it. */
final class RaftQuorum implements Quorum {
    private static final Logger LOG = LoggerFactory.getLogger(RaftQuorum.class);

    private final RatisMetadataStore store;
    private final Elections elections;
    private final Duration patience;
    private final LongSupplier logIds;
    private volatile Set<String> lastVoters = Set.of();

    /**
     * The quorum behind a store.
     *
     * @param elections finds out who stands for election
     * @param patience how long this node waits for its vote to be taken, or another's
     * @param logIds numbers for new logs, drawn at random
     */
    RaftQuorum(RatisMetadataStore store, Elections elections, Duration patience, LongSupplier logIds) {
        this.store = store;
        this.elections = elections;
        this.patience = patience;
        this.logIds = logIds;
    }

    @Override
    public @Nullable String controller() {
        return store.controller();
    }

    @Override
    public Set<String> voters() {
        try {
            lastVoters = store.voters();
        } catch (IOException | RuntimeException unknown) {
            LOG.debug("who votes is not known just now", unknown);
        }
        return lastVoters;
    }

    /** The store asks by itself, until it has it. */
    @Override
    public void askForVote() {}

    @Override
    public void dropVote(String node) {
        try {
            store.dropVote(node, patience).join();
        } catch (CompletionException failed) {
            throw new IllegalStateException(
                    "node '" + node + "' still votes, for no majority answered: forget it again", failed);
        }
    }

    @Override
    public void onEnded(Member process) {
        elections.onDead(process.node());
    }

    @Override
    public void onControl(Runnable then) {
        store.subscribeController(leader -> {
            if (store.node().equals(leader)) {
                then.run();
            }
        });
    }

    @Override
    public CompletableFuture<Void> found() {
        return store.found(logIds.getAsLong()).thenApply(founded -> null);
    }

    @Override
    public void giveUpVote(Set<String> down) {
        store.stop(down, patience);
    }
}
