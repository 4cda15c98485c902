package io.warren.mirroring.node;

import io.warren.core.spi.Ticker;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Lease;
import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.ring.Member;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Declares nodes down that have ended or fallen silent, where this node is the controller and hears a majority itself. Whoever votes may
 * come to lead the metadata log, so whoever votes has one.
 *
 * <p>Ticked by its owner; news of nodes and of ended processes may come from any thread.
 */
final class Judge {
    private static final Logger LOG = LoggerFactory.getLogger("io.warren.mirroring.node");

    private final String self;
    private final MetadataStore store;
    private final Quorum quorum;
    private final Peers peers;
    private final Ticker ticker;
    private final FailureDetector detector;
    private final Lease lease;
    /** How long a voter that has just got its vote may take until it is linked: its process is starting. In periods. */
    private static final int GRACE_PERIODS = 20;

    private final long graceNs;
    /** Since when each voter is known to vote. */
    private final Map<String, Long> votingSinceNs = new HashMap<>();
    /** Those of them that have been linked. */
    private final Set<String> linkedVoters = new HashSet<>();
    /** Processes that are proven to have ended and may not be known to. */
    private final Set<Member> ended = ConcurrentHashMap.newKeySet();

    /** Since when each running process is known to run: before that its silence means nothing. */
    private volatile Map<Member, Long> runningSinceNs = Map.of();

    /** @param periodNs time between two heartbeats */
    Judge(String self, MetadataStore store, Quorum quorum, Peers peers, Ticker ticker, long periodNs) {
        this.self = self;
        this.store = store;
        this.quorum = quorum;
        this.peers = peers;
        this.ticker = ticker;
        detector = new FailureDetector(periodNs, ticker.nowNs());
        lease = new Lease(self, periodNs);
        graceNs = GRACE_PERIODS * periodNs;
        quorum.onControl(this::onControl);
    }

    /** The nodes as the metadata has them now. One call at a time. */
    void onNodes(Map<String, NodeState> now) {
        long nowNs = ticker.nowNs();
        Map<Member, Long> before = runningSinceNs;
        Map<Member, Long> running = new HashMap<>();
        now.forEach((name, state) -> {
            if (state.running()) {
                Member member = new Member(name, state.incarnation());
                running.put(member, before.getOrDefault(member, nowNs));
            }
        });
        runningSinceNs = running;
        ended.retainAll(running.keySet());
    }

    /** That process has ended; there is no need to wait until it has been silent for too long. */
    void onEnded(Member process) {
        ended.add(process);
        quorum.onEnded(process);
        if (runningSinceNs.containsKey(process) && mayJudge(ticker.nowNs())) {
            declareDown(Map.of(process, "its process has ended"));
        }
    }

    /** This node has come to lead: who has ended until then, perhaps the leader before it, waits for no tick to be declared down. */
    private void onControl() {
        Map<Member, String> down = new HashMap<>();
        ended.forEach(process -> {
            if (runningSinceNs.containsKey(process)) {
                down.put(process, "its process has ended");
            }
        });
        if (!down.isEmpty() && mayJudge(ticker.nowNs())) {
            declareDown(down);
        }
    }

    void onTick(long nowNs) {
        detector.onTick(nowNs);
        if (mayJudge(nowNs)) {
            judge(nowNs);
        }
    }

    /** Whether this node hears the controller, or a majority. */
    boolean isHeld(long nowNs) {
        Set<String> voters = quorum.voters();
        synchronized (lease) {
            hear(voters, nowNs);
            return lease.isHeld(quorum.controller(), voters, nowNs);
        }
    }

    private void hear(Set<String> voters, long nowNs) {
        votingSinceNs.keySet().retainAll(voters);
        linkedVoters.retainAll(voters);
        for (String voter : voters) {
            long sinceNs = votingSinceNs.computeIfAbsent(voter, fresh -> nowNs);
            long answeredNs = peers.answeredNs(voter);
            if (answeredNs != Peers.NEVER) {
                linkedVoters.add(voter);
                lease.onAnswered(voter, answeredNs);
            } else if (!linkedVoters.contains(voter) && nowNs - sinceNs < graceNs) {
                lease.onAnswered(voter, nowNs);
            }
        }
    }

    /** Voters whose running process is proven to have ended, or that have been silent for too long. */
    Set<String> deadVoters(long nowNs) {
        Set<String> dead = new HashSet<>();
        synchronized (lease) {
            hear(quorum.voters(), nowNs);
            votingSinceNs.forEach((voter, sinceNs) -> {
                if (!voter.equals(self)
                        && !peers.isLinked(voter)
                        && (hasEnded(voter) || isSilent(voter, sinceNs, nowNs))) {
                    dead.add(voter);
                }
            });
        }
        return dead;
    }

    private boolean hasEnded(String voter) {
        return runningSinceNs.keySet().stream()
                .anyMatch(process -> process.node().equals(voter) && ended.contains(process));
    }

    /** Whoever has not been linked since it got its vote is starting. */
    private boolean isSilent(String voter, long votingSinceNs, long nowNs) {
        boolean isStarting = !linkedVoters.contains(voter) && nowNs - votingSinceNs < graceNs;
        return !isStarting && detector.isDown(peers.heardNs(voter), nowNs);
    }

    /** Whether this node is the controller and hears a majority. */
    boolean mayJudge(long nowNs) {
        return self.equals(quorum.controller()) && isHeld(nowNs);
    }

    private void judge(long nowNs) {
        Map<Member, String> down = new HashMap<>();
        runningSinceNs.forEach((member, sinceNs) -> {
            if (member.node().equals(self)) {
                return;
            }
            if (ended.contains(member)) {
                down.put(member, "its process has ended");
            } else if (detector.isDown(Math.max(peers.heardNs(member.node()), sinceNs), nowNs)) {
                down.put(member, "it has been silent for too long");
            }
        });
        declareDown(down);
    }

    private void declareDown(Map<Member, String> down) {
        if (down.isEmpty()) {
            return;
        }
        Map<String, Command.Change> changes = new HashMap<>();
        down.forEach((member, why) -> {
            LOG.warn("node '{}' is down: {}", member.node(), why);
            changes.put(member.node(), Command.Change.down(member.incarnation()));
        });
        store.submit(new Command.Nodes(changes), result -> {});
    }
}
