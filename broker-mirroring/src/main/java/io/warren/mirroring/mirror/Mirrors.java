package io.warren.mirroring.mirror;

import io.warren.core.metadata.Change;
import io.warren.core.metadata.Mirroring;
import io.warren.core.metadata.Outcome;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.VirtualHost;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.LocalQueues;
import io.warren.core.spi.Ticker;
import io.warren.mirroring.entrylog.Copy;
import io.warren.mirroring.group.Groups;
import io.warren.mirroring.link.Link;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.metadata.QueueGroups;
import io.warren.mirroring.queue.ChannelId;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import io.warren.mirroring.transfer.Giver;
import io.warren.mirroring.transfer.TransferCodec;
import io.warren.mirroring.transfer.TransferFrame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All mirrored queues as one node knows them: where each lives, and this node's members of them.
 *
 * <p>Follows the metadata, after the topology. A queue that was not mirrored when this broker came to know it is none of these. Any thread may
 * call; views of one group come one at a time.
 */
public final class Mirrors implements MetadataListener {
    /** Messages of a link that are a mirrored queue's. */
    private static final int TYPE_TRANSFER = 32;

    static final Logger LOG = LoggerFactory.getLogger("io.warren.mirroring.mirror");

    /** What it needs of the node. Called by any thread; must not wait. */
    public interface Host {

        /** A mirrored queue has another view: channels that use it may have to go elsewhere. */
        void onMoved(long queueId);

        /** Other queues than before can be reached. */
        void onRoutes();

        /** Whether a node runs, as far as is known, and can be reached, or is this one. */
        boolean isRunning(String node);

        /** Whether there has been no link to a node that runs for too long. */
        boolean isInaccessible(String node);

        /** A queue is led here now: channels may wait for that. */
        void onLeads(long queueId);
    }

    private final MetadataStore store;
    private final Host host;
    private final Proposals proposals;
    private final LeaseWatch lease;
    private final Copies copies;
    private final Map<Long, MirroredHome> homes = new ConcurrentHashMap<>();
    /** Of every queue's group, whether or not the broker knows the queue. */
    private final Map<String, View> views = new ConcurrentHashMap<>();

    private final Map<Long, Mirror> mirrors = new ConcurrentHashMap<>();
    private final Map<String, Link<byte[]>> links = new ConcurrentHashMap<>();
    private volatile Map<String, NodeState> nodes = Map.of();
    private volatile boolean areMirrored;
    private final PlainStarts starts = new PlainStarts(this::follow);
    private final MirrorEvents events = new MirrorEvents();
    /** Whether what the process found on disk and did not take was looked at. */
    private volatile boolean isSwept;

    // Guarded by this.
    private long logId;
    private @Nullable Member self;
    private @Nullable Groups<byte[]> groups;
    private @Nullable LocalQueues local;
    private boolean isClosed;

    /**
     * No queue is known.
     *
     * @param isLeaseHeld whether this node may tell clients anything at that time
     * @param periodNs time between two heartbeats
     * @param copies where durable queues are kept
     */
    public Mirrors(
            MetadataStore store, Ticker ticker, LongPredicate isLeaseHeld, long periodNs, Copies copies, Host host) {
        this.copies = copies;
        this.store = store;
        this.host = host;
        proposals = new Proposals(store);
        lease = new LeaseWatch(isLeaseHeld, ticker, periodNs);
    }

    // --------------------------------------------------------------------------------------------------- its process

    /** A process of this node begins; the members of the one before are at their end. */
    public void onProcess(Member process, Groups<byte[]> itsGroups) {
        List<Mirror> over;
        synchronized (this) {
            over = List.copyOf(mirrors.values());
            mirrors.clear();
            self = process;
            groups = itsGroups;
        }
        links.clear();
        proposals.clear();
        over.forEach(Mirror::end);
        copies.onProcess();
        isSwept = false;
        follow();
    }

    /** The broker is there: its queues can be led. */
    public void serve(LocalQueues queues) {
        starts.serve(queues);
        synchronized (this) {
            local = queues;
        }
        leadWhatIsLeft();
        follow();
    }

    /** The process is registered, and the broker has asked for every queue: of those that have no group and are here the copy is led alone. */
    private void leadWhatIsLeft() {
        Member process;
        synchronized (this) {
            process = self;
        }
        for (MirroredHome home : homes.values()) {
            View found = process == null || home.view() != null || !home.isAlone() ? null : found(home, process);
            if (found != null) {
                alone(home, found);
                LOG.info(
                        "queue '{}' in vhost '{}' is not mirrored any more and goes on with the copy that is here",
                        home.queue().name(),
                        home.vhost());
            }
        }
    }

    /** Null if it has a group again, whose view is about to come. */
    private @Nullable View found(MirroredHome home, Member process) {
        return store.read(
                metadata -> metadata.view(QueueGroups.name(home.queue().id())) != null
                        ? null
                        : LoneViews.found(metadata.logId().id(), metadata.applied(), process));
    }

    /** Nothing happens here any more. */
    public void close() {
        List<Mirror> over;
        synchronized (this) {
            isClosed = true;
            over = List.copyOf(mirrors.values());
            mirrors.clear();
        }
        over.forEach(this::close);
        copies.close();
    }

    /** As {@link #close}, of a process that is killed. */
    public void abandon() {
        copies.abandon();
        close();
    }

    private void close(Mirror mirror) {
        Groups<byte[]> present;
        synchronized (this) {
            present = groups;
        }
        if (present != null) {
            present.close(mirror.place().group());
        }
        mirror.end();
    }

    /** A link has come up, or gone down. */
    public void onLink(Link<byte[]> link, boolean up) {
        String node = link.peer().node();
        if (up) {
            links.put(node, link);
        } else if (!links.remove(node, link)) {
            return;
        }
        mirrors.values().forEach(mirror -> mirror.onLink(node, up));
    }

    /**
     * A message that is none of a group's own.
     *
     * @throws IllegalArgumentException if it cannot be read; the link is cut
     */
    public void onMessage(Link<byte[]> link, String group, int type, byte[] body) {
        if (type == TYPE_TRANSFER && QueueGroups.isOfQueue(group)) {
            TransferFrame frame = TransferCodec.decode(body);
            Mirror mirror = mirrors.get(QueueGroups.queueId(group));
            if (mirror != null) {
                mirror.onFrame(link.peer().node(), frame);
            }
        }
    }

    /** Time has passed. */
    public void onTick() {
        proposals.onTick();
        sweepIfDue();
        mirrors.values().forEach(Mirror::onTick);
    }

    /** Once the process is registered, and so knows all there was before. */
    private void sweepIfDue() {
        Member process;
        long log;
        synchronized (this) {
            process = self;
            log = logId;
        }
        NodeState registered = process == null ? null : nodes.get(process.node());
        if (process == null
                || isSwept
                || registered == null
                || !registered.running()
                || registered.incarnation() != process.incarnation()) {
            return;
        }
        isSwept = true;
        List<Long> untaken = copies.untaken();
        if (!untaken.isEmpty()) {
            copies.sweep(store.read(metadata -> known(metadata, untaken)), log, process);
        }
    }

    private static Map<Long, Copies.Known> known(Metadata metadata, List<Long> queueIds) {
        Set<Long> there = new HashSet<>();
        for (VirtualHost vhost : metadata.topology().vhosts().values()) {
            vhost.queues().values().forEach(queue -> there.add(queue.id()));
        }
        Map<Long, Copies.Known> known = new HashMap<>();
        queueIds.forEach(
                id -> known.put(id, new Copies.Known(there.contains(id), metadata.view(QueueGroups.name(id)))));
        return known;
    }

    // ------------------------------------------------------------------------------------------------- for the core

    /** Where a queue lives that is mirrored, else null. Asked when the broker comes to know it. */
    public @Nullable MirroredHome home(String vhost, Queue queue) {
        if (!areMirrored) {
            return null;
        }
        if (QueueGroups.mirroring(queue) == null) {
            return left(vhost, queue);
        }
        View view = views.get(QueueGroups.name(queue.id()));
        MirroredHome home = homes.computeIfAbsent(queue.id(), id -> new MirroredHome(vhost, queue, host, view));
        follow(home);
        return home;
    }

    /** A queue that is not mirrored any more, and of which this node, its home, has the copy: nobody else has what was confirmed since. */
    private @Nullable MirroredHome left(String vhost, Queue queue) {
        Member process;
        synchronized (this) {
            process = self;
        }
        boolean isHere =
                process != null && process.node().equals(queue.definition().home());
        if (!isHere || !queue.definition().durable() || !copies.isFound(queue.id())) {
            return null;
        }
        return homes.computeIfAbsent(queue.id(), id -> {
            MirroredHome home = new MirroredHome(vhost, queue, host, null);
            home.leftAlone();
            return home;
        });
    }

    /** Where a mirrored queue lives that the broker knows; else null. */
    public @Nullable MirroredHome known(long queueId) {
        return homes.get(queueId);
    }

    /** What became of an attachment to a queue here. */
    public enum Attaching {
        /** It has begun. */
        BEGUN,
        /** The queue is not led here in that reign; if it will be, {@link Host#onLeads} tells. */
        NOT_LED,
        /** It was a queue by itself when the channel came to know it: the channel is to go on at the group's master. */
        MIRRORED,
        /** There is no such mirrored queue, or not any more, or not yet. */
        UNKNOWN
    }

    /** An attachment that has begun, or why it has not. */
    public record Attached(Attaching outcome, @Nullable AttachedQueue queue) {}

    /**
     * A channel begins to use a queue that this node leads in that reign. Where it leads alone each node counts reigns for itself, and this one is
     * ahead of all; a higher one is that of a group of which this node is about to hear.
     */
    public Attached attach(long queueId, long reign, ChannelId channel, int attachment, MirrorEnd end) {
        MirroredHome home = homes.get(queueId);
        Mirror mirror = mirrors.get(queueId);
        Leading leading = mirror == null ? null : mirror.leading();
        boolean isAlone = home != null && home.isAlone();
        if (leading != null && (leading.reign() == reign || (isAlone && reign < leading.reign()))) {
            return new Attached(Attaching.BEGUN, leading.attach(channel, attachment, end));
        }
        return new Attached(home != null ? Attaching.NOT_LED : Attaching.UNKNOWN, null);
    }

    /** A channel for which the queue is not mirrored begins to use it: it was not when that was said, or is not any more. */
    public Attached attachPlain(long queueId, ChannelId channel, int attachment, MirrorEnd end) {
        MirroredHome home = homes.get(queueId);
        Mirror mirror = mirrors.get(queueId);
        Leading leading = mirror == null ? null : mirror.leading();
        if (home == null) {
            return new Attached(Attaching.UNKNOWN, null);
        }
        if (starts.isComing(home) || (home.isAlone() && leading == null)) {
            return new Attached(Attaching.NOT_LED, null);
        }
        return leading != null && home.isAlone()
                ? new Attached(Attaching.BEGUN, leading.attach(channel, attachment, end))
                : new Attached(Attaching.MIRRORED, null);
    }

    /**
     * Tells what becomes of the copies of every queue, as this node hears of it.
     *
     * @param listener any thread calls it; must not block
     */
    public void listen(Consumer<MirrorEvent> listener) {
        events.listen(listener);
    }

    /** Whether a queue has a group now. */
    public boolean hasGroup(long queueId) {
        MirroredHome home = homes.get(queueId);
        return home != null && !home.isAlone();
    }

    /**
     * Gives every member of a queue what it lacks, now, or stops to.
     *
     * @throws IllegalStateException if this node does not lead the queue
     */
    public void synchronise(long queueId, boolean begin) {
        Mirror mirror = mirrors.get(queueId);
        MirroredHome home = homes.get(queueId);
        // Below the least number in sync it is led only when this is done.
        if (mirror == null || home == null || !isMaster(home)) {
            throw new IllegalStateException(
                    home == null ? "the queue is not mirrored" : "the queue is led at node '" + home.node() + "'");
        }
        mirror.synchronise(begin);
    }

    /** How far members of a queue that is led here have been given what they lack; empty for any other queue. */
    public List<Giver.Progress> given(long queueId) {
        Mirror mirror = mirrors.get(queueId);
        return mirror == null ? List.of() : mirror.given();
    }

    private boolean isMaster(MirroredHome home) {
        View view = home.view();
        synchronized (this) {
            return view != null && self != null && self.equals(view.master());
        }
    }

    /**
     * This node stops: the queues it leads are led by the next member in sync, where there is one.
     *
     * @param done run when that is decided, or nobody knows; at once if there is none
     */
    public void handOver(Runnable done) {
        handOver(List.copyOf(homes.values()), done);
    }

    private void handOver(List<MirroredHome> led, Runnable done) {
        List<Command.Claim> claims = new ArrayList<>();
        long log;
        Member process;
        synchronized (this) {
            log = logId;
            process = self;
        }
        for (MirroredHome home : led) {
            View view = home.view();
            if (view != null
                    && view.up()
                    && view.inSync().size() > 1
                    && view.inSync().get(0).equals(process)) {
                String group = QueueGroups.name(home.queue().id());
                claims.add(new Command.Claim(group, view.epoch(), view.inSync().get(1)));
            }
        }
        if (claims.isEmpty()) {
            done.run();
        } else {
            store.submit(new Command.HandOver(log, claims), result -> done.run());
        }
    }

    /**
     * A queue is to be led at another node, which holds everything. The view that follows says whether it is.
     *
     * @throws IllegalStateException if it is not mirrored, or that node does not hold everything
     */
    public void move(long queueId, String node) {
        MirroredHome home = homes.get(queueId);
        View view = home == null ? null : home.view();
        if (view == null) {
            throw new IllegalStateException("the queue is not mirrored");
        }
        List<Member> inSync = view.up() ? view.inSync() : List.of();
        Member next = inSync.stream()
                .filter(member -> member.node().equals(node))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("node '" + node
                        + "' does not hold everything of the queue; in sync are "
                        + inSync.stream().map(Member::node).toList()));
        Command.Claim claim = new Command.Claim(QueueGroups.name(queueId), view.epoch(), next);
        store.submit(new Command.HandOver(view.logId(), List.of(claim)), result -> {});
    }

    /** A channel has ended, and its attachment is closed. */
    public void channelEnded(long queueId, ChannelId channel) {
        Mirror mirror = mirrors.get(queueId);
        if (mirror != null) {
            mirror.channelEnded(channel);
        }
    }

    // -------------------------------------------------------------------------------------------------- the metadata

    @Override
    public void onFollowing(Metadata state) {
        boolean isOther;
        synchronized (this) {
            isOther = logId != 0 && logId != state.logId().id();
            logId = state.logId().id();
        }
        nodes = state.nodes();
        areMirrored = state.mirrorsQueues();
        if (isOther) {
            leaveLog();
        }
        Set<Long> there = new HashSet<>();
        for (VirtualHost vhost : state.topology().vhosts().values()) {
            vhost.queues().values().forEach(queue -> there.add(queue.id()));
        }
        views.clear();
        for (String group : state.groups()) {
            View view = state.view(group);
            if (view != null && QueueGroups.isOfQueue(group)) {
                views.put(group, view);
            }
        }
        List<Long> gone =
                homes.keySet().stream().filter(id -> !there.contains(id)).toList();
        // What another log does not know is not deleted: its copies are set aside when the next process begins.
        gone.forEach(isOther ? this::unknown : this::deleted);
        homes.forEach((id, home) -> {
            View view = views.get(QueueGroups.name(id));
            View before = home.view();
            if (view != null) {
                onView(home, view);
            } else if (before == null || (state.mirrorsQueues() && isMirrored(state, home))) {
                // Its group begins when its home is back.
                return;
            } else if (isOther) {
                alone(home, LoneViews.following(before, state.logId().id(), state.applied()));
            } else if (!home.isAlone()) {
                alone(home, LoneViews.of(before));
            }
        });
        onNodes(state.nodes());
    }

    private static boolean isMirrored(Metadata state, MirroredHome home) {
        VirtualHost vhost = state.topology().vhost(home.vhost());
        Queue queue = vhost == null ? null : vhost.queue(home.queue().name());
        return queue != null && QueueGroups.mirroring(queue) != null;
    }

    /** Members of another log: they begin anew when their process has registered in this one. */
    private void leaveLog() {
        List<Mirror> over;
        synchronized (this) {
            over = List.copyOf(mirrors.values());
            mirrors.clear();
        }
        proposals.clear();
        over.forEach(this::close);
    }

    @Override
    public void onNodes(Map<String, NodeState> now) {
        nodes = now;
        mirrors.values().forEach(Mirror::onNodes);
        homes.values().stream().filter(MirroredHome::isAlone).forEach(home -> {
            NodeState its = now.get(home.node());
            View next = its == null ? null : home.next(its);
            if (next != null) {
                alone(home, next);
            }
        });
    }

    @Override
    public void onTopology(long applied, Member submitter, List<Outcome> outcomes) {
        outcomes.forEach(this::onOutcome);
    }

    @Override
    public void onQueuesLost(long applied, Outcome outcome) {
        onOutcome(outcome);
    }

    private void onOutcome(Outcome outcome) {
        for (Change change : outcome.changes()) {
            if (change instanceof Change.QueueDeleted deleted) {
                deleted(deleted.queue().id());
            } else if (change instanceof Change.QueueSettingsChanged changed) {
                settings(changed.queue());
            }
        }
    }

    private void settings(Queue queue) {
        MirroredHome home = homes.get(queue.id());
        if (home != null) {
            home.onQueue(queue);
            Mirror mirror = mirrors.get(queue.id());
            if (mirror != null) {
                mirror.onMode(isAutomatic(queue), queue.settings().lazy());
            }
        }
    }

    private static boolean isAutomatic(Queue queue) {
        Mirroring mirroring = QueueGroups.mirroring(queue);
        return mirroring != null && mirroring.synchronisesItself();
    }

    private void deleted(long queueId) {
        unknown(queueId);
        copies.drop(queueId);
    }

    private void unknown(long queueId) {
        homes.remove(queueId);
        starts.forget(queueId);
        Mirror mirror = mirrors.remove(queueId);
        if (mirror != null) {
            close(mirror);
        }
        host.onMoved(queueId);
    }

    @Override
    public void onView(String group, View view) {
        if (QueueGroups.isOfQueue(group)) {
            proposals.onView(group, view);
            views.put(group, view);
            MirroredHome home = homes.get(QueueGroups.queueId(group));
            if (home != null) {
                onView(home, view);
            }
        }
    }

    /** Its queue is not mirrored any more. It stays what it is, with the master's copy alone. */
    @Override
    public void onGroupDeleted(String group) {
        views.remove(group);
        MirroredHome home = QueueGroups.isOfQueue(group) ? homes.get(QueueGroups.queueId(group)) : null;
        View last = home == null ? null : home.view();
        if (home != null && last != null) {
            alone(home, LoneViews.of(last));
        }
    }

    private void alone(MirroredHome home, View view) {
        home.onAlone(view);
        follow(home);
        host.onMoved(home.queue().id());
    }

    private void onView(MirroredHome home, View view) {
        View before = home.view();
        home.onView(view);
        Member process;
        synchronized (this) {
            process = self;
        }
        if (before == null || view.epoch() > before.epoch() || view.logId() != before.logId()) {
            events.onView(home, before, view, process);
        }
        follow(home);
        if (before == null || before.up() != view.up()) {
            host.onRoutes();
        }
        host.onMoved(home.queue().id());
    }

    // ------------------------------------------------------------------------------------------------- the members

    private void follow() {
        homes.values().forEach(this::follow);
    }

    /** This node's member, if it is one of the ring, hears of the view. */
    private void follow(MirroredHome home) {
        synchronized (home) {
            View view = home.view();
            Mirror mirror = view == null ? null : member(home, view);
            if (view != null && mirror != null) {
                mirror.onView(view);
            }
        }
    }

    private @Nullable Mirror member(MirroredHome home, View view) {
        long id = home.queue().id();
        synchronized (this) {
            Mirror there = mirrors.get(id);
            Member process = self;
            Groups<byte[]> present = groups;
            if (there != null || isClosed || local == null || process == null || present == null) {
                return there;
            }
            if (!view.ring().contains(process) || starts.begin(local, home, view)) {
                return null;
            }
            Mirror.Place place = new Mirror.Place(QueueGroups.name(id), home.vhost(), home.queue());
            Copy copy = home.queue().definition().durable() ? copies.open(id, view, process) : null;
            Mirror.Start start = starts.start(home, view, copy != null);
            Mirror opened = new Mirror(place, process, view.logId(), present, start, copy, new Members());
            mirrors.put(id, opened);
            return opened;
        }
    }

    private final class Members implements Mirror.Host {
        @Override
        public LocalQueues local() {
            synchronized (Mirrors.this) {
                return Objects.requireNonNull(local, "the broker has not begun");
            }
        }

        @Override
        public boolean isLeaseHeld() {
            return lease.isHeld();
        }

        @Override
        public boolean isAutomatic(long queueId) {
            MirroredHome home = homes.get(queueId);
            return home != null && Mirrors.isAutomatic(home.queue());
        }

        @Override
        public void send(String node, String group, TransferFrame frame) {
            Link<byte[]> link = links.get(node);
            if (link != null) {
                link.sendAnyway(group, TYPE_TRANSFER, TransferCodec.encode(frame));
            }
        }

        @Override
        public boolean isDead(ChannelId channel) {
            NodeState node = channel.node().isEmpty() ? null : nodes.get(channel.node());
            return node != null
                    && (node.incarnation() > channel.incarnation()
                            || (node.incarnation() == channel.incarnation() && !node.running()));
        }

        @Override
        public void propose(String group, long epoch, Member member, boolean inSync) {
            long log;
            synchronized (Mirrors.this) {
                log = logId;
            }
            proposals.propose(log, group, epoch, member, inSync);
        }

        @Override
        public void onLeads(Mirror mirror) {
            starts.onLed(mirror.place().queue().id());
            Leading leading = mirror.leading();
            LOG.info(
                    "queue '{}' in vhost '{}' is led here now, in reign {}",
                    mirror.place().queue().name(),
                    mirror.place().vhost(),
                    leading == null ? 0 : leading.reign());
            host.onLeads(mirror.place().queue().id());
        }

        @Override
        public void onKept(long queueId) {
            starts.onKept(queueId);
        }

        @Override
        public void onLost(Mirror mirror, long messages) {
            MirroredHome home = homes.get(mirror.place().queue().id());
            events.onLost(mirror.place(), home == null ? "" : home.node(), messages);
        }

        @Override
        public void onFailed(Mirror mirror, Throwable failure) {
            LOG.error(
                    "the copy of queue '{}' in vhost '{}' has failed and takes part no more",
                    mirror.place().queue().name(),
                    mirror.place().vhost(),
                    failure);
            synchronized (Mirrors.this) {
                if (groups != null) {
                    groups.close(mirror.place().group());
                }
            }
            MirroredHome home = homes.get(mirror.place().queue().id());
            if (home != null) {
                // As master it would not be missed: another one goes on, which finds it lagging.
                handOver(List.of(home), () -> {});
            }
        }
    }
}
