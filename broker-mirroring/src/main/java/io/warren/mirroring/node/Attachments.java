package io.warren.mirroring.node;

import io.warren.core.message.Message;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.VirtualHost;
import io.warren.core.spi.AttachedChannel;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.LocalQueues;
import io.warren.core.spi.MovingHome;
import io.warren.core.spi.QueueHomes;
import io.warren.mirroring.attachment.AttachmentFrame;
import io.warren.mirroring.attachment.ChannelEnd;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.mirror.MirroredHome;
import io.warren.mirroring.mirror.Mirrors;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All attachments of one node: those of its channels to queues elsewhere, and those of channels elsewhere to its queues.
 *
 * <p>Decides nothing: it finds the end a frame is for, and gives each end one owner at a time. Any thread may call. Size: one row for
 * each channel here and queue elsewhere that it uses, until both have ended, and the same the other way round.
 */
final class Attachments implements QueueHomes, Mirrors.Host {
    private static final Logger LOG = LoggerFactory.getLogger("io.warren.mirroring.attachment");

    private final String node;
    private final Peers peers;
    private final Supplier<Definitions> topology;
    private final Runnable onRoutes;
    private final AtomicLong lastId = new AtomicLong();
    private final Map<Long, ChannelEndShell> channelEnds = new ConcurrentHashMap<>();
    private final Map<Far, QueueEndShell> queueEnds = new ConcurrentHashMap<>();
    private final Set<QueueEndShell> early = ConcurrentHashMap.newKeySet();
    private final MirroredEnds mirroredEnds = new MirroredEnds();

    private volatile @Nullable Mirrors mirrors;
    private volatile @Nullable Member self;
    /** What came before the broker was there; itself guards them. */
    private final List<Held> held = new ArrayList<>();

    private volatile boolean serving;
    /** The other nodes that run, as the metadata have it. */
    private volatile Map<String, Member> running = Map.of();
    /** The same as ends were told, and links; owned by the news. */
    private Map<String, Member> told = Map.of();

    private final Map<String, Member> linked = new HashMap<>();
    /** Since when there is no link to a node that runs. */
    private final Map<String, Long> apartSinceNs = new HashMap<>();
    /** Those to which there has been none for too long. */
    private volatile Set<String> inaccessible = Set.of();

    /** By the home's process: what channels that ended while there was no link to it have to tell it. */
    private final Map<Member, List<AttachmentFrame.Detach>> unsaid = new HashMap<>();

    private List<String> alarms = List.of();
    private volatile @Nullable Executor news;
    private volatile @Nullable LocalQueues local;

    private record Held(Member from, AttachmentFrame frame) {}

    /** A channel's end at another node. */
    private record Far(Member node, long id) {}

    /**
     * A node without channels.
     *
     * @param topology as this node's broker knows it: what is in it runs here, if it lives here
     * @param onRoutes run when other queues than before can be reached
     */
    Attachments(String node, Peers peers, Supplier<Definitions> topology, Runnable onRoutes) {
        this.onRoutes = onRoutes;
        this.node = node;
        this.peers = peers;
        this.topology = topology;
    }

    /** Set before the broker is there. */
    void begin(Mirrors mirroredQueues) {
        mirrors = mirroredQueues;
    }

    Mirrors mirrors() {
        return Objects.requireNonNull(mirrors, "mirrors");
    }

    /** This node's process: what is sent to it stays here. */
    void onProcess(Member process) {
        self = process;
    }

    LocalQueues local() {
        return Objects.requireNonNull(local, "the broker has not begun");
    }

    void failed(Throwable failure) {
        LOG.error("an attachment of node '{}' failed", node, failure);
    }

    // -------------------------------------------------------------------------------------------- for the core

    @Override
    public String here() {
        return node;
    }

    @Override
    public void begin(LocalQueues queues) {
        local = queues;
        news = queues.serial(this::failed);
    }

    @Override
    public boolean isRunning(String name) {
        return name.equals(node) || (running.containsKey(name) && !inaccessible.contains(name));
    }

    @Override
    public AttachedQueue attach(String vhost, Queue queue, AttachedChannel channel) {
        return attachQueue(0, vhost, queue, channel);
    }

    @Override
    public AttachedQueue attachQueue(long source, String vhost, Queue queue, AttachedChannel channel) {
        long id = lastId.incrementAndGet();
        MirroredHome moving = mirrors().known(queue.id());
        String home = moving != null
                ? moving.node()
                : Objects.requireNonNull(queue.definition().home(), "home");
        ChannelEnd.Target target = new ChannelEnd.Target(vhost, queue.name(), queue.id(), home, moving != null, source);
        ChannelEndShell end = new ChannelEndShell(this, id, target, channel);
        news(() -> {
            channelEnds.put(id, end);
            if (end.isMoving()) {
                mirroredEnds.add(end);
            }
            tell(end);
        });
        return end;
    }

    @Override
    public @Nullable MovingHome mirrored(String vhost, Queue queue) {
        return mirrors().home(vhost, queue);
    }

    // ------------------------------------------------------------------------------------------ mirrored queues

    @Override
    public void onMoved(long queueId) {
        news(() -> mirroredEnds.forEachAt(queueId, this::tell));
    }

    @Override
    public void onRoutes() {
        onRoutes.run();
    }

    @Override
    public boolean isInaccessible(String name) {
        return inaccessible.contains(name);
    }

    @Override
    public void onLeads(long queueId) {
        mirroredEnds.onLeads(queueId);
    }

    MirroredEnds mirroredEnds() {
        return mirroredEnds;
    }

    @Override
    public void reply(String to, String vhost, Message message) {
        Member peer = running.get(to);
        if (peer != null) {
            try {
                peers.send(peer, new AttachmentFrame.Reply(vhost, message));
            } catch (IllegalArgumentException tooLarge) {
                LOG.warn("a direct reply to node '{}' is dropped: {}", to, tooLarge.getMessage());
            }
        }
    }

    @Override
    public void alarms(List<String> names) {
        news(() -> {
            alarms = names;
            linked.values().forEach(peer -> peers.send(peer, new AttachmentFrame.Alarms(names)));
        });
    }

    /** A channel here has heard from its queue that it is mirrored from now on, which this node may not know yet. */
    void onMirrored(long channelEnd, ChannelEndShell end) {
        news(() -> {
            if (channelEnds.get(channelEnd) == end) {
                mirroredEnds.add(end);
                tell(end);
            }
        });
    }

    private boolean isThere(ChannelEnd.Target target) {
        VirtualHost vhost = topology.get().vhost(target.vhost());
        Queue queue = vhost == null ? null : vhost.queue(target.queue());
        return queue != null && queue.id() == target.queueId();
    }

    void forget(long channelEnd) {
        news(() -> {
            ChannelEndShell end = channelEnds.remove(channelEnd);
            if (end != null && end.isMoving()) {
                mirroredEnds.remove(end);
            }
        });
    }

    /** A channel has ended while there was no link to the home, whose end waits for it as long as this node's process runs. */
    void endedApart(Member home, AttachmentFrame.Detach word) {
        news(() -> {
            if (!home.equals(told.get(home.node()))) {
                return;
            }
            if (home.equals(linked.get(home.node()))) {
                peers.send(home, word);
            } else {
                unsaid.computeIfAbsent(home, first -> new ArrayList<>()).add(word);
            }
        });
    }

    /** An end at a mirrored queue whose reign is over, unless the channel attaches just now. */
    void forgetUnlessWanted(Member far, long id, QueueEndShell end) {
        queueEnds.computeIfPresent(new Far(far, id), (key, known) -> known == end && !end.isWanted() ? null : known);
    }

    void forget(Member far, long id, QueueEndShell end) {
        queueEnds.remove(new Far(far, id), end);
    }

    /** Attachments of channels here. */
    int channelEndCount() {
        return channelEnds.size();
    }

    /** Attachments to queues here. */
    int queueEndCount() {
        return queueEnds.size();
    }

    void send(Member to, AttachmentFrame frame) {
        if (to.equals(self)) {
            onFrame(to, frame);
        } else {
            peers.send(to, frame);
        }
    }

    boolean isDeclaredLater(long queueId) {
        return queueId >= topology.get().nextQueueId();
    }

    // ------------------------------------------------------------------------------------------- news of nodes

    /** One piece of news after the other; before there is a broker there is nobody to tell. */
    private void news(Runnable piece) {
        Executor order = news;
        if (order != null) {
            order.execute(piece);
        } else {
            synchronized (this) {
                piece.run();
            }
        }
    }

    /** The nodes as the metadata has them now. */
    void onNodes(Map<String, NodeState> nodes) {
        Map<String, Member> now = new HashMap<>();
        nodes.forEach((name, state) -> {
            if (state.running() && !name.equals(node)) {
                now.put(name, new Member(name, state.incarnation()));
            }
        });
        running = Map.copyOf(now);
        news(() -> tellNodes(now));
    }

    private void tellNodes(Map<String, Member> now) {
        Map<String, Member> before = told;
        told = now;
        before.forEach((name, member) -> {
            if (!member.equals(now.get(name))) {
                unsaid.remove(member);
                channelEnds.values().forEach(end -> end.onHomeEnded(member));
                queueEnds.values().forEach(end -> end.onChannelsNodeEnded(member));
            }
        });
        now.values().stream()
                .filter(member -> !member.equals(before.get(member.node())))
                .forEach(member -> tellHome(member.node()));
        // Ends that were made before their home was known to be down.
        channelEnds.values().stream()
                .filter(end -> !end.isMoving() && !now.containsKey(end.home()))
                .forEach(end -> end.onHome(null, null));
    }

    private void tellHome(String home) {
        channelEnds.values().stream()
                .filter(end -> end.isMoving() || end.home().equals(home))
                .forEach(this::tell);
    }

    private void tell(ChannelEndShell end) {
        if (end.isMoving()) {
            tellMoving(end);
            return;
        }
        String home = end.home();
        Member runs = inaccessible.contains(home) ? null : told.get(home);
        end.onHome(runs, linked.get(home));
    }

    /** Where its queue is led, as the last view has it. */
    private void tellMoving(ChannelEndShell end) {
        MirroredHome home = mirrors().known(end.queueId());
        View view = home == null ? null : home.view();
        if (home == null) {
            if (!isThere(end.target())) {
                end.onDeleted();
            }
        } else if (view != null) {
            Member master = view.master();
            boolean isHere = master != null && master.equals(self);
            if (master == null || (!isHere && !home.isAvailable())) {
                end.onNoMaster();
            } else {
                end.onMaster(view, master, isHere || master.equals(linked.get(master.node())));
            }
        }
    }

    /** Time has passed: a node that runs and to which there has been no link for too long is as good as down for channels here. */
    void onTick(long nowNs, long limitNs) {
        news(() -> {
            mirroredEnds.wantingRetry().forEach(this::tell);
            apartSinceNs.keySet().retainAll(told.keySet());
            Set<String> cut = new HashSet<>();
            told.forEach((name, member) -> {
                if (member.equals(linked.get(name))) {
                    apartSinceNs.remove(name);
                } else if (nowNs - apartSinceNs.computeIfAbsent(name, absent -> nowNs) > limitNs) {
                    cut.add(name);
                }
            });
            inaccessible(cut);
        });
    }

    private void inaccessible(Set<String> now) {
        Set<String> before = inaccessible;
        if (!now.equals(before)) {
            inaccessible = Set.copyOf(now);
            onRoutes.run();
            Set<String> changed = new HashSet<>(before);
            changed.addAll(now);
            changed.forEach(this::tellHome);
        }
    }

    void onUp(Member peer) {
        news(() -> {
            linked.put(peer.node(), peer);
            apartSinceNs.remove(peer.node());
            Set<String> left = new HashSet<>(inaccessible);
            left.remove(peer.node());
            inaccessible(left);
            if (!alarms.isEmpty()) {
                peers.send(peer, new AttachmentFrame.Alarms(alarms));
            }
            List<AttachmentFrame.Detach> words = unsaid.remove(peer);
            if (words != null) {
                words.forEach(word -> peers.send(peer, word));
            }
            tellHome(peer.node());
        });
    }

    /** Both kinds of ends hear of it at once, before anything comes over the next link. */
    void onDown(Member peer) {
        synchronized (held) {
            held.removeIf(one -> one.from.equals(peer));
        }
        queueEnds.values().forEach(end -> end.onLinkLost(peer));
        channelEnds.values().forEach(end -> end.onLinkLost(peer));
        news(() -> {
            if (linked.remove(peer.node(), peer)) {
                noAlarmsAt(peer.node());
                tellHome(peer.node());
            }
        });
    }

    private void noAlarmsAt(String peer) {
        LocalQueues queues = local;
        if (queues != null) {
            queues.alarmsAt(peer, List.of());
        }
    }

    /** This node was declared down: for the others it has ended, and so have its attachments. */
    void onSelfEnded() {
        queueEnds.values().forEach(QueueEndShell::end);
        queueEnds.clear();
        news(() -> {
            unsaid.clear();
            channelEnds.values().forEach(ChannelEndShell::onSelfEnded);
        });
    }

    // ------------------------------------------------------------------------------------------------- frames

    void onFrame(Member from, AttachmentFrame frame) {
        if (!serving) {
            synchronized (held) {
                if (!serving) {
                    // The other nodes know that this one runs before it serves. Their channels' credit bounds what
                    // comes.
                    held.add(new Held(from, frame));
                    return;
                }
            }
        }
        take(from, frame);
    }

    /** The broker is there, and the queues that live here run. */
    void serve() {
        synchronized (held) {
            held.forEach(one -> take(one.from, one.frame));
            held.clear();
            serving = true;
        }
    }

    private void take(Member from, AttachmentFrame frame) {
        if (frame instanceof AttachmentFrame.ToChannel toChannel) {
            ChannelEndShell end = channelEnds.get(frame.id());
            if (end != null) {
                end.onFrame(from, toChannel);
            }
        } else if (frame instanceof AttachmentFrame.Attach attach) {
            // Under the row's lock: whoever is about to forget the end sees that it is wanted.
            queueEnds
                    .compute(new Far(from, frame.id()), (far, known) -> {
                        QueueEndShell end = known == null ? new QueueEndShell(this, from, far.id) : known;
                        end.onAttachComes();
                        return end;
                    })
                    .onAttach(attach);
        } else if (frame instanceof AttachmentFrame.Alarms low) {
            news(() -> {
                if (from.equals(linked.get(from.node()))) {
                    local().alarmsAt(from.node(), low.names());
                }
            });
        } else if (frame instanceof AttachmentFrame.Reply reply) {
            local().reply(reply.vhost(), reply.message());
        } else {
            QueueEndShell end = queueEnds.get(new Far(from, frame.id()));
            if (end != null) {
                end.onFrame((AttachmentFrame.ToQueue) frame);
            } else if (frame instanceof AttachmentFrame.Detach) {
                // The queue is gone, and the word of it may have crossed this one.
                send(from, new AttachmentFrame.Detached(frame.id(), frame.attempt()));
            }
        }
    }

    /** More of the topology is known here: queues that were asked for too early may be there. */
    void onTopology() {
        if (!early.isEmpty()) {
            List<QueueEndShell> waiting = List.copyOf(early);
            waiting.forEach(early::remove);
            waiting.forEach(QueueEndShell::retryEarly);
        }
    }

    /** A queue will be declared that a channel elsewhere knows already. */
    void retryLater(QueueEndShell end) {
        early.add(end);
        // It may have been declared between the look and now; a look too many does no harm.
        if (!isDeclaredLater(end.earlyQueueId())) {
            onTopology();
        }
    }
}
