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
 * <p>At most one proposal for each member of each group that is led here.
 */
final class Proposals {
    private final MetadataStore store;
    private final Map<Key, Proposal> open = new HashMap<>();

    private record Key(String group, Member member) {}

    private record Proposal(long logId, long epoch, boolean inSync) {}

    Proposals(MetadataStore store) {
        this.store = store;
    }

    void propose(long logId, String group, long epoch, Member member, boolean inSync) {
        Key key = new Key(group, member);
        Proposal proposal = new Proposal(logId, epoch, inSync);
        synchronized (open) {
            open.put(key, proposal);
        }
        submit(key, proposal);
    }

    private void submit(Key key, Proposal proposal) {
        List<Command.Claim> claims = List.of(new Command.Claim(key.group, proposal.epoch, key.member));
        Command command = proposal.inSync
                ? new Command.MemberInSync(proposal.logId, claims)
                : new Command.MemberLagging(proposal.logId, claims);
        store.submit(command, result -> {
            if (result != Result.UNKNOWN) {
                synchronized (open) {
                    open.remove(key, proposal);
                }
            }
        });
    }

    /** A group has another view: what was proposed in an earlier one is void. */
    void onView(String group, View view) {
        synchronized (open) {
            open.entrySet().removeIf(one -> one.getKey().group.equals(group) && one.getValue().epoch < view.epoch());
        }
    }

    /** Time has passed: what nobody has answered is said again. */
    void onTick() {
        Map<Key, Proposal> again;
        synchronized (open) {
            again = Map.copyOf(open);
        }
        new ArrayList<>(again.entrySet()).forEach(one -> submit(one.getKey(), one.getValue()));
    }

    void clear() {
        synchronized (open) {
            open.clear();
        }
    }
}
