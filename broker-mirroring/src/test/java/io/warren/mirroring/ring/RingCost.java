package io.warren.mirroring.ring;

import com.sun.management.ThreadMXBean;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Command.Change;
import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;

/**
 * What does the ring itself cost, without network and disk?
 *
 * <p>Three members in one thread hand frames to one another and report everything durable at once, in rounds of a few broadcasts;
 * and ten thousand groups lose their master by one command. Run {@code main} on the test class path; the figures go to the
 * decision note on the ring.
 */
final class RingCost {
    private static final int NODES = 3;
    private static final int ROUND = 16;
    private static final int ENTRIES = 1_000_000;
    private static final int GROUPS = 10_000;

    private final RingMember<byte[]>[] members;
    /** What has arrived at each member and waits for its turn. */
    private final ArrayDeque<Arrived>[] mailboxes;

    private final boolean inTurns;
    private final long[] appended = new long[NODES];
    private long delivered;

    private record Arrived(String from, Frame<byte[]> frame) {}

    @SuppressWarnings({"unchecked", "rawtypes"})
    private RingCost(boolean inTurns) {
        this.inTurns = inTurns;
        mailboxes = new ArrayDeque[NODES];
        members = new RingMember[NODES];
        for (int at = 0; at < NODES; at++) {
            mailboxes[at] = new ArrayDeque<>();
            members[at] =
                    new RingMember<>(new Member("n" + at, 1), 1, RingOptions.defaults(), new Log<>(), new Handed(at));
        }
        List<Member> all = List.of(new Member("n0", 1), new Member("n1", 1), new Member("n2", 1));
        for (RingMember<byte[]> member : members) {
            for (Member other : all) {
                member.onLinkUp(other.node());
            }
            member.onView(new View(1, 1, 1, 0, 0, 2, true, all, List.of(), List.of()));
        }
        settle();
    }

    public static void main(String[] arguments) {
        for (int bytes : new int[] {100, 1024}) {
            for (boolean inTurns : new boolean[] {true, false}) {
                new RingCost(inTurns).run(bytes, ENTRIES / 4);
                new RingCost(inTurns).run(bytes, ENTRIES);
            }
        }
        failOver();
        failOver();
    }

    private void run(int bytes, int entries) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        byte[] payload = new byte[bytes];
        long allocated = threads.getCurrentThreadAllocatedBytes();
        long beganNs = System.nanoTime();
        for (int sent = 0; sent < entries; sent += ROUND) {
            begin(0);
            for (int i = 0; i < ROUND; i++) {
                members[0].broadcast(payload, true, bytes);
            }
            end(0);
            settle();
        }
        double seconds = (System.nanoTime() - beganNs) / 1e9;
        double perEntry = (threads.getCurrentThreadAllocatedBytes() - allocated) / (double) entries;
        System.out.printf(
                "%d B%s: %,.0f entries/s through three members, %.0f B allocated per entry in all, %d delivered%n",
                bytes, inTurns ? "" : ", each input a turn", entries / seconds, perEntry, delivered);
    }

    private void begin(int at) {
        if (inTurns) {
            members[at].beginTurn();
        }
    }

    private void end(int at) {
        if (inTurns) {
            members[at].endTurn();
        }
    }

    private void settle() {
        boolean moved = true;
        while (moved) {
            moved = false;
            for (int at = 0; at < NODES; at++) {
                moved |= turn(at);
            }
        }
    }

    /** One member takes in what has arrived, and what it wrote before is on disk; false if there was nothing. */
    private boolean turn(int at) {
        long forced = appended[at];
        if (forced == 0 && mailboxes[at].isEmpty()) {
            return false;
        }
        appended[at] = 0;
        begin(at);
        for (int waiting = mailboxes[at].size(); waiting > 0; waiting--) {
            Arrived next = mailboxes[at].removeFirst();
            members[at].onFrame(next.from, next.frame);
        }
        if (forced > 0) {
            members[at].onDurable(forced);
        }
        end(at);
        return true;
    }

    private final class Handed implements RingOutput<byte[]> {
        private final int at;
        private final String name;

        Handed(int at) {
            this.at = at;
            name = "n" + at;
        }

        @Override
        public void send(String node, Frame<byte[]> frame) {
            mailboxes[node.charAt(1) - '0'].addLast(new Arrived(name, frame));
        }

        @Override
        public void append(Entry<byte[]> entry) {
            appended[at] = entry.offset();
        }

        @Override
        public void cut(long fromOffset) {
            throw new IllegalStateException("nothing is cut here");
        }

        @Override
        public void deliver(Entry<byte[]> entry) {
            delivered++;
        }

        @Override
        public void viewInstalled(View view, long offset) {}

        @Override
        public void stable(long offset) {}

        @Override
        public void forget(long offset) {}

        @Override
        public void proposeInSync(long epoch, Member member) {}

        @Override
        public void proposeLagging(long epoch, Member member) {}

        @Override
        public void lost(Position leftBegins) {
            throw new IllegalStateException("nobody is lost here");
        }
    }

    private static void failOver() {
        int[] views = new int[1];
        Metadata metadata = new Metadata(LogId.first(1), new MetadataListener() {
            @Override
            public void onView(String group, View view) {
                views[0]++;
            }
        });
        metadata.apply(
                new Command.Nodes(Map.of("A", Change.up(1, "a"), "B", Change.up(1, "b"), "C", Change.up(1, "c"))));
        for (int group = 0; group < GROUPS; group++) {
            metadata.apply(new Command.CreateGroup("q" + group, true, 2, List.of("A", "B", "C")));
        }
        views[0] = 0;
        long beganNs = System.nanoTime();
        metadata.apply(new Command.Nodes(Map.of("A", Change.down(1))));
        System.out.printf(
                "%,d groups failed over by one command in %.1f ms, %,d views made%n",
                GROUPS, (System.nanoTime() - beganNs) / 1e6, views[0]);
    }
}
