package io.warren.mirroring.mirror;

import io.warren.core.metadata.Queue;
import io.warren.core.spi.MovingHome;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Where one mirrored queue lives, as the last view has it that is known here. Written by who hears of views, read by any thread. */
public final class MirroredHome implements MovingHome {
    private final String vhost;
    private final Queue queue;
    private final Predicate<String> isReachable;
    private volatile @Nullable View view;
    private volatile String node;

    MirroredHome(String vhost, Queue queue, Predicate<String> isReachable, @Nullable View view) {
        this.vhost = vhost;
        this.queue = queue;
        this.isReachable = isReachable;
        String home = queue.definition().home();
        this.node = home == null ? "" : home;
        if (view != null) {
            onView(view);
        }
    }

    void onView(View next) {
        view = next;
        Member master = next.master();
        if (master != null) {
            node = master.node();
        }
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
        return (known == null || known.up()) && isReachable.test(node);
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
