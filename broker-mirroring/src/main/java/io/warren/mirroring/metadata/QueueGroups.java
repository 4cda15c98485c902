package io.warren.mirroring.metadata;

import io.warren.core.metadata.Change;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Mirroring;
import io.warren.core.metadata.Outcome;
import io.warren.core.metadata.Policy;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.Relocation;
import io.warren.core.metadata.Restart;
import io.warren.core.metadata.VirtualHost;
import io.warren.mirroring.metadata.MetadataState.GroupState;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The groups of mirrored queues: each follows what the policy of its queue asks and which nodes run.
 *
 * <p>A queue is mirrored while its policy has {@code ha-mode} and it is not exclusive. Invariants, after each command:
 *
 * <ul>
 *   <li>A mirrored queue whose home runs has a group, named after its id; every group of that kind has such a queue.
 *   <li>While the group is up its master's node is the queue's home. While it is down, home is the node of the last master.
 *   <li>A mirrored queue without a group has a home that is down: when that comes back, the group begins with it.
 * </ul>
 *
 * <p>A group begins in one of two ways. With its queue, it begins empty, and all members are in sync. Where a queue comes to be mirrored later,
 * its home is the only member in sync: what it holds is the content. When mirroring ends the group goes, and the copy of the master stays
 * behind as a plain queue.
 *
 * <p>What is here that could be computed from the state is an index; a snapshot does not have it.
 */
public final class QueueGroups {
    private static final String PREFIX = "queue-";
    /** Which links are up the metadata do not know; whoever does may have the members changed. */
    private static final LinkReports ALL_UP = (one, other) -> true;

    private final LogId logId;
    private final GroupTable groups;
    private final Succession.Running running;
    private final Supplier<List<String>> runningNodes;
    private final boolean areMirrored;
    /** Of each group here, whose it is. */
    private final Map<String, Owner> owners = new HashMap<>();

    /** A queue in the topology. */
    private record Owner(String vhost, String queue, long id) {
        String group() {
            return name(id);
        }
    }

    /** @param areMirrored false: no policy has an effect */
    QueueGroups(
            LogId logId,
            GroupTable groups,
            Succession.Running running,
            Supplier<List<String>> runningNodes,
            boolean areMirrored) {
        this.areMirrored = areMirrored;
        this.logId = logId;
        this.groups = groups;
        this.running = running;
        this.runningNodes = runningNodes;
    }

    /** The name of a queue's group. */
    public static String name(long queueId) {
        return PREFIX + queueId;
    }

    /** Whether a name is one that only the group of a queue may have. */
    public static boolean isOfQueue(String group) {
        return group.startsWith(PREFIX)
                && group.length() > PREFIX.length()
                && group.chars().skip(PREFIX.length()).allMatch(digit -> digit >= '0' && digit <= '9');
    }

    /** The id of the queue whose group has this name; {@link #isOfQueue} says whether it is one. */
    public static long queueId(String group) {
        if (!isOfQueue(group)) {
            throw new IllegalArgumentException("group=" + group + " is not a queue's; those are " + PREFIX + "<id>");
        }
        return Long.parseLong(group.substring(PREFIX.length()));
    }

    /** What a queue's policy asks of its group; null if it is not mirrored. */
    public static @Nullable Mirroring mirroring(Queue queue) {
        return queue.definition().isExclusive() ? null : mirroring(queue.policy());
    }

    private @Nullable Mirroring asked(Queue queue) {
        return areMirrored ? mirroring(queue) : null;
    }

    static @Nullable Mirroring mirroring(@Nullable Policy policy) {
        return policy == null ? null : Mirroring.of(policy.definition());
    }

    static PlacementPolicy placement(Mirroring mirroring) {
        return switch (mirroring.mode()) {
            case ALL -> new PlacementPolicy.All();
            case EXACTLY -> new PlacementPolicy.Exactly(mirroring.copies());
            case NODES -> new PlacementPolicy.Nodes(mirroring.nodes());
        };
    }

    // --------------------------------------------------------------------------------------------------- following

    /** Takes note of whose the groups are: of a state that was read, or with which a log begins. */
    void begin(Definitions topology) {
        owners.clear();
        for (VirtualHost vhost : topology.vhosts().values()) {
            for (Queue queue : vhost.queues().values()) {
                if (groups.has(name(queue.id()))) {
                    Owner owner = new Owner(vhost.name(), queue.name(), queue.id());
                    owners.put(owner.group(), owner);
                }
            }
        }
    }

    /** Commands for the topology have been applied: queues came, went, or have another policy. */
    void onTopology(Definitions topology, List<Outcome> outcomes, long epoch) {
        Map<Long, Owner> touched = new LinkedHashMap<>();
        Set<Long> declared = new HashSet<>();
        for (Outcome outcome : outcomes) {
            for (Change change : outcome.changes()) {
                if (change instanceof Change.QueueDeclared queue) {
                    declared.add(queue.queue().id());
                    touch(touched, queue.vhost(), queue.queue());
                } else if (change instanceof Change.QueueDeleted queue) {
                    touch(touched, queue.vhost(), queue.queue());
                } else if (change instanceof Change.QueueSettingsChanged queue) {
                    touch(touched, queue.vhost(), queue.queue());
                }
            }
        }
        for (Owner owner : touched.values()) {
            follow(owner, queue(topology, owner), declared.contains(owner.id()), epoch);
        }
    }

    private static void touch(Map<Long, Owner> touched, String vhost, Queue queue) {
        touched.put(queue.id(), new Owner(vhost, queue.name(), queue.id()));
    }

    /** Other nodes run than before, and the views have followed that: now the members do. */
    void onNodes(Definitions topology, long epoch) {
        owners.keySet().removeIf(group -> !groups.has(group));
        for (VirtualHost vhost : topology.vhosts().values()) {
            for (Queue queue : vhost.queues().values()) {
                if (asked(queue) != null) {
                    follow(new Owner(vhost.name(), queue.name(), queue.id()), queue, false, epoch);
                }
            }
        }
    }

    /** A group's members have become something else, which may be what a policy waits for. */
    void onClaim(Definitions topology, String group, long epoch) {
        Owner owner = owners.get(group);
        if (owner != null) {
            follow(owner, queue(topology, owner), false, epoch);
        }
    }

    private void follow(Owner owner, @Nullable Queue queue, boolean isNew, long epoch) {
        Mirroring mirroring = queue == null ? null : asked(queue);
        GroupState known = groups.get(owner.group());
        if (queue == null || mirroring == null) {
            groups.delete(owner.group());
            owners.remove(owner.group());
        } else if (known == null) {
            begin(owner, queue, mirroring, isNew, epoch);
        } else {
            View limited = Succession.onLimit(known.view(), epoch, mirroring.inSyncMin());
            groups.put(owner.group(), known, placed(limited, mirroring, epoch));
        }
    }

    private void begin(Owner owner, Queue queue, Mirroring mirroring, boolean isNew, long epoch) {
        String home = queue.definition().home();
        Member first = home == null ? null : running.member(home);
        if (first == null) {
            return;
        }
        View alone = Succession.alone(logId.id(), epoch, mirroring.inSyncMin(), first);
        View view = placed(alone, mirroring, epoch);
        if (isNew) {
            // Nothing is in its log yet, so they hold all of it.
            List<String> ring = view.ring().stream().map(Member::node).toList();
            View born = Succession.first(logId.id(), epoch, mirroring.inSyncMin(), ring, running);
            view = born == null ? view : placed(born, mirroring, epoch);
        }
        groups.put(owner.group(), Restart.isKept(queue), view);
        owners.put(owner.group(), owner);
    }

    private View placed(View view, Mirroring mirroring, long epoch) {
        if (!view.up()) {
            return view;
        }
        View next = Succession.onMembers(view, epoch, wanted(view, mirroring), running);
        return next == null ? view : next;
    }

    private List<String> wanted(View view, Mirroring mirroring) {
        return Placement.place(placement(mirroring), view, runningNodes.get(), ALL_UP, groups::rings);
    }

    // ---------------------------------------------------------------------------------------------------- questions

    /** The nodes that its policy wants in the ring of a group that is up; null if it is down or no queue's. */
    @Nullable List<String> wanted(Definitions topology, String group) {
        Owner owner = owners.get(group);
        GroupState known = groups.get(group);
        Queue queue = owner == null ? null : queue(topology, owner);
        Mirroring mirroring = queue == null ? null : asked(queue);
        return known == null || mirroring == null || !known.view().up() ? null : wanted(known.view(), mirroring);
    }

    /**
     * Of groups that are down the member that is to lead all the same. As in RabbitMQ, what a policy says of failures holds for nodes that were
     * stopped too, and what it says of these besides.
     */
    List<Command.Claim> unsynchronisedPromotions(Definitions topology, Predicate<String> wasStopped) {
        List<Command.Claim> claims = new ArrayList<>();
        for (String name : groups.down()) {
            Owner owner = owners.get(name);
            GroupState group = groups.get(name);
            Queue queue = owner == null ? null : queue(topology, owner);
            Mirroring mirroring = queue == null ? null : asked(queue);
            if (group == null || mirroring == null) {
                continue;
            }
            View view = group.view();
            boolean isAllowed = mirroring.promotesOnFailure()
                    && (mirroring.promotesOnShutdown()
                            || !wasStopped.test(view.inSync().get(0).node()));
            if (isAllowed && !view.others().isEmpty()) {
                claims.add(new Command.Claim(name, view.epoch(), view.others().get(0)));
            }
        }
        return claims;
    }

    /** The queue of a group, as {@code vhost/name}; the group's name if it is no queue's. */
    String queueOf(String group) {
        Owner owner = owners.get(group);
        return owner == null ? group : owner.vhost() + "/" + owner.queue();
    }

    /** Of these groups those whose master is not where their queue lives: it lives there from now on. */
    List<Relocation.Move> moves(Definitions topology, Iterable<String> names) {
        List<Relocation.Move> moves = new ArrayList<>();
        for (String name : names) {
            Owner owner = owners.get(name);
            GroupState group = groups.get(name);
            Member master = group == null ? null : group.view().master();
            Queue queue = owner == null ? null : queue(topology, owner);
            if (owner != null
                    && queue != null
                    && master != null
                    && !master.node().equals(queue.definition().home())) {
                moves.add(new Relocation.Move(owner.vhost(), owner.queue(), owner.id(), master.node()));
            }
        }
        return moves;
    }

    private static @Nullable Queue queue(Definitions topology, Owner owner) {
        VirtualHost vhost = topology.vhost(owner.vhost());
        Queue queue = vhost == null ? null : vhost.queue(owner.queue());
        return queue == null || queue.id() != owner.id() ? null : queue;
    }
}
