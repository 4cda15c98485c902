package io.warren.mirroring.metadata;

import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Which nodes are to be members of a group: pure, so every controller comes to the same end.
 *
 * <p>Nobody who stands in the ring is moved without need: the answer names the nodes that stay, in ring order, then those to be
 * added. A node is added only when its links to all that stay have been up for a detection time, for its place in the ring may
 * bring any of them next to it.
 *
 * <p>One difference to RabbitMQ: under {@code nodes}, when the master is not listed and nobody listed is in sync, the master stays
 * until somebody is, even if an unlisted slave is in sync. RabbitMQ would promote that slave, and then move once more.
 */
public final class Placement {
    private Placement() {}

    /**
     * Names the nodes that are to be members.
     *
     * @param view present view of a group that is up
     * @param running nodes that run
     * @param load of a node, compared only: the less, the sooner it gets a copy
     * @return the wanted members; the master's node first if it stays
     */
    public static List<String> place(
            PlacementPolicy policy,
            View view,
            Collection<String> running,
            LinkReports links,
            ToLongFunction<String> load) {
        List<String> present = view.ring().stream().map(Member::node).toList();
        List<String> candidates = running.stream()
                .filter(node -> !present.contains(node))
                .sorted(Comparator.comparingLong(load).thenComparing(Comparator.naturalOrder()))
                .toList();
        if (policy instanceof PlacementPolicy.Exactly exactly) {
            List<String> staying = present.subList(0, Math.min(exactly.count(), present.size()));
            return withAdded(staying, candidates, exactly.count(), links);
        }
        if (policy instanceof PlacementPolicy.Nodes listed) {
            return onListed(listed.nodes(), view, candidates, present, links);
        }
        return withAdded(present, candidates, Integer.MAX_VALUE, links);
    }

    private static List<String> onListed(
            List<String> listed, View view, List<String> candidates, List<String> present, LinkReports links) {
        boolean listedInSync = view.inSync().stream().anyMatch(member -> listed.contains(member.node()));
        Set<String> staying = new LinkedHashSet<>();
        for (String node : present) {
            boolean onlyGoodCopy =
                    !listedInSync && node.equals(view.inSync().get(0).node());
            if (listed.contains(node) || onlyGoodCopy) {
                staying.add(node);
            }
        }
        List<String> wanted = listed.stream().filter(candidates::contains).toList();
        return withAdded(List.copyOf(staying), wanted, Integer.MAX_VALUE, links);
    }

    private static List<String> withAdded(
            List<String> staying, List<String> candidates, int countMax, LinkReports links) {
        List<String> wanted = new ArrayList<>(staying);
        for (String node : candidates) {
            if (wanted.size() < countMax && wanted.stream().allMatch(other -> links.isUp(node, other))) {
                wanted.add(node);
            }
        }
        return wanted;
    }

    /**
     * The ring without the member that a cut link costs it, or the whole ring if no link it needs is cut. A ring needs the links
     * between neighbours and those from the last in-sync member, and each behind it, back to the master. Of the two ends the one
     * with fewer links up inside the group goes; on a tie the younger.
     */
    public static List<String> withoutCut(View view, LinkReports links) {
        List<String> ring = view.ring().stream().map(Member::node).toList();
        for (int right = 1; right < ring.size(); right++) {
            int left = right - 1;
            boolean closes = right >= view.inSync().size() - 1;
            if (!links.isUp(ring.get(left), ring.get(right))) {
                return without(ring, loser(ring, left, right, links));
            }
            if (closes && !links.isUp(ring.get(0), ring.get(right))) {
                return without(ring, loser(ring, 0, right, links));
            }
        }
        return ring;
    }

    private static int loser(List<String> ring, int older, int younger, LinkReports links) {
        return linkCount(ring, older, links) < linkCount(ring, younger, links) ? older : younger;
    }

    private static long linkCount(List<String> ring, int at, LinkReports links) {
        return ring.stream().filter(node -> links.isUp(ring.get(at), node)).count();
    }

    private static List<String> without(List<String> ring, int gone) {
        List<String> rest = new ArrayList<>(ring);
        rest.remove(gone);
        return rest;
    }
}
