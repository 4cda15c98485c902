package io.warren.mirroring.raft;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node asks the leader to change of the votes: its own given up, another's taken away, who leads. Each step happens on the store's
 * voting thread, and is tried again until a leader has it so or the time is over.
 */
final class VoteChanges implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VoteChanges.class);
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final RaftSettings settings;
    private final StoreThreads threads;
    private final RaftEngine engine;
    private final Neighbours neighbours;
    private final Supplier<@Nullable FollowedLog> followed;
    private final Runnable onGivingUp;
    private volatile boolean closed;
    private boolean transferred;

    /**
     * Nothing is changed yet.
     *
     * @param followed the log this node follows; asked on the voting thread
     * @param onGivingUp run there before each attempt to give up this node's vote: nobody is to ask for it back
     */
    VoteChanges(
            RaftSettings settings,
            StoreThreads threads,
            RaftEngine engine,
            Neighbours neighbours,
            Supplier<@Nullable FollowedLog> followed,
            Runnable onGivingUp) {
        this.settings = settings;
        this.threads = threads;
        this.engine = engine;
        this.neighbours = neighbours;
        this.followed = followed;
        this.onGivingUp = onGivingUp;
    }

    CompletableFuture<Void> transfer(String node, Duration timeout) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        Standing leader = leaderNow();
                        if (leader == null) {
                            throw new IOException("nobody leads the metadata log");
                        }
                        engine.transfer(leader, node, timeout.toMillis());
                    } catch (IOException failed) {
                        throw new CompletionException(failed);
                    }
                },
                threads.calls());
    }

    /** Gives up this node's vote; returns whether it has none, or is the last to have one. */
    boolean giveUpVote(Set<String> down, Duration timeout) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        threads.vote(() -> giveUpStep(down, done));
        try {
            return done.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException late) {
            done.complete(false);
            LOG.warn(
                    "{}: metadata log: this node keeps its vote, for nobody took it within {}",
                    settings.node(),
                    timeout);
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            done.complete(false);
            return false;
        }
    }

    private void giveUpStep(Set<String> down, CompletableFuture<Boolean> done) {
        if (done.isDone()) {
            return;
        }
        onGivingUp.run();
        try {
            Standing leader = leaderNow();
            if (leader == null && isInVain()) {
                LOG.warn(
                        "{}: metadata log: this node keeps its vote, for the processes of half of the voters have ended",
                        settings.node());
                done.complete(false);
                return;
            }
            if (leader != null && giveUp(leader, down)) {
                done.complete(true);
                return;
            }
        } catch (IOException | RuntimeException failed) {
            LOG.debug("{}: metadata log: the vote is not given up yet", settings.node(), failed);
        }
        threads.voteLater(() -> giveUpStep(down, done), STEP_NS);
    }

    /** Nobody can come to lead: there is nothing to wait for. */
    private boolean isInVain() throws IOException {
        FollowedLog now = followed.get();
        return now != null && neighbours.areHalfGone(engine.voters(now.logId()).values());
    }

    private boolean giveUp(Standing leader, Set<String> down) throws IOException {
        Set<String> remaining = new TreeSet<>(leader.voters().keySet());
        boolean voted = remaining.remove(settings.node());
        if (!voted || remaining.isEmpty()) {
            return true;
        }
        remaining.removeAll(down);
        if (remaining.isEmpty()) {
            // Whoever else votes is down: this is the last to serve, and has to stay a voter.
            engine.setVoters(leader, Set.of(settings.node()));
            return true;
        }
        if (leader.node().equals(settings.node()) && !transferred) {
            // A leader that leaves is waited for; one that was asked to hand over is not. Once, for the other may not
            // answer.
            transferred = true;
            engine.transfer(
                    leader, remaining.iterator().next(), settings.patience().toMillis());
            return false;
        }
        engine.setVoters(leader, remaining);
        return true;
    }

    /** A node that is gone for good does not vote any more; tried until a leader says so, or the time is over. */
    CompletableFuture<Void> dropVote(String node, Duration timeout) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        threads.vote(() -> dropStep(node, done));
        return done.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void dropStep(String node, CompletableFuture<Void> done) {
        if (done.isDone() || closed) {
            return;
        }
        try {
            Standing leader = leaderNow();
            if (leader != null) {
                Set<String> remaining = new TreeSet<>(leader.voters().keySet());
                if (remaining.remove(node)) {
                    engine.setVoters(leader, remaining);
                }
                done.complete(null);
                return;
            }
        } catch (IOException | RuntimeException failed) {
            LOG.debug("{}: metadata log: {} still votes", settings.node(), node, failed);
        }
        threads.voteLater(() -> dropStep(node, done), STEP_NS);
    }

    private @Nullable Standing leaderNow() throws IOException {
        FollowedLog now = followed.get();
        if (now == null) {
            return null;
        }
        Set<String> addresses = new TreeSet<>(Set.of(engine.address()));
        boolean isAlone = engine.holds(now.logId())
                && engine.leads(now.logId())
                && engine.voters(now.logId()).keySet().equals(Set.of(settings.node()));
        if (!isAlone) {
            addresses.addAll(now.addresses());
        }
        return neighbours.leader(now.logId(), addresses);
    }

    @Override
    public void close() {
        closed = true;
    }
}
