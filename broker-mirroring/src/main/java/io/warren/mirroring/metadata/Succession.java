package io.warren.mirroring.metadata;

import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which view follows another: the only place where views are made.
 *
 * <p>Pure functions. Each returns the next view, the same one if nothing changes, or null if the command is refused. The package's
 * rules on in-sync and kept stand here.
 */
final class Succession {
    private Succession() {}

    /** Who runs. */
    interface Running {
        /** The running process of a node, or null. */
        @Nullable Member member(String node);

        default boolean runs(Member member) {
            return member.equals(member(member.node()));
        }
    }

    static @Nullable View first(long logId, long epoch, int minInSync, List<String> members, Running running) {
        List<Member> inSync = new ArrayList<>();
        for (String node : new LinkedHashSet<>(members)) {
            addIfPresent(inSync, running.member(node));
        }
        if (inSync.isEmpty()) {
            return null;
        }
        return new View(logId, epoch, epoch, 0, 0, minInSync, true, inSync, List.of(), List.of());
    }

    /** One member has everything there is, and is the group. */
    static View alone(long logId, long epoch, int minInSync, Member member) {
        return new View(logId, epoch, epoch, 0, 0, minInSync, true, List.of(member), List.of(), List.of());
    }

    /** Processes have ended or started. */
    static View onNodes(View view, long epoch, Running running) {
        List<Member> survivors = view.inSync().stream().filter(running::runs).toList();
        List<Member> others = new ArrayList<>();
        for (Member other : view.others()) {
            addIfPresent(others, running.member(other.node()));
        }
        if (survivors.isEmpty()) {
            return fromDisk(view, epoch, others, running);
        }
        List<Member> leaving = without(view.inSync(), survivors);
        for (Member member : leaving) {
            addIfPresent(others, running.member(member.node()));
        }
        return next(view, epoch, survivors, others, keptAfter(view, survivors, leaving));
    }

    /** No in-sync member survived: those that hold everything confirmed carry on from their disks, or are waited for. */
    private static View fromDisk(View view, long epoch, List<Member> others, Running running) {
        Set<String> holders = holders(view);
        List<Member> inSync = new ArrayList<>();
        for (String node : holders) {
            addIfPresent(inSync, running.member(node));
        }
        if (inSync.isEmpty()) {
            return unchanged(
                    view,
                    new View(
                            view.logId(),
                            epoch,
                            view.reign(),
                            view.recovered(),
                            view.unsynchronised(),
                            view.minInSync(),
                            false,
                            view.inSync(),
                            others,
                            view.kept()));
        }
        inSync.forEach(member -> holders.remove(member.node()));
        List<String> kept = inSync.size() < view.minInSync() ? List.copyOf(holders) : List.of();
        return new View(
                view.logId(),
                epoch,
                epoch,
                epoch,
                view.unsynchronised(),
                view.minInSync(),
                true,
                inSync,
                without(others, inSync),
                kept);
    }

    /** The nodes that hold everything that was confirmed, running or not: in-sync first, then kept. */
    static Set<String> holders(View view) {
        Set<String> holders = new LinkedHashSet<>();
        view.inSync().forEach(member -> holders.add(member.node()));
        holders.addAll(view.kept());
        return holders;
    }

    /** The first view in a log that this member founds alone. */
    static View founded(View view, long logId, long epoch, Member founder) {
        return new View(
                logId,
                epoch,
                epoch,
                view.recovered(),
                view.unsynchronised(),
                view.minInSync(),
                true,
                List.of(founder),
                List.of(),
                List.of());
    }

    /**
     * A member that does not hold everything becomes master, because nobody who does is up and a policy will not wait. Whatever it
     * lacks is given up: those that held it are holders no more.
     */
    static @Nullable View onPromote(View view, long epoch, Member member) {
        if (view.up() || !view.others().contains(member)) {
            return null;
        }
        return new View(
                view.logId(),
                epoch,
                epoch,
                epoch,
                epoch,
                view.minInSync(),
                true,
                List.of(member),
                without(view.others(), List.of(member)),
                List.of());
    }

    /** A member holds everything that is stable. */
    static @Nullable View onInSync(View view, long epoch, Member member) {
        if (!view.up() || !view.others().contains(member)) {
            return null;
        }
        List<Member> inSync = new ArrayList<>(view.inSync());
        inSync.add(member);
        List<String> kept = new ArrayList<>(view.kept());
        kept.remove(member.node());
        return next(
                view,
                epoch,
                inSync,
                without(view.others(), List.of(member)),
                inSync.size() >= view.minInSync() ? List.of() : kept);
    }

    /** Another in-sync member is to lead. All of them hold everything that is stable, so any of them can. */
    static @Nullable View onHandOver(View view, long epoch, Member member) {
        if (!view.up() || !view.inSync().contains(member)) {
            return null;
        }
        List<Member> inSync = new ArrayList<>();
        inSync.add(member);
        inSync.addAll(without(view.inSync(), List.of(member)));
        return next(view, epoch, inSync, view.others(), view.kept());
    }

    /** A member does not keep up: it leaves the in-sync set, or, if it was not in it, the ring. */
    static @Nullable View onLagging(View view, long epoch, Member member) {
        if (!view.up() || member.equals(view.master())) {
            return null;
        }
        if (view.others().contains(member)) {
            return next(view, epoch, view.inSync(), without(view.others(), List.of(member)), view.kept());
        }
        if (!view.inSync().contains(member)) {
            return null;
        }
        List<Member> inSync = without(view.inSync(), List.of(member));
        List<Member> others = new ArrayList<>(view.others());
        others.add(member);
        return next(view, epoch, inSync, others, keptAfter(view, inSync, List.of(member)));
    }

    /** The ring is to consist of these nodes, as far as they run. Refused if no member that holds everything would be left. */
    static @Nullable View onMembers(View view, long epoch, List<String> wanted, Running running) {
        if (!view.up()) {
            return null;
        }
        List<Member> inSync =
                view.inSync().stream().filter(m -> wanted.contains(m.node())).toList();
        if (inSync.isEmpty()) {
            return null;
        }
        List<Member> others = new ArrayList<>();
        view.others().stream().filter(m -> wanted.contains(m.node())).forEach(others::add);
        for (String node : new LinkedHashSet<>(wanted)) {
            Member member = running.member(node);
            if (member != null && !inSync.contains(member) && !others.contains(member)) {
                others.add(member);
            }
        }
        return next(view, epoch, inSync, others, keptAfter(view, inSync, without(view.inSync(), inSync)));
    }

    /** The limit has changed. Where the in-sync set now suffices, stable moves without the kept ones. */
    static View onLimit(View view, long epoch, int minInSync) {
        List<String> kept = view.inSync().size() >= minInSync && view.up() ? List.of() : view.kept();
        return unchanged(
                view,
                new View(
                        view.logId(),
                        epoch,
                        view.reign(),
                        view.recovered(),
                        view.unsynchronised(),
                        minInSync,
                        view.up(),
                        view.inSync(),
                        view.others(),
                        kept));
    }

    /** Who leaves the in-sync set below the limit is kept; at the limit nobody needs to be. */
    private static List<String> keptAfter(View view, List<Member> inSync, List<Member> leaving) {
        if (inSync.size() >= view.minInSync()) {
            return List.of();
        }
        Set<String> kept = new LinkedHashSet<>(view.kept());
        leaving.forEach(member -> kept.add(member.node()));
        return List.copyOf(kept);
    }

    private static View next(View view, long epoch, List<Member> inSync, List<Member> others, List<String> kept) {
        boolean sameMaster = inSync.get(0).equals(view.master());
        return unchanged(
                view,
                new View(
                        view.logId(),
                        epoch,
                        sameMaster ? view.reign() : epoch,
                        view.recovered(),
                        view.unsynchronised(),
                        view.minInSync(),
                        true,
                        inSync,
                        others,
                        kept));
    }

    /** The old view, if the new one says nothing new. */
    static View unchanged(View old, View next) {
        boolean same = old.up() == next.up()
                && old.recovered() == next.recovered()
                && old.minInSync() == next.minInSync()
                && old.inSync().equals(next.inSync())
                && old.others().equals(next.others())
                && old.kept().equals(next.kept());
        return same ? old : next;
    }

    private static List<Member> without(List<Member> members, List<Member> gone) {
        return members.stream().filter(member -> !gone.contains(member)).toList();
    }

    private static void addIfPresent(List<Member> members, @Nullable Member member) {
        if (member != null) {
            members.add(member);
        }
    }
}
