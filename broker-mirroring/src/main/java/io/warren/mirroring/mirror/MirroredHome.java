package io.warren.mirroring.mirror;

import io.warren.core.metadata.Queue;
import io.warren.core.spi.MovingHome;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where one mirrored queue lives, as the last view has it that is known here. Written by who hears of views, read by any thread. */
public final class MirroredHome implements MovingHome {
    private final String vhost;
    private volatile Queue queue;
    private final Mirrors.Host host;
    private volatile @Nullable View view;
    private volatile String node;
    /** Its policy asks for no copies any more: no view will say that its master has ended. */
    private volatile boolean isAlone;

    MirroredHome(String vhost, Queue queue, Mirrors.Host host, @Nullable View view) {
        this.vhost = vhost;
        this.queue = queue;
        this.host = host;
        String home = queue.definition().home();
        this.node = home == null ? "" : home;
        if (view != null) {
            onView(view);
        }
    }

    void onView(View next) {
        isAlone = false;
        show(next);
    }

    private void show(View next) {
        view = next;
        Member master = next.master();
        if (master != null) {
            node = master.node();
        }
    }

    /** Its group is gone, and the master's copy is left. */
    void onAlone(View last) {
        // Before the view: nobody may take it for one of a group.
        isAlone = true;
        show(last);
    }

    /** It has no group, and a copy of it is at its home: a view is made of that when the node serves. */
    void leftAlone() {
        isAlone = true;
    }

    /** Of a queue that goes on alone, its node runs as another process: that one leads now, from what is on its disk. */
    @Nullable View next(NodeState process) {
        View last = view;
        Member before = last == null ? null : last.master();
        return last == null || before == null || !process.running() || process.incarnation() <= before.incarnation()
                ? null
                : LoneViews.next(last, new Member(before.node(), process.incarnation()));
    }

    /** Other settings apply to the queue. */
    void onQueue(Queue changed) {
        queue = changed;
    }

    /** Whether its policy asks for no copies any more. */
    boolean isAlone() {
        return isAlone;
    }

    String vhost() {
        return vhost;
    }

    Queue queue() {
        return queue;
    }

    /** Null as long as its group is not known. */
    public @Nullable View view() {
        return view;
    }

    @Override
    public boolean isAvailable() {
        View known = view;
        if (known == null || isAlone) {
            return host.isRunning(node);
        }
        // That its master's process has ended is no reason: a view says who comes next, or that nobody does.
        return known.up() && !host.isInaccessible(node);
    }

    @Override
    public String node() {
        return node;
    }

    @Override
    public List<String> slaves() {
        View known = view;
        return known == null ? List.of() : behindTheMaster(known.ring());
    }

    @Override
    public List<String> synchronisedSlaves() {
        View known = view;
        return known == null || !known.up() ? List.of() : behindTheMaster(known.inSync());
    }

    private static List<String> behindTheMaster(List<Member> members) {
        return members.stream().skip(1).map(Member::node).toList();
    }
}
