package io.warren.mirroring.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.mirroring.group.Groups;
import io.warren.mirroring.link.Link;
import io.warren.mirroring.node.LinkedPeers.GroupHost;
import io.warren.mirroring.raft.LogPosition;
import io.warren.mirroring.ring.Member;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives {@link Candidacy} one owner at a time and carries its questions over the nodes' links, on a stream of their own. Everything else that
 * links bring is passed on to whoever has groups over them.
 */
final class Elections implements GroupHost {
    private static final Logger LOG = LoggerFactory.getLogger(Elections.class);

    private static final String STREAM = "warren.election";
    private static final int TYPE_QUESTION = TYPE_FIRST;
    private static final int TYPE_ANSWER = TYPE_FIRST + 1;
    private static final int ANSWER_BYTES = 3 * Long.BYTES;

    /** This node's copy of the metadata log. */
    interface Copy {
        LogPosition end() throws IOException;

        /** Who leads, as far as is known. */
        @Nullable String leader();

        Set<String> voters();
    }

    private final GroupHost host;
    private final Map<String, Link<byte[]>> links = new ConcurrentHashMap<>();
    private final Candidacy candidacy;
    private volatile @Nullable Copy copy;

    /**
     * Nobody is linked yet.
     *
     * @param host who has groups over this node's links
     * @param stand has this node stand for election in the name of a leader that is dead; must not wait
     */
    Elections(String self, GroupHost host, Consumer<String> stand) {
        this.host = host;
        candidacy = new Candidacy(self, new Candidacy.Output() {
            @Override
            public void ask(String voter, long question, String deadLeader) {
                byte[] name = deadLeader.getBytes(UTF_8);
                byte[] body = new byte[Long.BYTES + name.length];
                ByteBuffer.wrap(body).putLong(question).put(name);
                send(voter, TYPE_QUESTION, body);
            }

            @Override
            public void stand(String deadLeader) {
                stand.accept(deadLeader);
            }
        });
    }

    /** The copy is there; who asked before that was not answered. */
    void begin(Copy itsCopy) {
        copy = itsCopy;
    }

    /** The nodes there are links with. */
    Set<String> linked() {
        return Set.copyOf(links.keySet());
    }

    /** A node's process has ended: if it led, it is found out who stands for election. */
    void onDead(String node) {
        Copy present = copy;
        LogPosition end = end();
        if (present != null && end != null && node.equals(present.leader())) {
            Set<String> voters = present.voters();
            synchronized (candidacy) {
                candidacy.onLeaderDead(node, voters, links.keySet(), end);
            }
        }
    }

    private @Nullable LogPosition end() {
        Copy present = copy;
        try {
            return present == null ? null : present.end();
        } catch (IOException | RuntimeException unknown) {
            LOG.debug("the end of this node's metadata log is not known", unknown);
            return null;
        }
    }

    private void send(String node, int type, byte[] body) {
        Link<byte[]> link = links.get(node);
        if (link != null) {
            link.sendAnyway(STREAM, type, body);
        }
    }

    // ---- from the links

    @Override
    public void onProcess(Member self, Groups<byte[]> groups) {
        links.clear();
        host.onProcess(self, groups);
    }

    @Override
    public void onLink(Link<byte[]> link, boolean up) {
        String node = link.peer().node();
        if (up) {
            links.put(node, link);
            synchronized (candidacy) {
                candidacy.onLinked(node);
            }
        } else if (links.remove(node, link)) {
            synchronized (candidacy) {
                candidacy.onUnlinked(node);
            }
        }
        host.onLink(link, up);
    }

    @Override
    public void onMessage(Link<byte[]> link, String group, int type, byte[] body) {
        if (!group.equals(STREAM)) {
            host.onMessage(link, group, type, body);
            return;
        }
        ByteBuffer values = ByteBuffer.wrap(body);
        if (type == TYPE_QUESTION && body.length >= Long.BYTES) {
            onQuestion(
                    link.peer().node(), values.getLong(), UTF_8.decode(values).toString());
        } else if (type == TYPE_ANSWER && body.length == ANSWER_BYTES) {
            onAnswer(link.peer().node(), values.getLong(), new LogPosition(values.getLong(), values.getLong()));
        } else {
            throw new IllegalArgumentException("an election's message of type=" + type + " with bytes=" + body.length);
        }
    }

    private void onQuestion(String voter, long question, String deadLeader) {
        LogPosition end = end();
        if (end != null) {
            byte[] body = new byte[ANSWER_BYTES];
            ByteBuffer.wrap(body).putLong(question).putLong(end.term()).putLong(end.index());
            send(voter, TYPE_ANSWER, body);
            onDead(deadLeader);
        }
    }

    private void onAnswer(String voter, long question, LogPosition end) {
        synchronized (candidacy) {
            candidacy.onAnswer(voter, question, end);
        }
    }
}
