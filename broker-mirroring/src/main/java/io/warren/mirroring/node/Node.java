package io.warren.mirroring.node;

import io.warren.core.Broker;
import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Outcome;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.VirtualHost;
import io.warren.core.spi.Scheduler;
import io.warren.core.spi.Ticker;
import io.warren.mirroring.attachment.AttachmentFrame;
import io.warren.mirroring.entrylog.SetAside;
import io.warren.mirroring.group.Groups;
import io.warren.mirroring.link.Link;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.metadata.PartitionHandling;
import io.warren.mirroring.metadata.Result;
import io.warren.mirroring.mirror.Copies;
import io.warren.mirroring.mirror.MirrorEvent;
import io.warren.mirroring.mirror.Mirrors;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.topology.SharedTopology;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker as one node of a cluster: registered in the metadata, linked to its peers, its topology the cluster's.
 *
 * <p>While it hears no majority of the voters, or counts as down, it serves nobody: clients are closed with 320 and it resumes by
 * itself. Where it is the controller it declares down who has ended or fallen silent. It ticks once a heartbeat period, on the
 * scheduler it was given; everything else happens on threads of the store and of the network.
 */
public final class Node implements NodeOperations, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.warren.mirroring.node");

    /** RabbitMQ's words for a node that pauses. */
    private static final AmqpError PAUSED = AmqpError.connection(
            ReplyCode.CONNECTION_FORCED, "broker forced connection closure with reason 'shutdown'");

    private final NodeSettings settings;
    private final MetadataStore store;
    private final Quorum quorum;
    private final Peers peers;
    private final Ticker ticker;
    private final Scheduler scheduler;
    private final SharedTopology topology;
    private final Attachments attachments;
    private final Mirrors mirrors;
    private final Forgetting forgetting;
    private final Judge judge;
    private final LoneSurvivor survivor;
    private final UnsynchronisedPromotions promotions;
    private final long startedNs;
    private final Object stopping = new Object();
    private final Registration registration;
    private final SetsAside aside;
    private volatile Map<String, NodeState> nodes = Map.of();
    private volatile Member self;
    /** The process that the links were opened for. */
    private volatile @Nullable Member opened;

    private volatile boolean paused;
    private boolean forgotten;
    /** The metadata log that is followed, and whether it is another one than this process has served in. */
    private volatile @Nullable LogId followed;

    private volatile boolean leftLog;
    private CompletableFuture<Void> founding = CompletableFuture.completedFuture(null);
    private String lastRefusal = "";
    private volatile boolean closed;
    private Scheduler.@Nullable Timer tick;
    private volatile @Nullable Broker broker;

    private Node(
            NodeSettings settings,
            MetadataStore store,
            Quorum quorum,
            Peers peers,
            Ticker ticker,
            Scheduler scheduler,
            Copies copies) {
        this.settings = settings;
        this.store = store;
        this.quorum = quorum;
        this.peers = peers;
        this.ticker = ticker;
        this.scheduler = scheduler;
        long periodNs = settings.heartbeat().toNanos();
        startedNs = ticker.nowNs();
        registration = new Registration(settings, store, quorum);
        judge = new Judge(settings.name(), store, quorum, peers, ticker, periodNs);
        promotions = new UnsynchronisedPromotions(
                store,
                periodNs,
                startedNs
                        + settings.startTry()
                                .multipliedBy(settings.startTries())
                                .toNanos());
        survivor = new LoneSurvivor(settings.name(), settings.partitionHandling());
        self = next(store.<Long>read(metadata -> lastIncarnation(metadata, settings.name())));
        attachments = new Attachments(settings.name(), peers, this::toldTopology, this::onRoutes);
        aside = new SetsAside(copies);
        mirrors = new Mirrors(store, ticker, judge::isHeld, periodNs, copies, attachments);
        attachments.begin(mirrors);
        peers.host(new Hosting());
        // Who runs is known to the attachments before it shows in the topology, which makes channels route anew.
        store.subscribe(new Follower());
        topology =
                SharedTopology.of(settings.name(), store, settings.heartbeat().multipliedBy(4), startedNs);
        store.subscribe(mirrors);
        store.subscribe(new Applied());
        forgetting = new Forgetting(store, topology, settings.startTry());
    }

    /**
     * The highest number that a process of a node can have had, as far as the metadata say. One that is not known may have been forgotten, and its directory
     * lost: each of its processes took a command at least, so it had none above their number.
     */
    private static long lastIncarnation(Metadata metadata, String name) {
        NodeState known = metadata.node(name);
        return known == null ? metadata.applied() : known.incarnation();
    }

    /** This node as its next process: no incarnation is ever used twice, whatever the metadata here may have missed. */
    private Member next(long known) {
        long incarnation = Math.max(known, settings.incarnations().last()) + 1;
        settings.incarnations().begin(incarnation);
        return new Member(settings.name(), incarnation);
    }

    private void onRoutes() {
        topology.onRoutes();
    }

    private Definitions toldTopology() {
        return topology.told();
    }

    /**
     * Starts a node: it registers, which a majority of the voters has to take, and then serves.
     *
     * @throws IllegalStateException if no majority answered in all tries; it names who was waited for
     */
    public static Node start(
            NodeSettings settings,
            MetadataStore store,
            Quorum quorum,
            Peers peers,
            Ticker ticker,
            Scheduler scheduler) {
        return start(settings, store, quorum, peers, ticker, scheduler, Copies.inMemory());
    }

    /**
     * As {@link #start(NodeSettings, MetadataStore, Quorum, Peers, Ticker, Scheduler)}.
     *
     * @param copies where the node keeps its copies of durable mirrored queues
     */
    public static Node start(
            NodeSettings settings,
            MetadataStore store,
            Quorum quorum,
            Peers peers,
            Ticker ticker,
            Scheduler scheduler,
            Copies copies) {
        Node node = new Node(settings, store, quorum, peers, ticker, scheduler, copies);
        try {
            node.begin();
        } catch (RuntimeException refused) {
            node.stopTicking();
            peers.close();
            node.mirrors.close();
            throw refused;
        }
        return node;
    }

    private void open() {
        Member process = self;
        attachments.onProcess(process);
        peers.open(process, new Links());
        opened = process;
    }

    private void begin() {
        boolean wasKnown = store.read(metadata -> metadata.node(settings.name())) != null;
        open();
        quorum.askForVote();
        registration.admit(wasKnown);
        scheduleTick();
        registration.submit(self);
        registration.await(() -> self);
        broker = settings.broker()
                .apply(Broker.builder())
                .name(settings.name())
                .metadataStore(new PlacedTopology(topology, settings.home()))
                .homes(attachments)
                .start();
        mirrors.serve(attachments.local());
        attachments.serve();
        LOG.info("node '{}' serves, in incarnation {}", settings.name(), self.incarnation());
    }

    // ------------------------------------------------------------------------------------------------ questions

    public String name() {
        return settings.name();
    }

    /** The node's broker: connect to it as to any. */
    public Broker broker() {
        return Objects.requireNonNull(broker, "the node has not started");
    }

    @Override
    public ClusterStatus status() {
        return new ClusterStatus(settings.name(), nodes, quorum.controller(), quorum.voters(), paused);
    }

    /** Attachments of channels here to queues elsewhere; for tests that look for leaks. */
    public int attachmentCount() {
        return attachments.channelEndCount();
    }

    /** Attachments of channels elsewhere to queues here. */
    public int attachedCount() {
        return attachments.queueEndCount();
    }

    // -------------------------------------------------------------------------------------------- who is alive

    private void scheduleTick() {
        if (!closed) {
            tick = scheduler.at(ticker.nowNs() + settings.heartbeat().toNanos(), this::onTick);
        }
    }

    private void onTick() {
        if (closed) {
            return;
        }
        try {
            long nowNs = ticker.nowNs();
            peers.onTick(nowNs);
            topology.onTick(nowNs);
            attachments.onTick(nowNs, detection().toNanos());
            mirrors.onTick();
            judge.onTick(nowNs);
            promotions.onTick(nowNs, judge.mayJudge(nowNs));
            returnIfDeclaredDown();
            goOnIfAlone(nowNs);
            pauseOrResume(nowNs);
        } finally {
            scheduleTick();
        }
    }

    /** Who finds itself declared down comes back under a new incarnation, without its clients. */
    private void returnIfDeclaredDown() {
        NodeState known = nodes.get(settings.name());
        if (closed || !registration.isDone()) {
            return;
        }
        if (known == null) {
            forgotten();
            return;
        }
        boolean hasLeftLog = leftLog;
        leftLog = false;
        boolean declaredDown = known.incarnation() == self.incarnation() && !known.running();
        if (hasLeftLog && known.running() && known.incarnation() > self.incarnation()) {
            endProcess("has founded a metadata log and goes on alone in it");
            // The log begins with this process: under another one it would be a successor of its own.
            settings.incarnations().begin(known.incarnation());
            self = new Member(settings.name(), known.incarnation());
        } else if (hasLeftLog) {
            endProcess("has gone over to a metadata log that another node founded");
            // In the log it has left it may have come further than this one knows.
            self = next(Math.max(known.incarnation(), self.incarnation()));
        } else if (declaredDown || known.incarnation() > self.incarnation()) {
            endProcess("was declared down");
            self = next(known.incarnation());
        }
        if (!self.equals(opened)) {
            // Until that has succeeded it is tried again with every tick.
            open();
        }
        if (known.incarnation() < self.incarnation()) {
            registration.submit(self);
        }
    }

    /** For the others this process is over, and so it is for its clients and attachments. */
    private void endProcess(String why) {
        LOG.warn("node '{}' {} in incarnation {}: it comes back as the next", settings.name(), why, self.incarnation());
        pause();
        attachments.onSelfEnded();
    }

    /** Of two nodes the one that is left, if it is to go on without a majority. */
    private void goOnIfAlone(long nowNs) {
        if (settings.partitionHandling() == PartitionHandling.QUORUM || closed || !founding.isDone()) {
            return;
        }
        String refusal = registration.handlingRefusal(nodes);
        if (refusal != null && !refusal.equals(lastRefusal)) {
            LOG.warn("node '{}' does not go on alone if it has to: {}", settings.name(), refusal);
        }
        lastRefusal = refusal == null ? "" : refusal;
        survivor.onTick(judge.isHeld(nowNs), registration.isDone() && broker != null && !paused);
        Set<String> dead = judge.deadVoters(nowNs);
        Set<String> voters = quorum.voters();
        if (!leftLog && store.<Boolean>read(known -> survivor.goesOn(voters, dead, known))) {
            LOG.warn("node '{}' goes on without {}: it founds a new metadata log", settings.name(), dead);
            pause();
            founding = quorum.found().whenComplete((founded, failure) -> {
                if (failure != null) {
                    LOG.error("node '{}' could not found a metadata log; it tries again", settings.name(), failure);
                }
            });
        }
    }

    /** It was away while the others took it out of the cluster: it serves nobody, until it is started as a new node. */
    private void forgotten() {
        if (!forgotten) {
            forgotten = true;
            LOG.error(
                    "node '{}' was forgotten by the cluster: end it, empty its directory and let it join",
                    settings.name());
            pause();
        }
    }

    private void pauseOrResume(long nowNs) {
        NodeState known = nodes.get(settings.name());
        boolean isRunning = known != null && known.running() && known.incarnation() == self.incarnation();
        boolean isHeld =
                judge.isHeld(nowNs) || nowNs - startedNs < settings.heartbeat().toNanos() * 3;
        boolean isMoving = leftLog || !founding.isDone();
        if (isHeld && isRunning && !isMoving) {
            resume();
        } else if (!isHeld) {
            pause();
        }
    }

    private void pause() {
        if (!paused && broker != null) {
            paused = true;
            LOG.warn("node '{}' pauses, with voters {}", settings.name(), quorum.voters());
            attachments.local().suspend(PAUSED);
        }
    }

    private void resume() {
        if (paused) {
            paused = false;
            LOG.warn("node '{}' serves again", settings.name());
            attachments.local().resume();
        }
    }

    private void onNodes(Map<String, NodeState> now) {
        nodes = now;
        Map<String, String> addresses = new HashMap<>();
        now.forEach((name, state) -> addresses.put(name, state.address()));
        addresses.remove(settings.name());
        peers.know(addresses);
        judge.onNodes(now);
        attachments.onNodes(now);
        now.forEach((name, state) -> cutIfOver(new Member(name, state.incarnation())));
    }

    /** Hears of nodes before the topology does. */
    private final class Follower implements MetadataListener {
        @Override
        public void onFollowing(Metadata state) {
            Node.this.onLog(state);
            Node.this.onNodes(state.nodes());
        }

        @Override
        public void onNodes(Map<String, NodeState> now) {
            Node.this.onNodes(now);
        }
    }

    /** Another log is followed than before: this process was one of that log. */
    private void onLog(Metadata state) {
        LogId before = followed;
        followed = state.logId();
        if (before != null && before.id() != state.logId().id() && registration.isDone()) {
            leftLog = true;
            List<String> lost = forgetting.durableQueuesNotIn(settings.name(), state.topology());
            if (!lost.isEmpty()) {
                LOG.warn(
                        "node '{}' follows metadata log {} now, which does not know its durable queues {}: they were declared while it"
                                + " was apart, and are gone",
                        settings.name(),
                        state.logId(),
                        lost);
            }
        }
    }

    /** A process that does not run any more for the cluster has to notice, though a link to it stands. */
    private void cutIfOver(Member peer) {
        NodeState state = nodes.get(peer.node());
        boolean isOver = state != null
                && (peer.incarnation() < state.incarnation()
                        || (peer.incarnation() == state.incarnation() && !state.running()));
        if (isOver && !peer.node().equals(settings.name())) {
            peers.cut(peer);
        }
    }

    /** Hears of everything after the topology did. */
    private final class Applied implements MetadataListener {
        @Override
        public void onFollowing(Metadata state) {
            onNodes(state.nodes());
        }

        /** Whoever waits for the registration finds a topology that has it too. */
        @Override
        public void onNodes(Map<String, NodeState> now) {
            registration.onNodes(now, self);
        }

        @Override
        public void onTopology(long applied, Member submitter, List<Outcome> outcomes) {
            attachments.onTopology();
        }
    }

    /** Mirrored queues have groups over this node's links. */
    private final class Hosting implements LinkedPeers.GroupHost {
        @Override
        public void onProcess(Member process, Groups<byte[]> groups) {
            mirrors.onProcess(process, groups);
        }

        @Override
        public void onLink(Link<byte[]> link, boolean up) {
            mirrors.onLink(link, up);
        }

        @Override
        public void onMessage(Link<byte[]> link, String group, int type, byte[] body) {
            mirrors.onMessage(link, group, type, body);
        }
    }

    private final class Links implements Peers.Listener {
        @Override
        public void onUp(Member peer) {
            attachments.onUp(peer);
            cutIfOver(peer);
            if (!registration.isDone()) {
                // There may be a majority now.
                registration.submit(self);
            }
        }

        @Override
        public void onDown(Member peer) {
            attachments.onDown(peer);
        }

        @Override
        public void onRefused(Member peer) {
            judge.onEnded(peer);
        }

        @Override
        public void onFrame(Member from, AttachmentFrame frame) {
            attachments.onFrame(from, frame);
        }
    }

    // ----------------------------------------------------------------------------------------- mirrored queues

    @Override
    public List<MirroredQueue> mirroredQueues() {
        return store.<List<MirroredQueue>>read(metadata -> MirroredQueues.of(metadata, mirrors::given));
    }

    @Override
    public void synchronise(String vhost, String queue) {
        mirrors.synchronise(idOf(vhost, queue), true);
    }

    @Override
    public void cancelSynchronisation(String vhost, String queue) {
        mirrors.synchronise(idOf(vhost, queue), false);
    }

    @Override
    public void moveMaster(String vhost, String queue, String to) {
        mirrors.move(idOf(vhost, queue), to);
    }

    @Override
    public void onMirrorEvent(Consumer<MirrorEvent> listener) {
        mirrors.listen(listener);
    }

    @Override
    public List<SetAside> copiesSetAside() {
        return aside.all();
    }

    @Override
    public int putBack(String name, String vhost, String queue) {
        idOf(vhost, queue);
        return aside.putBack(name, broker(), vhost, queue);
    }

    @Override
    public void deleteSetAside(String name) {
        aside.delete(name);
    }

    private long idOf(String vhost, String name) {
        VirtualHost there = topology.current().vhost(vhost);
        Queue queue = there == null ? null : there.queue(name);
        if (queue == null) {
            throw new IllegalStateException("there is no queue '" + name + "' in vhost '" + vhost + "'");
        }
        return queue.id();
    }

    // ------------------------------------------------------------------------------------------------- leaving

    @Override
    public List<String> durableQueuesOf(String node) {
        return forgetting.durableQueuesOf(node);
    }

    @Override
    public void forget(String node, boolean losingQueues) {
        NodeState state = nodes.get(node);
        if (state == null && quorum.voters().contains(node)) {
            // A witness: it has a vote and nothing else.
            if (peers.isLinked(node)) {
                throw new IllegalStateException("witness '" + node + "' runs: it must be stopped first");
            }
            quorum.dropVote(node);
            LOG.warn("witness '{}' was forgotten", node);
            return;
        }
        if (state == null) {
            throw new IllegalStateException(
                    "node '" + node + "' is not in the cluster, whose nodes are " + nodes.keySet());
        }
        if (state.running()) {
            throw new IllegalStateException("node '" + node + "' runs: it must be stopped first");
        }
        forgetting.refuseLoss(node, losingQueues);
        forgetting.submit(node);
        quorum.dropVote(node);
        LOG.warn("node '{}' was forgotten", node);
    }

    @Override
    public void leave(boolean losingQueues) {
        synchronized (stopping) {
            if (closed) {
                throw new IllegalStateException("node '" + settings.name() + "' has stopped already");
            }
            forgetting.refuseLoss(settings.name(), losingQueues);
            stop(true);
        }
    }

    // ------------------------------------------------------------------------------------------------- the end

    private void stopTicking() {
        closed = true;
        Scheduler.Timer waiting = tick;
        if (waiting != null) {
            waiting.cancel();
        }
    }

    /** An orderly stop: clients are closed, the vote is given up, and the others hear at once that it is down. */
    @Override
    public void close() {
        // Whoever comes second returns when it has stopped.
        synchronized (stopping) {
            if (!closed) {
                stop(false);
            }
        }
    }

    private void stop(boolean forGood) {
        handMastersOver();
        Broker served = broker;
        if (served != null) {
            served.close();
        }
        stopTicking();
        mirrors.close();
        // Asked before this node says that it is down, for then its links are cut.
        Set<String> down = Voters.down(settings.name(), quorum, nodes, peers);
        sayDown();
        try {
            if (forGood) {
                forgetting.submit(settings.name());
            }
        } finally {
            try {
                quorum.giveUpVote(down);
            } finally {
                peers.close();
            }
        }
    }

    /** Those who use the queues that are led here go on at the next master before this node is missed. */
    private void handMastersOver() {
        CompletableFuture<Void> handed = new CompletableFuture<>();
        mirrors.handOver(() -> handed.complete(null));
        await(handed, "hands its masters over");
    }

    /** Waits until the others know, or nobody answers: whoever is not told finds out. */
    private void sayDown() {
        CompletableFuture<Result> said = new CompletableFuture<>();
        store.submit(
                new Command.Nodes(Map.of(settings.name(), Command.Change.stopped(self.incarnation()))), said::complete);
        await(said, "stops");
    }

    private void await(CompletableFuture<?> answer, String what) {
        try {
            answer.get(detection().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException unanswered) {
            LOG.warn("node '{}' {}, and nobody answered that", settings.name(), what);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends as a process that is killed: nobody is told anything. Its peers and its store are cut off already. */
    public void abandon() {
        stopTicking();
        peers.close();
        mirrors.abandon();
        Broker served = broker;
        if (served != null) {
            attachments.local().suspend(PAUSED);
            served.close();
        }
    }

    /** How long it takes until silence counts as death. */
    public Duration detection() {
        return settings.heartbeat().multipliedBy(4);
    }
}
