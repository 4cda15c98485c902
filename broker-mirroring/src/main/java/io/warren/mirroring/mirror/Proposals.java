package io.warren.mirroring.mirror;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.metadata.Result;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What masters here propose of their members, submitted until its effect or a newer epoch shows. Thread-safe.
 *
 * <p>At most one proposal for each member of each group that is led here. When a node comes back that is a thousand queues' member, there are as many at once:
 * what has to be said again is said in one command for many, and what a view makes void is found by its group.
 */
final class Proposals {
    /** Of one command that says things again: far below what the log takes in one. */
    private static final int CLAIMS_MAX = 256;

    private final MetadataStore store;
    /** By group, then by member. */
    private final Map<String, Map<Member, Proposal>> open = new HashMap<>();

    private record Kind(long logId, boolean inSync) {
        Command of(List<Command.Claim> claims) {
            return inSync ? new Command.MemberInSync(logId, claims) : new Command.MemberLagging(logId, claims);
        }
    }

    private static final class Proposal {
        private final Kind kind;
        private final Command.Claim claim;
        /** Whether nobody knows what became of it. */
        private boolean isUnknown;

        Proposal(Kind kind, Command.Claim claim) {
            this.kind = kind;
            this.claim = claim;
        }
    }

    Proposals(MetadataStore store) {
        this.store = store;
    }

    void propose(long logId, String group, long epoch, Member member, boolean inSync) {
        Proposal proposal = new Proposal(new Kind(logId, inSync), new Command.Claim(group, epoch, member));
        synchronized (open) {
            open.computeIfAbsent(group, name -> new HashMap<>()).put(member, proposal);
        }
        submit(proposal.kind, List.of(proposal));
    }

    private void submit(Kind kind, List<Proposal> proposals) {
        Command command =
                kind.of(proposals.stream().map(proposal -> proposal.claim).toList());
        store.submit(command, result -> onResult(proposals, result));
    }

    private void onResult(List<Proposal> proposals, Result result) {
        synchronized (open) {
            for (Proposal proposal : proposals) {
                if (result == Result.UNKNOWN) {
                    proposal.isUnknown = true;
                } else {
                    remove(proposal);
                }
            }
        }
    }

    private void remove(Proposal proposal) {
        Map<Member, Proposal> ofGroup = open.get(proposal.claim.group());
        if (ofGroup != null && ofGroup.remove(proposal.claim.member(), proposal) && ofGroup.isEmpty()) {
            open.remove(proposal.claim.group());
        }
    }

    /** A group has another view: what was proposed in an earlier one is void. */
    void onView(String group, View view) {
        synchronized (open) {
            Map<Member, Proposal> ofGroup = open.get(group);
            if (ofGroup != null) {
                ofGroup.values().removeIf(proposal -> proposal.claim.epoch() < view.epoch());
                if (ofGroup.isEmpty()) {
                    open.remove(group);
                }
            }
        }
    }

    /** Time has passed: what nobody knows anything of is said again. */
    void onTick() {
        Map<Kind, List<Proposal>> again = new HashMap<>();
        synchronized (open) {
            for (Map<Member, Proposal> ofGroup : open.values()) {
                for (Proposal proposal : ofGroup.values()) {
                    if (proposal.isUnknown) {
                        proposal.isUnknown = false;
                        again.computeIfAbsent(proposal.kind, kind -> new ArrayList<>())
                                .add(proposal);
                    }
                }
            }
        }
        again.forEach((kind, proposals) -> {
            for (int from = 0; from < proposals.size(); from += CLAIMS_MAX) {
                int to = Math.min(proposals.size(), from + CLAIMS_MAX);
                submit(kind, List.copyOf(proposals.subList(from, to)));
            }
        });
    }

    void clear() {
        synchronized (open) {
            open.clear();
        }
    }
}
