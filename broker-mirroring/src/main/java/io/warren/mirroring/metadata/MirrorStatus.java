package io.warren.mirroring.metadata;

import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The copies of one mirrored queue, as they are reported: by names of nodes, in ring order.
 *
 * <p>A value of one moment; it says what the metadata know. How far a copy has come its members know.
 *
 * @param master the master's node; null while no member that holds everything runs
 * @param slaves the other members that run, oldest first
 * @param inSync of these the ones in sync, oldest first
 * @param recoverable nodes from whose disks the queue could be recovered: those that hold everything that was confirmed, and are not in sync
 *     now. While there is no master these are what the queue waits for
 * @param inSyncMin least members in sync, the master included, for a publish to be confirmed
 * @param epoch number of the view this was read from
 */
public record MirrorStatus(
        @Nullable String master,
        List<String> slaves,
        List<String> inSync,
        List<String> recoverable,
        int inSyncMin,
        long epoch) {

    public MirrorStatus {
        slaves = List.copyOf(slaves);
        inSync = List.copyOf(inSync);
        recoverable = List.copyOf(recoverable);
    }

    /** What a view says. */
    public static MirrorStatus of(View view) {
        Member master = view.master();
        Set<String> recoverable = new LinkedHashSet<>(Succession.holders(view));
        if (master != null) {
            nodes(view.inSync()).forEach(recoverable::remove);
        }
        return new MirrorStatus(
                master == null ? null : master.node(),
                master == null ? List.of() : behindTheFirst(view.ring()),
                master == null ? List.of() : behindTheFirst(view.inSync()),
                List.copyOf(recoverable),
                view.minInSync(),
                view.epoch());
    }

    /** Slaves that do not hold everything: the number that RabbitMQ's pages show in red. */
    public int unsynchronisedCount() {
        return slaves.size() - inSync.size();
    }

    /** Whether enough members are in sync for publishes to be confirmed. */
    public boolean takesPublishes() {
        return master != null && inSync.size() + 1 >= inSyncMin;
    }

    private static List<String> behindTheFirst(List<Member> members) {
        List<String> nodes = nodes(members);
        return nodes.subList(1, nodes.size());
    }

    private static List<String> nodes(List<Member> members) {
        List<String> nodes = new ArrayList<>();
        members.forEach(member -> nodes.add(member.node()));
        return nodes;
    }
}
