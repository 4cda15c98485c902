package io.warren.mirroring.node;

import io.warren.core.spi.Scheduler;
import io.warren.core.spi.Ticker;
import io.warren.mirroring.attachment.AttachmentFrame;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.ring.Member;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The third vote of two nodes: it votes in the metadata log and may lead it, and has no broker, no clients and no queues.
 *
 * <p>It is not among the nodes of the metadata; those that hear it count it among the voters.
 */
public final class Witness implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.warren.mirroring.node");

    private final NodeSettings settings;
    private final Quorum quorum;
    private final Peers peers;
    private final Ticker ticker;
    private final Scheduler scheduler;
    private final Judge judge;
    private volatile Map<String, NodeState> nodes = Map.of();
    private volatile boolean closed;
    private volatile Scheduler.@Nullable Timer tick;

    private Witness(
            NodeSettings settings,
            MetadataStore store,
            Quorum quorum,
            Peers peers,
            Ticker ticker,
            Scheduler scheduler) {
        this.settings = settings;
        this.quorum = quorum;
        this.peers = peers;
        this.ticker = ticker;
        this.scheduler = scheduler;
        judge = new Judge(
                settings.name(),
                store,
                quorum,
                peers,
                ticker,
                settings.heartbeat().toNanos());
        store.subscribe(new Follower());
    }

    /** Starts a witness; its store is expected to follow the log already, or to come to. */
    public static Witness start(
            NodeSettings settings,
            MetadataStore store,
            Quorum quorum,
            Peers peers,
            Ticker ticker,
            Scheduler scheduler) {
        Witness witness = new Witness(settings, store, quorum, peers, ticker, scheduler);
        long incarnation = settings.incarnations().last() + 1;
        settings.incarnations().begin(incarnation);
        peers.open(new Member(settings.name(), incarnation), witness.new Links());
        quorum.askForVote();
        witness.scheduleTick();
        LOG.info("witness '{}' votes, in incarnation {}", settings.name(), incarnation);
        return witness;
    }

    private void scheduleTick() {
        if (!closed) {
            tick = scheduler.at(ticker.nowNs() + settings.heartbeat().toNanos(), this::onTick);
        }
    }

    private void onTick() {
        try {
            judge.onTick(ticker.nowNs());
        } finally {
            scheduleTick();
        }
    }

    /** The cluster as the witness knows it. */
    public ClusterStatus status() {
        return new ClusterStatus(settings.name(), nodes, quorum.controller(), quorum.voters(), false);
    }

    /** An orderly stop: it gives up its vote. */
    @Override
    public void close() {
        closed = true;
        Scheduler.Timer waiting = tick;
        if (waiting != null) {
            waiting.cancel();
        }
        quorum.giveUpVote(Voters.down(settings.name(), quorum, nodes, peers));
        peers.close();
    }

    private final class Follower implements MetadataListener {
        @Override
        public void onFollowing(Metadata state) {
            onNodes(state.nodes());
        }

        @Override
        public void onNodes(Map<String, NodeState> now) {
            nodes = now;
            judge.onNodes(now);
            Map<String, String> addresses = new HashMap<>();
            now.forEach((name, state) -> addresses.put(name, state.address()));
            peers.know(addresses);
        }
    }

    /** Nobody has an attachment to a witness. */
    private final class Links implements Peers.Listener {
        @Override
        public void onUp(Member peer) {}

        @Override
        public void onDown(Member peer) {}

        @Override
        public void onRefused(Member peer) {
            judge.onEnded(peer);
        }

        @Override
        public void onFrame(Member from, AttachmentFrame frame) {}
    }
}
