package io.warren.mirroring.raft;

import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.MetadataState;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that this node votes in the log it follows.
 *
 * <p>Everything happens on the store's voting thread, one step after the other, and a step that does not get there is tried again
 * until it does or the store closes: a vote waits for a leader, a leader for a majority, and how long that takes is for
 * who asked to judge.
 *
 * <p>Wiping a copy that still counts would break what consensus rests on. A copy is wiped only when a leader has said that this
 * node votes neither now nor before or after a change that is under way: then the change that removed it is committed.
 */
final class Membership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    /** No log has this number: groups are numbered by {@link RaftEngine}, logs at random. */
    private static final long NO_LOG = 0;

    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final RaftSettings settings;
    private final StoreThreads threads;
    private final RaftEngine engine;
    private final Replicas replicas;
    private final Neighbours neighbours;
    private final Founding founding;
    private volatile CompletableFuture<Void> voting = new CompletableFuture<>();
    private volatile boolean closed;
    /** Of the voting thread from here on: what the directory says. */
    private @Nullable FollowedLog followed;
    /** Addresses given by whoever started or moved this node, until it is in a log. */
    private Collection<String> seeds = List.of();
    /** Whether this node's copy was begun empty and has not got a vote since. */
    private boolean fresh;

    /** Whether a vote was asked for since. */
    private boolean asked;

    private boolean stepping;
    private boolean transferred;
    private String lastTold = "";

    Membership(RaftSettings settings, StoreThreads threads, RaftEngine engine, Replicas replicas) {
        this.settings = settings;
        this.threads = threads;
        this.engine = engine;
        this.replicas = replicas;
        neighbours = new Neighbours(settings, engine, threads.calls());
        founding = new Founding(settings, engine);
    }

    CompletableFuture<Void> voting() {
        return voting;
    }

    // -------------------------------------------------------------------------------------------------- beginnings

    void form(long logId) throws IOException {
        replicas.follow(logId);
        engine.start();
        engine.open(logId, Map.of(settings.node(), engine.address()));
        write(new FollowedLog(logId, false, List.of()));
        stepSoon();
    }

    void join(Collection<String> addresses) throws IOException {
        seeds = List.copyOf(addresses);
        // Until a leader is met nobody knows which log it will be.
        replicas.follow(NO_LOG);
        engine.start();
        stepSoon();
    }

    void restart(FollowedLog before) throws IOException {
        followed = before;
        replicas.follow(before.logId());
        engine.start();
        if (!engine.holds(before.logId())) {
            if (!before.joining()) {
                throw new IOException("nothing is left of this node's copy of the metadata log in directory="
                        + settings.directory() + ": let the others forget " + settings.node()
                        + ", and let it join as new");
            }
            openEmpty(before.logId(), before.addresses());
        }
        stepSoon();
    }

    private void write(FollowedLog next) throws IOException {
        if (!next.equals(followed)) {
            next.write(settings.directory());
            followed = next;
        }
    }

    private void openEmpty(long logId, Collection<String> addresses) throws IOException {
        write(new FollowedLog(logId, true, List.copyOf(addresses)));
        engine.open(logId, Map.of());
        fresh = true;
        asked = false;
    }

    // -------------------------------------------------------------------------------------------------------- steps

    private void stepSoon() {
        threads.vote(() -> {
            if (!stepping) {
                stepping = true;
                step();
            }
        });
    }

    private void step() {
        boolean done = false;
        try {
            done = closed || isVoting() || ask();
        } catch (IOException | RuntimeException failed) {
            LOG.debug("{}: metadata log: not voting yet", settings.node(), failed);
            tellOnce("not voting yet: " + failed);
        }
        stepping = !done;
        if (!done) {
            threads.voteLater(this::step, STEP_NS);
        } else if (!closed) {
            watch();
        }
    }

    /** What holds this node up is said when it changes, not ten times a second. */
    private void tellOnce(String what) {
        if (!closed && !what.equals(lastTold)) {
            lastTold = what;
            LOG.info("{}: metadata log: {}", settings.node(), what);
        }
    }

    /** Whether this node votes and has everything it needs for that. */
    private boolean isVoting() throws IOException {
        FollowedLog now = followed;
        if (now == null || !engine.holds(now.logId())) {
            return false;
        }
        MetadataMachine machine = replicas.machine(now.logId());
        Map<String, String> voters = engine.voters(now.logId());
        if (engine.leads(now.logId()) && voters.size() == 1 && !machine.isBegun()) {
            founding.begin(now.logId(), new Metadata(LogId.first(now.logId()), new Nobody()).state());
        }
        boolean led = engine.leader(now.logId()) != null;
        if (!led || !voters.containsKey(settings.node()) || !machine.isBegun()) {
            return false;
        }
        write(new FollowedLog(now.logId(), false, others(voters)));
        tellOnce("votes in log " + Long.toHexString(now.logId()) + " with " + voters.keySet());
        fresh = false;
        asked = false;
        seeds = List.of();
        voting.complete(null);
        return true;
    }

    private List<String> others(Map<String, String> voters) {
        Map<String, String> others = new TreeMap<>(voters);
        others.remove(settings.node());
        return List.copyOf(others.values());
    }

    /** Asks who votes, and for a vote. True if there is nothing more to be done. */
    private boolean ask() throws IOException {
        FollowedLog now = followed;
        Long logId = now == null ? null : Long.valueOf(now.logId());
        Set<String> addresses = new TreeSet<>(seeds);
        if (now != null) {
            addresses.addAll(now.addresses());
        }
        Standing leader = neighbours.leader(logId, addresses);
        if (leader == null) {
            tellOnce("waiting for a leader, asked " + addresses);
            return false;
        }
        boolean votes = leader.voters().containsKey(settings.node());
        if (votes && (now == null || (fresh && !asked))) {
            voting.completeExceptionally(new IllegalStateException(
                    "a node named " + settings.node() + " votes in this cluster's metadata log already, and nothing of"
                            + " it is in directory=" + settings.directory() + ": it has to be forgotten first"));
            return true;
        }
        if (!votes) {
            askForVote(leader);
        }
        return false;
    }

    private void askForVote(Standing leader) throws IOException {
        long logId = leader.logId();
        if (!fresh) {
            replicas.follow(logId);
            if (engine.holds(logId)) {
                LOG.info(
                        "{}: metadata log: {} says that this node does not vote: it begins anew",
                        settings.node(),
                        leader.node());
                write(new FollowedLog(logId, true, others(leader.voters())));
                engine.close(logId, true);
                replicas.forget(logId);
            }
            openEmpty(logId, others(leader.voters()));
        }
        asked = true;
        tellOnce("asks " + leader.node() + " for a vote");
        engine.addVoter(leader, settings.node(), engine.address());
    }

    /** A node that was cut off may have lost its vote meanwhile, and nobody tells it. */
    private void watch() {
        threads.voteLater(
                () -> {
                    if (!closed && !stepping) {
                        stepping = true;
                        step();
                    }
                },
                settings.patience().toNanos());
    }

    void onVoters(Map<String, String> addresses) {
        threads.vote(() -> {
            FollowedLog now = followed;
            if (now != null && !closed && addresses.containsKey(settings.node())) {
                try {
                    write(new FollowedLog(now.logId(), now.joining(), others(addresses)));
                } catch (IOException failed) {
                    LOG.warn("{}: metadata log: who votes could not be noted", settings.node(), failed);
                }
            }
        });
    }

    void onStopped() {
        if (!closed) {
            LOG.warn("{}: metadata log: Ratis has closed it; asking who votes", settings.node());
        }
    }

    // ------------------------------------------------------------------------------------------------ other logs

    CompletableFuture<LogId> found(long newLogId) {
        CompletableFuture<LogId> done = new CompletableFuture<>();
        threads.vote(() -> {
            try {
                done.complete(foundNow(newLogId));
            } catch (IOException | RuntimeException failed) {
                done.completeExceptionally(failed);
            }
        });
        return done;
    }

    private LogId foundNow(long newLogId) throws IOException {
        MetadataMachine old = replicas.shown();
        MetadataState known = old.with(engine.beyondReplica(old.logId()));
        if (known == null) {
            throw new IOException("this node has nothing of the log it follows");
        }
        MetadataState founded = Metadata.of(known, new Nobody())
                .found(newLogId, settings.node(), new Nobody())
                .state();
        engine.close(old.logId(), false);
        replicas.follow(newLogId);
        engine.open(newLogId, Map.of(settings.node(), engine.address()));
        founding.begin(newLogId, founded);
        write(new FollowedLog(newLogId, false, List.of()));
        replicas.forget(old.logId());
        RaftEngine.removeLogsBut(settings, newLogId);
        LOG.warn(
                "{}: metadata log: founded {}, of which this node is the only voter", settings.node(), founded.logId());
        return founded.logId();
    }

    CompletableFuture<Void> goOver(long logId, Collection<String> addresses) {
        CompletableFuture<Void> next = new CompletableFuture<>();
        voting = next;
        threads.vote(() -> {
            try {
                FollowedLog old = followed;
                write(new FollowedLog(logId, true, List.copyOf(addresses)));
                if (old != null && engine.holds(old.logId())) {
                    engine.close(old.logId(), true);
                    replicas.forget(old.logId());
                }
                seeds = List.copyOf(addresses);
                replicas.follow(logId);
                openEmpty(logId, addresses);
                if (!stepping) {
                    stepping = true;
                    step();
                }
            } catch (IOException | RuntimeException failed) {
                next.completeExceptionally(failed);
            }
        });
        return next;
    }

    // ------------------------------------------------------------------------------------------------- giving it up

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
                        throw new java.util.concurrent.CompletionException(failed);
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
        // From here on nobody asks for the vote back.
        stepping = true;
        try {
            if (giveUp(down)) {
                done.complete(true);
                return;
            }
        } catch (IOException | RuntimeException failed) {
            LOG.debug("{}: metadata log: the vote is not given up yet", settings.node(), failed);
        }
        threads.voteLater(() -> giveUpStep(down, done), STEP_NS);
    }

    private boolean giveUp(Set<String> down) throws IOException {
        Standing leader = leaderNow();
        if (leader == null) {
            return false;
        }
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
        FollowedLog now = followed;
        if (now == null) {
            return null;
        }
        Set<String> addresses = new TreeSet<>(now.addresses());
        addresses.add(engine.address());
        return neighbours.leader(now.logId(), addresses);
    }

    @Override
    public void close() {
        closed = true;
        voting.completeExceptionally(
                new IllegalStateException("the metadata log of " + settings.node() + " is closed"));
    }

    private static final class Nobody implements MetadataListener {}
}
