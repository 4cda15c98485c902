package io.warren.mirroring.group;

import io.warren.mirroring.link.DownReason;
import io.warren.mirroring.link.Link;
import io.warren.mirroring.link.LinkListener;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Log;
import io.warren.mirroring.ring.Member;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * All groups of one node: they hear of links and frames through here.
 *
 * <p>They listen to the node's links themselves, or the node's listener passes on what it hears, in order. A HELLO for a group that this node does not know yet is kept, the last of
 * each group and peer, until the group is opened or the link goes down: its sender has no reason to say it twice. Nothing else can come
 * so early, and is dropped.
 *
 * <p>Limit: {@value #HELLOS_MAX} HELLOs kept; the link that brings one more is cut, and everybody says HELLO again when it is back.
 *
 * @param <P> type of the payload
 */
public final class Groups<P> implements LinkListener<P> {
    /** Message types from here on are the groups' own; other users of a link take those below. */
    public static final int TYPE_FIRST = Group.TYPE_START_AGAIN;

    /** Ten times as many groups as a cluster is made for. */
    private static final int HELLOS_MAX = 100_000;

    private final Member self;
    private final Executor executor;
    private final Map<String, Group<P>> groups = new ConcurrentHashMap<>();

    /** Guards the links and the HELLOs, so that a group that is opened meanwhile hears of every link once. */
    private final Object lock = new Object();

    private final Map<String, Link<P>> links = new LinkedHashMap<>();
    private final Map<Early, Hello<P>> hellos = new LinkedHashMap<>();

    private record Early(String group, String node) {}

    private record Hello<P>(Link<P> link, Frame<P> frame) {}

    /**
     * No groups yet.
     *
     * @param executor runs the members' turns. With the links' own thread nothing is handed over between threads, and what arrives
     *     together makes one turn
     */
    public Groups(Member self, Executor executor) {
        this.self = self;
        this.executor = executor;
    }

    /**
     * Opens a group's member from what the disk holds.
     *
     * @param logId metadata log whose views it will install
     * @param log what the disk holds; owned by the member from here on. All of it has to be reported durable again
     * @throws IllegalStateException if it is open already
     */
    public Group<P> open(String name, long logId, GroupOptions options, Log<P> log, GroupOutput<P> output) {
        Group<P> group = new Group<>(name, self, logId, options, log, output, executor);
        synchronized (lock) {
            if (groups.containsKey(name)) {
                throw new IllegalStateException("group=" + name + " is open already");
            }
            links.values().forEach(group::onLinkUp);
            for (String node : links.keySet()) {
                Hello<P> hello = hellos.remove(new Early(name, node));
                if (hello != null) {
                    group.onFrame(hello.link, hello.frame, 0);
                }
            }
            // Last, for frames come without the lock, and none may come before its link is up.
            groups.put(name, group);
        }
        return group;
    }

    /** Closes a group's member: it takes in nothing any more. */
    public void close(String name) {
        Group<P> group = groups.remove(name);
        if (group != null) {
            group.stop();
        }
    }

    public @Nullable Group<P> group(String name) {
        return groups.get(name);
    }

    // ---------------------------------------------------------------------------------------------- from the links

    @Override
    public void onUp(Link<P> link) {
        synchronized (lock) {
            links.put(link.peer().node(), link);
            groups.values().forEach(group -> group.onLinkUp(link));
        }
    }

    @Override
    public void onDown(Link<P> link, DownReason reason) {
        synchronized (lock) {
            String node = link.peer().node();
            links.remove(node);
            hellos.keySet().removeIf(early -> early.node.equals(node));
            groups.values().forEach(group -> group.onLinkDown(link));
        }
    }

    @Override
    public void onFrame(Link<P> link, String name, Frame<P> frame, int bytes) {
        Group<P> group = groups.get(name);
        if (group == null) {
            group = keepEarly(link, name, frame);
        }
        if (group == null) {
            link.giveBack(name, bytes);
        } else {
            group.onFrame(link, frame, bytes);
        }
    }

    /** A frame for a group that was not open just now; if it is by now, that group. */
    private @Nullable Group<P> keepEarly(Link<P> link, String name, Frame<P> frame) {
        synchronized (lock) {
            Group<P> opened = groups.get(name);
            if (opened != null || !(frame instanceof Frame.Hello)) {
                return opened;
            }
            hellos.put(new Early(name, link.peer().node()), new Hello<>(link, frame));
            if (hellos.size() > HELLOS_MAX) {
                link.cut();
            }
            return null;
        }
    }

    /** A message of the groups' own, or of nobody's. */
    @Override
    public void onMessage(Link<P> link, String name, int type, byte[] body, int bytes) {
        Group<P> group = groups.get(name);
        if (type == Group.TYPE_START_AGAIN) {
            if (group == null) {
                Group.sayStartedAgain(link, name);
            } else {
                group.onStartAgain(link);
            }
        } else if (group != null && type == Group.TYPE_STARTED_AGAIN) {
            group.onStartedAgain(link);
        }
        link.giveBack(name, bytes);
    }

    /** Nothing to a group: it goes on with the link down, and the metadata will say who is gone. */
    @Override
    public void onRefused(Member peer) {}

    /** Nothing to a group. */
    @Override
    public void onUnreached(String address, String why) {}

    /** Nothing to a group. */
    @Override
    public void onHeartbeat(Link<P> link, long[] values) {}

    /** Time has passed; every tenth of a second to every second will do. */
    public void onTick(long nowNs) {
        groups.values().forEach(group -> group.onTick(nowNs));
    }
}
