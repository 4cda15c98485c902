package io.warren.mirroring.metadata;

import io.warren.mirroring.ring.Member;
import java.util.List;
import java.util.Map;

/**
 * A change of the metadata. Every command may be submitted twice and arrive late: each names what it relies on.
 *
 * @param <C> type of the topology's commands
 */
public sealed interface Command<C> {

    /**
     * All deaths and births in one: what each node named is now. Of the parts, one with a lower incarnation than is known is
     * refused, and so is a death of another incarnation than the one that runs.
     */
    record Nodes<C>(Map<String, Change> changes) implements Command<C> {
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
     */
    record Change(long incarnation, boolean running, String address) {
        public static Change up(long incarnation, String address) {
            return new Change(incarnation, true, address);
        }

        public static Change down(long incarnation) {
            return new Change(incarnation, false, "");
        }
    }

    /**
     * Makes a group. Those of its members that run are in sync from birth, since nothing is in its log.
     *
     * @param durable whether it outlives the loss of all its in-sync members
     * @param minInSync least size of the in-sync set at which stable may move
     * @param members nodes in ring order, the first to be the master
     */
    record CreateGroup<C>(String group, boolean durable, int minInSync, List<String> members) implements Command<C> {
        public CreateGroup {
            members = List.copyOf(members);
        }
    }

    record DeleteGroup<C>(String group) implements Command<C> {}

    /** Changes the limit of a group's in-sync set. */
    record Limit<C>(String group, int minInSync) implements Command<C> {}

    /** From a group's master: these members hold everything that is stable. Refused in any other epoch than the one named. */
    record MemberInSync<C>(long logId, List<Claim> claims) implements Command<C> {
        public MemberInSync {
            claims = List.copyOf(claims);
        }
    }

    /** From a group's master: these members lag. Refused in any other epoch than the one named. */
    record MemberLagging<C>(long logId, List<Claim> claims) implements Command<C> {
        public MemberLagging {
            claims = List.copyOf(claims);
        }
    }

    /** One group's part of a command that may name many. */
    record Claim(String group, long epoch, Member member) {}

    /** From the controller: the nodes that are to be members of a group. Those that do not run are not added. */
    record Members<C>(String group, List<String> wanted) implements Command<C> {
        public Members {
            wanted = List.copyOf(wanted);
        }
    }

    /** For the topology. */
    record ForTopology<C>(C command) implements Command<C> {}
}
