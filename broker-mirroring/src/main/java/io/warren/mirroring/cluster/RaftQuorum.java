package io.warren.mirroring.cluster;

import io.warren.mirroring.node.LinkedPeers.Report;
import io.warren.mirroring.node.Quorum;
import io.warren.mirroring.raft.LogPosition;
import io.warren.mirroring.raft.RatisMetadataStore;
import io.warren.mirroring.ring.Member;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who decides, as Ratis has it. Remembers how far the others' copies of the log are, for the election after a death. */
final class RaftQuorum implements Quorum {
    private static final Logger LOG = LoggerFactory.getLogger(RaftQuorum.class);

    private final RatisMetadataStore store;
    private final Duration patience;
    private final Executor later;
    private final LongSupplier logIds;
    private final Map<String, Report> reports = new ConcurrentHashMap<>();
    private volatile Set<String> lastVoters = Set.of();

    /**
     * The quorum behind a store.
     *
     * @param patience how long this node waits for its vote to be taken, or another's
     * @param later runs what may wait
     * @param logIds numbers for new logs, drawn at random
     */
    RaftQuorum(RatisMetadataStore store, Duration patience, Executor later, LongSupplier logIds) {
        this.store = store;
        this.patience = patience;
        this.later = later;
        this.logIds = logIds;
    }

    void onReport(String node, Report report) {
        reports.put(node, report);
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
        later.execute(() -> {
            String leader = store.controller();
            if (leader != null && process.node().equals(leader) && isFirstAfter(leader)) {
                LOG.info("the leader of the metadata log, {}, is dead: this node stands for election", process);
                store.electAfterDeathOf(leader);
            }
        });
    }

    /** Whether this node's copy is the longest of the voters that are left, or of several the first by name. */
    private boolean isFirstAfter(String dead) {
        LogPosition own;
        try {
            own = store.position();
        } catch (IOException unknown) {
            LOG.debug("the end of this node's metadata log is not known", unknown);
            return false;
        }
        Set<String> voters = voters();
        return voters.contains(store.node())
                && voters.stream()
                        .filter(voter -> !voter.equals(dead) && !voter.equals(store.node()))
                        .noneMatch(voter -> isAhead(voter, own));
    }

    private boolean isAhead(String voter, LogPosition own) {
        Report report = reports.get(voter);
        if (report == null) {
            return false;
        }
        int order = new LogPosition(report.term(), report.index()).compareTo(own);
        return order > 0 || (order == 0 && voter.compareTo(store.node()) < 0);
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
