package io.warren.mirroring.mirror;

import io.warren.mirroring.metadata.MirrorStatus;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one view says that the one before did not. Pure functions. */
final class ViewChanges {
    private ViewChanges() {}

    /** @param before null if this is the first view that is known */
    static List<MirrorEvent> between(String vhost, String queue, @Nullable View before, View now) {
        List<MirrorEvent> events = new ArrayList<>();
        Member master = now.master();
        if (master == null) {
            if (before == null || before.up()) {
                events.add(
                        new MirrorEvent.Down(vhost, queue, MirrorStatus.of(now).recoverable()));
            }
            return events;
        }
        if (before == null || !before.up() || before.reign() != now.reign()) {
            events.add(new MirrorEvent.Promoted(vhost, queue, master.node()));
            if (now.unsynchronised() == now.reign()) {
                events.add(new MirrorEvent.PromotedUnsynchronised(vhost, queue, master.node()));
            }
        }
        if (before != null) {
            members(vhost, queue, before, now, events);
        }
        return events;
    }

    private static void members(String vhost, String queue, View before, View now, List<MirrorEvent> events) {
        List<Member> had = before.up() ? before.ring() : before.others();
        had.stream()
                .filter(member -> !now.ring().contains(member))
                .forEach(member -> events.add(new MirrorEvent.Left(vhost, queue, member.node())));
        for (Member member : now.ring()) {
            boolean isNew = !had.contains(member) && !member.equals(now.master());
            boolean wasInSync = before.up() && before.inSync().contains(member);
            boolean isInSync = now.inSync().contains(member);
            if (isNew) {
                events.add(new MirrorEvent.Joined(vhost, queue, member.node()));
            }
            if (isInSync && !wasInSync && !member.equals(now.master())) {
                events.add(new MirrorEvent.InSync(vhost, queue, member.node()));
            } else if (wasInSync && !isInSync) {
                events.add(new MirrorEvent.Lagging(vhost, queue, member.node()));
            }
        }
    }
}
