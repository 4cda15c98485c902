package io.warren.mirroring.metadata;

import io.warren.core.metadata.Outcome;
import io.warren.mirroring.ring.Member;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What clients of one node have asked of the topology and were not told about yet.
 *
 * <p>A command is answered when every running node has applied it: a client that declares here and publishes through another node then
 * finds what it declared. A refusal changed nothing and is answered at once. One group of commands is under way at a time; what
 * comes meanwhile makes the next, so many channels share one entry of the log, and the order in which they asked is kept.
 *
 * <p>Pure; one owner at a time. Holds one row for each caller that waits, which the callers bound: a channel asks one thing at a
 * time.
 *
 * @param <T> what a caller is known by
 */
public final class TopologyRequests<T> {
    /** Most commands in one entry of the log: enough that a definitions import is a few entries, and small beside its limit. */
    private static final int GROUP_MAX = 256;

    private final TopologyOutput<T> output;
    private final long resendNs;
    private final long deadlineNs;
    private final ArrayDeque<Request<T>> waiting = new ArrayDeque<>();
    private final ArrayDeque<Spreading<T>> spreading = new ArrayDeque<>();
    private final Map<String, Long> reported = new HashMap<>();
    private Set<String> running = Set.of();
    private List<Request<T>> underWay = List.of();
    private Command.@Nullable ForTopology group;
    private @Nullable Member self;
    private long sequence;
    private long submittedNs;

    /** @param sinceNs when it was asked */
    private record Request<T>(io.warren.core.metadata.Command command, T caller, long sinceNs) {}

    /** @param applied number of the command whose effect everyone has to see */
    private record Spreading<T>(Request<T> request, Outcome outcome, long applied) {}

    /**
     * No caller waits yet.
     *
     * @param resendNs after which a group that was not seen applied is submitted again: the detection time
     * @param deadlineNs how long a caller waits
     */
    public TopologyRequests(TopologyOutput<T> output, long resendNs, long deadlineNs) {
        this.output = output;
        this.resendNs = resendNs;
        this.deadlineNs = deadlineNs;
    }

    /**
     * This node is registered as this process. What an earlier one had under way was seen applied before, or never will be, so it
     * is submitted as the new one's.
     */
    public void onRegistered(Member member, long nowNs) {
        if (member.equals(self)) {
            return;
        }
        self = member;
        sequence = 0;
        if (group != null) {
            submit(member, group.commands(), nowNs);
        }
        submitNext(nowNs);
    }

    /**
     * This node has come to a state of the metadata without hearing of the commands in between, perhaps of another log: what was told of
     * the old one's commands says nothing of the new one's. What this node had under way may be in it, with an outcome that is not known; its
     * commands are submitted again, and say what is there.
     *
     * @param submitted number of this process' last group that is in the state
     */
    public void onFollowing(long submitted, long nowNs) {
        reported.clear();
        Member member = self;
        if (group != null && member != null && submitted >= sequence) {
            submit(member, group.commands(), nowNs);
        }
    }

    /** The nodes that run now. */
    public void onRunning(Collection<String> nodes) {
        running = Set.copyOf(nodes);
        answerSpread();
    }

    public void request(io.warren.core.metadata.Command command, T caller, long nowNs) {
        waiting.addLast(new Request<>(command, caller, nowNs));
        submitNext(nowNs);
    }

    /** A group was applied here, and its effect can be seen here. */
    public void onApplied(long applied, Member submitter, List<Outcome> outcomes, long nowNs) {
        if (group == null || !submitter.equals(self)) {
            return;
        }
        List<Request<T>> done = underWay;
        group = null;
        underWay = List.of();
        for (int at = 0; at < done.size(); at++) {
            Outcome outcome = outcomes.get(at);
            if (outcome.refusal() != null) {
                output.answer(done.get(at).caller, outcome);
            } else {
                spreading.addLast(new Spreading<>(done.get(at), outcome, applied));
            }
        }
        submitNext(nowNs);
        answerSpread();
    }

    /** A node's readers see everything up to this command. */
    public void onReported(String node, long applied) {
        reported.merge(node, applied, Math::max);
        answerSpread();
    }

    /** Time has passed. */
    public void onTick(long nowNs) {
        if (group != null && nowNs - submittedNs > resendNs) {
            submittedNs = nowNs;
            output.submit(group);
        }
        expire(nowNs);
    }

    private void submitNext(long nowNs) {
        if (self == null || group != null || waiting.isEmpty()) {
            return;
        }
        List<Request<T>> next = new ArrayList<>();
        while (!waiting.isEmpty() && next.size() < GROUP_MAX) {
            next.add(waiting.removeFirst());
        }
        underWay = next;
        submit(self, next.stream().map(Request::command).toList(), nowNs);
    }

    private void submit(Member member, List<io.warren.core.metadata.Command> commands, long nowNs) {
        sequence++;
        submittedNs = nowNs;
        group = new Command.ForTopology(member, sequence, commands);
        output.submit(group);
    }

    private void answerSpread() {
        while (!spreading.isEmpty() && missing(spreading.getFirst().applied).isEmpty()) {
            Spreading<T> first = spreading.removeFirst();
            output.answer(first.request.caller, first.outcome);
        }
    }

    /** The running nodes that have not told that they applied a command. */
    private Set<String> missing(long applied) {
        Set<String> missing = new TreeSet<>();
        for (String node : running) {
            if (reported.getOrDefault(node, 0L) < applied) {
                missing.add(node);
            }
        }
        return missing;
    }

    private void expire(long nowNs) {
        while (!spreading.isEmpty() && isOver(spreading.getFirst().request, nowNs)) {
            Spreading<T> first = spreading.removeFirst();
            output.expire(first.request.caller, "not applied yet by " + String.join(", ", missing(first.applied)));
        }
        String why = "no controller took the command";
        while (!waiting.isEmpty() && isOver(waiting.getFirst(), nowNs)) {
            output.expire(waiting.removeFirst().caller, why);
        }
        // A group that is under way stays: it may be in the log already, and its number must not be given twice.
        if (!underWay.isEmpty() && isOver(underWay.get(0), nowNs)) {
            underWay.forEach(request -> output.expire(request.caller, why));
            underWay = List.of();
        }
    }

    private boolean isOver(Request<T> request, long nowNs) {
        return nowNs - request.sinceNs > deadlineNs;
    }
}
