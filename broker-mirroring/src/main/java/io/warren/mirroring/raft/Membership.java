package io.warren.mirroring.raft;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.MetadataState;
import io.warren.mirroring.metadata.format.LogSummary;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
    private final VoteChanges changes;
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
    /** What a log begins with that this node is founding. */
    private @Nullable MetadataState unfinished;
    /** Whether this node's copy is known to have this node in it. */
    private boolean wasKnown;
    /** The others have taken this node out for good: it asks for nothing any more. */
    private boolean forgotten;

    private String lastTold = "";

    Membership(RaftSettings settings, StoreThreads threads, RaftEngine engine, Replicas replicas) {
        this.settings = settings;
        this.threads = threads;
        this.engine = engine;
        this.replicas = replicas;
        neighbours = new Neighbours(settings, engine, threads.calls());
        founding = new Founding(settings, engine);
        changes = new VoteChanges(settings, threads, engine, neighbours, () -> followed, () -> stepping = true);
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
        // Ratis may close the copy of a node that was taken out before anyone comes to look into it.
        wasKnown = knewItself();
        stepSoon();
    }

    /** Goes on with what is there and asks nobody. */
    void offline(FollowedLog before) throws IOException {
        followed = before;
        replicas.follow(before.logId());
        engine.start();
        if (!engine.holds(before.logId())) {
            throw new IOException(
                    "nothing is left of this node's copy of the metadata log in directory=" + settings.directory());
        }
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
        wasKnown = false;
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
            done = closed || (isVoting() ? !goesOver() : ask());
        } catch (IOException | RuntimeException failed) {
            LOG.debug("{}: metadata log: not voting yet", settings.node(), failed);
            tellOnce("not voting yet: " + failed);
        }
        stepping = !done;
        if (!done) {
            threads.voteLater(this::step, STEP_NS);
        } else if (!closed && !forgotten) {
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
            Metadata empty = new Metadata(LogId.first(now.logId()), new Nobody(), settings.mirrorsQueues());
            founding.begin(now.logId(), empty.state());
        }
        boolean led = engine.leader(now.logId()) != null;
        if (!led || !voters.containsKey(settings.node()) || !machine.isBegun()) {
            return false;
        }
        write(new FollowedLog(now.logId(), false, others(voters, now)));
        tellOnce("votes in log " + Long.toHexString(now.logId()) + " with " + voters.keySet());
        wasKnown |= machine.read(metadata -> metadata.node(settings.node()) != null);
        fresh = false;
        asked = false;
        seeds = List.of();
        voting.complete(null);
        return true;
    }

    /** Where the other voters are; where they were, for the only one that is left: it may meet them again. */
    private List<String> others(Map<String, String> voters, @Nullable FollowedLog before) {
        Map<String, String> others = new TreeMap<>(voters);
        others.remove(settings.node());
        return others.isEmpty() && before != null ? before.addresses() : List.copyOf(others.values());
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
            if (!goesOver() && !forgotten) {
                tellOnce("waiting for a leader, asked " + addresses);
            }
            return forgotten;
        }
        boolean votes = leader.voters().containsKey(settings.node());
        if (votes && (now == null || (fresh && !asked))) {
            voting.completeExceptionally(new IllegalStateException(
                    "a node named " + settings.node() + " votes in this cluster's metadata log already, and nothing of"
                            + " it is in directory=" + settings.directory() + ": it has to be forgotten first"));
            return true;
        }
        if (!votes && !isForgotten(leader)) {
            askForVote(leader);
        }
        return forgotten;
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
                write(new FollowedLog(logId, true, others(leader.voters(), null)));
                engine.close(logId, true);
                replicas.forget(logId);
            }
            openEmpty(logId, others(leader.voters(), null));
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
                    write(new FollowedLog(now.logId(), now.joining(), others(addresses, now)));
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

    CompletableFuture<LogId> found(long newLogId, Collection<String> without) {
        CompletableFuture<LogId> done = new CompletableFuture<>();
        threads.vote(() -> {
            try {
                done.complete(foundNow(newLogId, without));
            } catch (IOException | RuntimeException failed) {
                done.completeExceptionally(failed);
            }
        });
        return done;
    }

    /** Tried again, it goes on with the log that was begun: the old one is not held any more, so nothing new can have come into it. */
    private LogId foundNow(long newLogId, Collection<String> without) throws IOException {
        FollowedLog old = followed;
        if (old == null) {
            throw new IOException("this node follows no metadata log");
        }
        MetadataState founded = unfinished;
        if (founded == null) {
            founded = beginning(newLogId, without);
            unfinished = founded;
        }
        long logId = founded.logId().id();
        if (engine.holds(old.logId())) {
            engine.close(old.logId(), false);
        }
        replicas.follow(logId);
        if (!engine.holds(logId)) {
            engine.open(logId, Map.of(settings.node(), engine.address()));
        }
        founding.begin(logId, founded);
        write(new FollowedLog(logId, false, old.addresses()));
        unfinished = null;
        fresh = false;
        asked = false;
        replicas.forget(old.logId());
        RaftEngine.removeLogsBut(settings, logId);
        LOG.warn(
                "{}: metadata log: founded {}, of which this node is the only voter", settings.node(), founded.logId());
        return founded.logId();
    }

    private MetadataState beginning(long newLogId, Collection<String> without) throws IOException {
        MetadataState known = allKnown(replicas.shown());
        if (known == null) {
            throw new IOException("this node has nothing of the log it follows");
        }
        Metadata beginning = Metadata.of(known, new Nobody()).found(newLogId, settings.node(), new Nobody());
        without.forEach(node -> beginning.apply(new Command.Forget(node)));
        return beginning.state();
    }

    /** What is in this node's copy, whether it is known to be committed or not; null if that has not begun. */
    private @Nullable MetadataState allKnown(MetadataMachine machine) throws IOException {
        return engine.holds(machine.logId()) ? machine.with(engine.beyondReplica(machine.logId())) : null;
    }

    CompletableFuture<Void> goOver(long logId, Collection<String> addresses) {
        CompletableFuture<Void> next = new CompletableFuture<>();
        voting = next;
        threads.vote(() -> {
            try {
                FollowedLog now = followed;
                if (now == null || now.logId() != logId) {
                    goOverNow(logId, addresses);
                }
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

    private void goOverNow(long logId, Collection<String> addresses) throws IOException {
        FollowedLog old = followed;
        write(new FollowedLog(logId, true, List.copyOf(addresses)));
        if (old != null && engine.holds(old.logId())) {
            engine.close(old.logId(), true);
            replicas.forget(old.logId());
        }
        seeds = List.copyOf(addresses);
        replicas.follow(logId);
        openEmpty(logId, addresses);
    }

    /**
     * A node that votes alone, or hears of no leader, asks those it was together with whether they follow a log that wins over its own, and
     * goes over to it. True if there is one.
     */
    private boolean goesOver() throws IOException {
        FollowedLog now = followed;
        if (now == null || now.addresses().isEmpty() || !engine.holds(now.logId())) {
            return false;
        }
        Map<String, String> voters = engine.voters(now.logId());
        if (engine.leader(now.logId()) != null && !voters.keySet().equals(Set.of(settings.node()))) {
            return false;
        }
        Neighbours.Winner winner =
                neighbours.winnerOver(now.logId(), other -> winsOver(other, now.logId()), now.addresses());
        if (winner == null || isForgotten(winner.summary())) {
            return false;
        }
        LOG.warn(
                "{}: metadata log: the node at {} follows {}, which wins over {}: this node goes over to it as new",
                settings.node(),
                winner.address(),
                winner.summary().logId(),
                Long.toHexString(now.logId()));
        goOverNow(winner.summary().logId().id(), List.of(winner.address()));
        return true;
    }

    /** A copy that has not begun does not know what it descends from, and gives way to descendants only; and nobody to strangers. */
    private boolean winsOver(LogId other, long ownLogId) {
        MetadataMachine machine = replicas.machine(ownLogId);
        if (!machine.isBegun()) {
            return other.ancestors().contains(ownLogId);
        }
        LogId own = machine.read(Metadata::logId);
        return other.isRelatedTo(own) && other.winsOver(own);
    }

    // --------------------------------------------------------------------------------------------------- forgotten

    private boolean isForgotten(Standing leader) throws IOException {
        LogSummary summary = fresh ? null : engine.summary(leader.address(), leader.logId());
        return summary != null && isForgotten(summary);
    }

    private boolean knewItself() {
        if (wasKnown) {
            return true;
        }
        MetadataMachine shown = replicas.shown();
        try {
            MetadataState known = allKnown(shown);
            return known != null && known.nodes().containsKey(settings.node());
        } catch (IOException | RuntimeException closedByRatis) {
            LOG.debug("{}: metadata log: what is not in the replica cannot be read", settings.node(), closedByRatis);
            return shown.isBegun() && shown.read(metadata -> metadata.node(settings.node()) != null);
        }
    }

    /** Whether a log that this node is to be in does not know it any more, though its own copy does. */
    private boolean isForgotten(LogSummary summary) {
        if (summary.nodes().contains(settings.node()) || !knewItself()) {
            return false;
        }
        String why = "node '" + settings.node() + "' was forgotten by its cluster, whose nodes are " + summary.nodes()
                + ": end it, empty its directory and let it join as new";
        LOG.error("{}: metadata log: {}", settings.node(), why);
        forgotten = true;
        voting.completeExceptionally(new IllegalStateException(why));
        return true;
    }

    // ------------------------------------------------------------------------------------------------- giving it up

    CompletableFuture<Void> transfer(String node, Duration timeout) {
        return changes.transfer(node, timeout);
    }

    /** Gives up this node's vote; returns whether it has none, or is the last to have one. */
    boolean giveUpVote(Set<String> down, Duration timeout) {
        return !closed && changes.giveUpVote(down, timeout);
    }

    CompletableFuture<Void> dropVote(String node, Duration timeout) {
        return changes.dropVote(node, timeout);
    }

    @Override
    public void close() {
        closed = true;
        changes.close();
        voting.completeExceptionally(
                new IllegalStateException("the metadata log of " + settings.node() + " is closed"));
    }

    private static final class Nobody implements MetadataListener {}
}
