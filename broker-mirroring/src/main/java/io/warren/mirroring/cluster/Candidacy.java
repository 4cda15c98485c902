package io.warren.mirroring.cluster;

import io.warren.mirroring.raft.LogPosition;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whether this node stands for election now that the leader of the metadata log is proven dead: of the voters that are left it should
 * be one only, the one whose copy of the log ends last, of several the first by name.
 *
 * <p>What the others said with their last heartbeats may be older than a command. Then two might stand, each voting for itself, or one
 * that holds less than the other; neither can win, and none may try again before the timeout. So who finds the leader dead asks the
 * others it is linked with, and judges by their answers. Nobody adds to the log any more, so all who ask find the same one. Who is asked has
 * heard of the death by that, and asks in turn: the one who should stand may be the last to find out by itself.
 *
 * <p>It stands only where the answers and its own vote are a majority: an election that cannot be won would be repeated, with ever higher
 * terms. If it does not come to stand, the ordinary timeout decides. Pure; one owner at a time.
 */
final class Candidacy {

    /** Everything it can cause. */
    interface Output {
        /**
         * Ask this voter where its copy of the log ends, and let it know that the leader is dead.
         *
         * @param question to come back with the answer
         */
        void ask(String voter, long question, String deadLeader);

        /** Stand for election, in the name of the leader that is dead. */
        void stand(String deadLeader);
    }

    private final String self;
    private final Output output;
    private final Set<String> awaited = new TreeSet<>();
    private long question;
    /** The leader whose death this node has dealt with, or does; null once it is known to live again. */
    private @Nullable String mourned;

    /** The leader that was found dead, as long as it is open whether this node stands; else null. */
    private @Nullable String dead;

    private LogPosition own = new LogPosition(0, 0);
    private int voterCount;
    /** Votes that can be counted on, this node's own among them. */
    private int votes;

    Candidacy(String self, Output output) {
        this.self = self;
        this.output = output;
    }

    /**
     * The leader's process has ended, as this node has found or heard; the second time this changes nothing.
     *
     * @param voters all that vote
     * @param linked nodes that this one is linked with
     * @param end where this node's copy of the log ends
     */
    void onLeaderDead(String leader, Collection<String> voters, Collection<String> linked, LogPosition end) {
        if (leader.equals(mourned) || leader.equals(self) || !voters.contains(self)) {
            return;
        }
        mourned = leader;
        dead = leader;
        question++;
        awaited.clear();
        own = end;
        voterCount = new HashSet<>(voters).size();
        votes = 1;
        awaited.addAll(voters);
        awaited.retainAll(linked);
        awaited.remove(self);
        awaited.remove(leader);
        Set.copyOf(awaited).forEach(voter -> output.ask(voter, question, leader));
        standIfFirst();
    }

    /** Where another voter's copy of the log ends; an answer to an earlier question says nothing. */
    void onAnswer(String voter, long answered, LogPosition end) {
        if (dead == null || answered != question || !awaited.remove(voter)) {
            return;
        }
        int order = end.compareTo(own);
        if (order > 0 || (order == 0 && voter.compareTo(self) < 0)) {
            // That one stands as soon as it has found the leader dead itself.
            dead = null;
            return;
        }
        votes++;
        standIfFirst();
    }

    /** There is a link with a process of that node. */
    void onLinked(String node) {
        if (node.equals(mourned)) {
            mourned = null;
            dead = null;
        }
    }

    /** There is no link to that node any more; it will not answer. */
    void onUnlinked(String node) {
        if (awaited.remove(node)) {
            standIfFirst();
        }
    }

    private void standIfFirst() {
        String leader = dead;
        if (leader != null && awaited.isEmpty()) {
            dead = null;
            if (2 * votes > voterCount) {
                output.stand(leader);
            }
        }
    }
}
