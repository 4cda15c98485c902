package io.warren.mirroring.node;

import io.warren.core.spi.Ticker;
import io.warren.mirroring.attachment.AttachmentCodec;
import io.warren.mirroring.attachment.AttachmentFrame;
import io.warren.mirroring.group.Groups;
import io.warren.mirroring.link.DownReason;
import io.warren.mirroring.link.Link;
import io.warren.mirroring.link.LinkListener;
import io.warren.mirroring.link.Links;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Member;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's peers behind {@link Links}: attachment frames go as messages, reports as messages and with every heartbeat.
 *
 * <p>A process that comes back under a new incarnation has new links; those it had are down for whoever listens.
 */
public final class LinkedPeers implements Peers {
    private static final Logger LOG = LoggerFactory.getLogger(LinkedPeers.class);

    /** Streams of a link, beside those of its groups. */
    private static final String ATTACHMENTS = "warren.attachments";

    private static final String METADATA = "warren.metadata";

    private static final int TYPE_FRAME = 1;
    private static final int TYPE_REPORT = 2;
    private static final int REPORT_VALUES = 4;

    /** Makes what one process of this node has links with. */
    @FunctionalInterface
    public interface Opening {
        Port open(Member self);
    }

    /** Where links will be taken. */
    public interface Port {
        /** Runs the turns of groups; best the links' own thread. */
        Executor executor();

        /** Takes and dials links from now on. Once. */
        Links<byte[]> start(LinkListener<byte[]> listener);
    }

    /** Who has groups over this node's links. Called on the links' thread, or the one that opens; must not wait. */
    public interface GroupHost {
        /** Types of messages from here on, and below {@link Groups#TYPE_FIRST}, are the host's. */
        int TYPE_FIRST = 16;

        /** A process of this node begins; groups are opened with these from now on, and those of the process before are at their end. */
        void onProcess(Member self, Groups<byte[]> groups);

        /** A link has come up, or gone down. */
        void onLink(Link<byte[]> link, boolean up);

        /**
         * A message of the host's own.
         *
         * @throws IllegalArgumentException if it is none; the link is cut
         */
        void onMessage(Link<byte[]> link, String group, int type, byte[] body);

        /** Nobody has groups. */
        GroupHost NONE = new GroupHost() {
            @Override
            public void onProcess(Member self, Groups<byte[]> groups) {}

            @Override
            public void onLink(Link<byte[]> link, boolean up) {}

            @Override
            public void onMessage(Link<byte[]> link, String group, int type, byte[] body) {}
        };
    }

    /** Hears how far the replicas of other nodes are. Called on the links' thread; must not wait. */
    @FunctionalInterface
    public interface ReportListener {
        void onReport(String node, Report report);
    }

    /**
     * What a node says of its end of the metadata log.
     *
     * @param applied what whoever reads the topology there sees
     * @param term of the last entry in its copy of the log
     * @param index of the last entry
     */
    public record Report(long logId, long applied, long term, long index) {
        private long[] values() {
            return new long[] {logId, applied, term, index};
        }

        private static @Nullable Report of(long[] values) {
            return values.length == REPORT_VALUES ? new Report(values[0], values[1], values[2], values[3]) : null;
        }

        private byte[] bytes() {
            ByteBuffer bytes = ByteBuffer.allocate(REPORT_VALUES * Long.BYTES);
            for (long value : values()) {
                bytes.putLong(value);
            }
            return bytes.array();
        }

        private static @Nullable Report of(byte[] body) {
            long[] values = new long[body.length / Long.BYTES];
            ByteBuffer.wrap(body).asLongBuffer().get(values);
            return of(values);
        }
    }

    private final Opening opening;
    private final Ticker ticker;
    private final ReportListener reportListener;
    private final GroupHost host;
    private final Map<String, Long> heardNs = new ConcurrentHashMap<>();
    private volatile @Nullable Report last;
    private volatile @Nullable Session session;
    private volatile GroupHost queues = GroupHost.NONE;

    // Guarded by this.
    private Map<String, String> known = Map.of();
    private boolean closed;

    /**
     * No links yet.
     *
     * @param reportListener hears what comes from other nodes
     */
    public LinkedPeers(Opening opening, Ticker ticker, ReportListener reportListener, GroupHost host) {
        this.opening = opening;
        this.ticker = ticker;
        this.reportListener = reportListener;
        this.host = host;
    }

    @Override
    public void host(GroupHost mirroredQueues) {
        queues = mirroredQueues;
    }

    @Override
    public void open(Member self, Listener listener) {
        end();
        synchronized (this) {
            if (closed) {
                return;
            }
            Port port = opening.open(self);
            Session next = new Session(listener, new Groups<>(self, port.executor()));
            host.onProcess(self, next.groups);
            queues.onProcess(self, next.groups);
            // Before the links begin: who hears of the first of them may send at once.
            session = next;
            Links<byte[]> links = port.start(next);
            Report said = last;
            if (said != null) {
                links.tell(said.values());
            }
            next.links = links;
            known.forEach(links::keep);
        }
    }

    /** The session ends, and its listener hears that every link is down. */
    private void end() {
        Session before = session;
        session = null;
        if (before != null) {
            before.end();
        }
    }

    @Override
    public void know(Map<String, String> addresses) {
        synchronized (this) {
            Map<String, String> before = known;
            known = Map.copyOf(addresses);
            Session present = session;
            Links<byte[]> links = present == null ? null : present.links;
            if (links != null) {
                Set<String> gone = new HashSet<>(before.keySet());
                gone.removeAll(known.keySet());
                gone.forEach(links::drop);
                known.forEach(links::keep);
            }
        }
    }

    /** Tells the others at once, and again with each heartbeat. */
    public void report(Report report) {
        last = report;
        Session present = session;
        Links<byte[]> links = present == null ? null : present.links;
        if (present != null && links != null) {
            links.tell(report.values());
            byte[] body = report.bytes();
            present.up.values().forEach(link -> link.send(METADATA, TYPE_REPORT, body));
        }
    }

    @Override
    public void send(Member to, AttachmentFrame frame) {
        Session present = session;
        Link<byte[]> link = present == null ? null : present.up.get(to.node());
        if (link != null && link.peer().equals(to)) {
            ByteBuffer encoded = AttachmentCodec.encode(frame);
            byte[] body = new byte[encoded.remaining()];
            encoded.get(body);
            // What attachments have under way is bounded by their credit; a part of it cannot be left out.
            link.sendAnyway(ATTACHMENTS, TYPE_FRAME, body);
        }
    }

    /** Time has passed. */
    @Override
    public void onTick(long nowNs) {
        Session present = session;
        if (present != null) {
            present.groups.onTick(nowNs);
        }
    }

    @Override
    public boolean isLinked(String node) {
        Session present = session;
        return present != null && present.up.containsKey(node);
    }

    @Override
    public void cut(Member peer) {
        Session present = session;
        Link<byte[]> link = present == null ? null : present.up.get(peer.node());
        if (link != null && link.peer().equals(peer)) {
            link.cut();
        }
    }

    @Override
    public long heardNs(String node) {
        return heardNs.getOrDefault(node, NEVER);
    }

    @Override
    public long answeredNs(String node) {
        Session present = session;
        Link<byte[]> link = present == null ? null : present.up.get(node);
        return link == null ? NEVER : link.answeredNs();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        end();
    }

    /** The links of one process. */
    private final class Session implements LinkListener<byte[]> {
        private final Listener listener;
        private final Groups<byte[]> groups;
        private final Map<String, Link<byte[]>> up = new ConcurrentHashMap<>();
        private volatile @Nullable Links<byte[]> links;

        Session(Listener listener, Groups<byte[]> groups) {
            this.listener = listener;
            this.groups = groups;
        }

        void end() {
            Links<byte[]> ending = links;
            if (ending != null) {
                ending.close();
            }
            List.copyOf(up.values()).forEach(link -> onDown(link, DownReason.CUT));
        }

        private void heard(Link<byte[]> link) {
            heardNs.put(link.peer().node(), ticker.nowNs());
        }

        @Override
        public void onUp(Link<byte[]> link) {
            heard(link);
            up.put(link.peer().node(), link);
            Report said = last;
            if (said != null) {
                link.send(METADATA, TYPE_REPORT, said.bytes());
            }
            groups.onUp(link);
            host.onLink(link, true);
            queues.onLink(link, true);
            listener.onUp(link.peer());
        }

        @Override
        public void onDown(Link<byte[]> link, DownReason reason) {
            up.remove(link.peer().node(), link);
            groups.onDown(link, reason);
            host.onLink(link, false);
            queues.onLink(link, false);
            listener.onDown(link.peer());
        }

        @Override
        public void onRefused(Member peer) {
            listener.onRefused(peer);
        }

        @Override
        public void onUnreached(String address, String why) {
            LOG.info("nothing was reached at {}: {}", address, why);
        }

        @Override
        public void onFrame(Link<byte[]> link, String group, Frame<byte[]> frame, int bytes) {
            heard(link);
            groups.onFrame(link, group, frame, bytes);
        }

        @Override
        public void onMessage(Link<byte[]> link, String group, int type, byte[] body, int bytes) {
            heard(link);
            if (type >= Groups.TYPE_FIRST) {
                groups.onMessage(link, group, type, body, bytes);
                return;
            }
            try {
                onMessage(link, group, type, body);
            } catch (IllegalArgumentException malformed) {
                LOG.warn("{} sent what is no frame, and its link is cut: {}", link.peer(), malformed.getMessage());
                link.cut();
            } finally {
                link.giveBack(group, bytes);
            }
        }

        private void onMessage(Link<byte[]> link, String group, int type, byte[] body) {
            if (type == TYPE_FRAME) {
                listener.onFrame(link.peer(), AttachmentCodec.decode(ByteBuffer.wrap(body)));
            } else if (type == TYPE_REPORT) {
                onReport(link, Report.of(body));
            } else if (type >= GroupHost.TYPE_FIRST) {
                host.onMessage(link, group, type, body);
                queues.onMessage(link, group, type, body);
            } else {
                LOG.debug("{} sent a message of type {}, which means nothing here", link.peer(), type);
            }
        }

        private void onReport(Link<byte[]> link, @Nullable Report report) {
            if (report != null) {
                reportListener.onReport(link.peer().node(), report);
            }
        }

        @Override
        public void onHeartbeat(Link<byte[]> link, long[] values) {
            heard(link);
            onReport(link, Report.of(values));
        }
    }
}
