package io.warren.mirroring.metadata;

import io.warren.mirroring.ring.Member;
import java.util.List;
import java.util.Map;

/**
 * A change of the metadata. Every command may be submitted twice and arrive late: each names what it relies on.
 */
public sealed interface Command {

    /**
     * All deaths and births in one: what each node named is now. Of the parts, one with a lower incarnation than is known is
     * refused, and so is a death of another incarnation than the one that runs.
     */
    record Nodes(Map<String, Change> changes) implements Command {
        public Nodes {
            changes = Map.copyOf(changes);
        }
    }

    /**
     * What became of one node.
     *
     * @param incarnation of which process this speaks
     * @param running whether it runs; false is a death
     * @param address where it can be reached; of no interest in a death
     * @param stopped whether it says of itself that it stops; false if others found it dead
     */
    record Change(long incarnation, boolean running, String address, boolean stopped) {
        public static Change up(long incarnation, String address) {
            return new Change(incarnation, true, address, false);
        }

        public static Change down(long incarnation) {
            return new Change(incarnation, false, "", false);
        }

        /** It was stopped, in order. */
        public static Change stopped(long incarnation) {
            return new Change(incarnation, false, "", true);
        }
    }

    /**
     * Makes a group. Those of its members that run are in sync from birth, since nothing is in its log.
     *
     * @param durable whether it outlives the loss of all its in-sync members
     * @param minInSync least size of the in-sync set at which stable may move
     * @param members nodes in ring order, the first to be the master
     */
    record CreateGroup(String group, boolean durable, int minInSync, List<String> members) implements Command {
        public CreateGroup {
            members = List.copyOf(members);
        }
    }

    record DeleteGroup(String group) implements Command {}

    /** Changes the limit of a group's in-sync set. */
    record Limit(String group, int minInSync) implements Command {}

    /**
     * A node that is down leaves the cluster for good, and the queues that live there are gone. Refused while it runs, and while a group
     * waits for what it holds; accepted if there is no such node.
     */
    record Forget(String node) implements Command {}

    /** From a group's master: these members hold everything that is stable. Refused in any other epoch than the one named. */
    record MemberInSync(long logId, List<Claim> claims) implements Command {
        public MemberInSync {
            claims = List.copyOf(claims);
        }
    }

    /** From a group's master: these members lag. Refused in any other epoch than the one named. */
    record MemberLagging(long logId, List<Claim> claims) implements Command {
        public MemberLagging {
            claims = List.copyOf(claims);
        }
    }

    /**
     * From the controller, where a policy says {@code always}: of groups of which nobody who holds everything is up, these members
     * become master as they are. Refused in any other epoch than the one named, and when the group is up.
     */
    record Promote(long logId, List<Claim> claims) implements Command {
        public Promote {
            claims = List.copyOf(claims);
        }
    }

    /**
     * Groups are to be led by other members, of those in sync; the masters of before stay in the ring. Refused in any other epoch than the one
     * named. It needs nobody's death: a node that leaves hands its masters over, and an operator spreads them.
     */
    record HandOver(long logId, List<Claim> claims) implements Command {
        public HandOver {
            claims = List.copyOf(claims);
        }
    }

    /** One group's part of a command that may name many. */
    record Claim(String group, long epoch, Member member) {}

    /** From the controller: the nodes that are to be members of a group. Those that do not run are not added. */
    record Members(String group, List<String> wanted) implements Command {
        public Members {
            wanted = List.copyOf(wanted);
        }
    }

    /**
     * What clients of one node want changed in the topology, as one group. A node submits the next when it has seen this one
     * applied. A copy that comes again is recognised by its number: a late declare would otherwise undo the delete that
     * followed it.
     *
     * @param submitter process that submits it; refused when that no longer counts as running
     * @param sequence its number at this process, from 1
     */
    record ForTopology(Member submitter, long sequence, List<io.warren.core.metadata.Command> commands)
            implements Command {
        public ForTopology {
            commands = List.copyOf(commands);
        }
    }
}
