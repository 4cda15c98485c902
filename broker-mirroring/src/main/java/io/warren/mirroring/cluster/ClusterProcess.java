package io.warren.mirroring.cluster;

import io.warren.mirroring.link.LinkListener;
import io.warren.mirroring.link.Links;
import io.warren.mirroring.link.tcp.ClusterSecret;
import io.warren.mirroring.link.tcp.TcpLinks;
import io.warren.mirroring.link.tcp.TcpSettings;
import io.warren.mirroring.mirror.Copies;
import io.warren.mirroring.node.LinkedPeers;
import io.warren.mirroring.node.NodeSettings;
import io.warren.mirroring.raft.LogPosition;
import io.warren.mirroring.raft.RaftSettings;
import io.warren.mirroring.raft.RatisMetadataStore;
import io.warren.mirroring.ring.Member;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What every process of a cluster has, a node as well as a witness: its end of the metadata log, and what it makes links with. It has a
 * vote and knows the log when it is there.
 */
final class ClusterProcess {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);
    private static final int MISSED_MAX = 4;
    /** Another node may have to lead first, and each step has to be committed. */
    private static final Duration VOTE_PATIENCE = Duration.ofSeconds(5);

    private final ClusterSettings settings;
    private final NodeSettings nodeSettings;
    private final NodeDirectory directory;
    private final NodeClock clock;
    private final LinkedPeers peers;
    private final Elections elections;
    private final RatisMetadataStore store;
    private final RaftQuorum quorum;

    ClusterProcess(ClusterSettings settings, LinkedPeers.GroupHost host) throws IOException {
        this.settings = settings;
        nodeSettings = settings.adapt()
                .apply(NodeSettings.named(settings.node(), settings.address())
                        .incarnations(new IncarnationFile(settings.directory())));
        directory = NodeDirectory.open(settings.directory());
        clock = new NodeClock(settings.node());
        elections = new Elections(settings.node(), host, this::stand);
        peers = new LinkedPeers(this::openLinks, clock, this::onReport, elections);
        RatisMetadataStore opened = null;
        try {
            directory.identify(new NodeDirectory.Identity(settings.node(), settings.host(), settings.port()));
            opened = openStore();
            store = opened;
            checkAddress();
            quorum = new RaftQuorum(store, elections, VOTE_PATIENCE, clock::drawLogId);
            elections.begin(new Copy());
            TakeoverClasses.loadBeside(settings.node());
            awaitLog();
            keepConnected();
        } catch (IOException | RuntimeException failed) {
            peers.close();
            if (opened != null) {
                opened.close();
            }
            end();
            throw failed;
        }
    }

    private RatisMetadataStore openStore() throws IOException {
        RaftSettings raft = RaftSettings.of(
                        settings.node(),
                        settings.directory().resolve(ClusterSettings.METADATA),
                        settings.host(),
                        settings.metadataPort())
                .withMirroredQueues(true);
        byte[] secret = settings.secret().getBytes(StandardCharsets.UTF_8);
        if (RatisMetadataStore.knowsLog(raft)) {
            return RatisMetadataStore.restart(raft, secret, clock, this::report);
        }
        List<String> seeds =
                settings.seeds().stream().map(ClusterSettings::metadataAddress).toList();
        return seeds.isEmpty()
                ? RatisMetadataStore.form(raft, secret, clock, this::report, clock.drawLogId())
                : RatisMetadataStore.join(raft, secret, clock, this::report, seeds);
    }

    /**
     * The others reach a voter where it was when it was taken in. Who is elsewhere is a copy of its directory, or cannot be reached: it
     * would wait for a vote that the other process has, and never say why.
     */
    private void checkAddress() throws IOException {
        String known = store.votesAt();
        if (known != null && !known.equals(store.address())) {
            throw new IllegalStateException("node '" + settings.node() + "' votes at " + known
                    + ", and this process has its metadata log at " + store.address() + ": directory="
                    + settings.directory() + " is a copy of that node's, or the node was moved. Start it at its old"
                    + " address, or let the others forget it and join with an empty directory");
        }
    }

    /** A node has something to say of the topology when it votes: then it knows the log. */
    private void awaitLog() {
        for (int tries = 1; ; tries++) {
            try {
                store.voting().get(nodeSettings.startTry().toNanos(), TimeUnit.NANOSECONDS);
                return;
            } catch (TimeoutException late) {
                Set<String> waitedFor = new TreeSet<>(quorum.voters());
                waitedFor.remove(settings.node());
                String whom = waitedFor.isEmpty() ? "a node at " + settings.seeds() : "a majority with " + waitedFor;
                LOG.warn(
                        "node '{}' waits for {}: try {} of {}",
                        settings.node(),
                        whom,
                        tries,
                        nodeSettings.startTries());
                if (tries >= nodeSettings.startTries()) {
                    throw new IllegalStateException(
                            "node '" + settings.node() + "' waited for " + whom + " in " + tries + " tries of "
                                    + nodeSettings.startTry() + ", and nobody took it into the cluster",
                            late);
                }
            } catch (ExecutionException refused) {
                throw new IllegalStateException(Reason.of(refused), refused);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(
                        "interrupted while node '" + settings.node() + "' started", interrupted);
            }
        }
    }

    // ---- what it is put together from

    private LinkedPeers.Port openLinks(Member self) {
        TcpSettings tcp = TcpSettings.of(
                        settings.cluster(),
                        ClusterSecret.of(settings.secret()),
                        new InetSocketAddress(settings.host(), settings.port()),
                        clock)
                .heartbeat(nodeSettings.heartbeat(), MISSED_MAX)
                .advertised(settings.address());
        TcpLinks<byte[]> links =
                new TcpLinks<>(self, settings.tls() == null ? tcp : tcp.tls(settings.tls()), new BytesCodec());
        return new LinkedPeers.Port() {
            @Override
            public Executor executor() {
                return links.executor();
            }

            @Override
            public Links<byte[]> start(LinkListener<byte[]> listener) {
                links.start(listener);
                return links;
            }
        };
    }

    private void report(long logId, long applied) {
        try {
            LogPosition end = store.position();
            peers.report(new LinkedPeers.Report(logId, applied, end.term(), end.index()));
        } catch (IOException unknown) {
            LOG.debug("the end of the metadata log is not known; it is told with the next heartbeat", unknown);
        }
    }

    private void onReport(String from, LinkedPeers.Report report) {
        store.onReported(report.logId(), from, report.applied());
    }

    /** This node's end of the metadata log, for who succeeds its leader. */
    private final class Copy implements Elections.Copy {
        @Override
        public LogPosition end() throws IOException {
            return store.position();
        }

        @Override
        public @Nullable String leader() {
            return store.controller();
        }

        @Override
        public Set<String> voters() {
            return quorum.voters();
        }
    }

    /** Not on the thread that has found this out: the vote is forced to disk. */
    private void stand(String deadLeader) {
        LOG.info(
                "node '{}' stands for election: the leader of the metadata log, '{}', is dead",
                settings.node(),
                deadLeader);
        clock.at(clock.nowNs(), () -> store.electAfterDeathOf(deadLeader));
    }

    /** Once a detection time the voters see to it that an election finds them connected. */
    private void keepConnected() {
        store.connectTo(elections.linked());
        clock.at(clock.nowNs() + detection().toNanos(), this::keepConnected);
    }

    Duration detection() {
        return nodeSettings.heartbeat().multipliedBy(MISSED_MAX);
    }

    // ---- its parts

    Copies copies() {
        return settings.copiesInMemory()
                ? Copies.inMemory()
                : Copies.at(settings.directory().resolve(ClusterSettings.COPIES), settings.node());
    }

    NodeSettings nodeSettings() {
        return nodeSettings;
    }

    NodeClock clock() {
        return clock;
    }

    LinkedPeers peers() {
        return peers;
    }

    RatisMetadataStore store() {
        return store;
    }

    RaftQuorum quorum() {
        return quorum;
    }

    /** The start has failed: nothing of it stays, and above all not its vote, for which the others would wait. */
    void abandon() {
        peers.close();
        store.stop(Set.of(), VOTE_PATIENCE);
        end();
    }

    /** Ends as a process that is killed: its vote stays. */
    void kill() {
        peers.close();
        store.close();
        end();
    }

    /** The last step of every end: the directory is free for the next process. */
    void end() {
        clock.close();
        directory.close();
    }
}
