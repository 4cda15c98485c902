package io.warren.test.ring;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.mirroring.cluster.ClusterNode;
import io.warren.mirroring.cluster.ClusterSettings;
import io.warren.mirroring.group.Group;
import io.warren.mirroring.group.GroupOptions;
import io.warren.mirroring.group.GroupOutput;
import io.warren.mirroring.group.Groups;
import io.warren.mirroring.link.Link;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.node.LinkedPeers.GroupHost;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Log;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Phase;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.RingMember;
import io.warren.mirroring.ring.Senders;
import io.warren.mirroring.ring.View;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One node with one member of the group {@code ring}, which broadcasts all the time and notes what is delivered: {@code RingProcess NODE
 * HOST PORT DIRECTORY SECRET-FILE [SEED]...}.
 *
 * <p>It takes lines on standard input: {@code create NODE...} makes the group, {@code load} and {@code rest} begin and stop broadcasting,
 * {@code state} prints where it is, {@code next} begins another file, {@code stop} ends it in order. What it prints: {@code ready}, {@code
 * view EPOCH NANOS MASTER MEMBERS} when the metadata have made a view, {@code state ...}. Times are of the machine's monotonic clock, which all
 * processes share.
 */
final class RingProcess implements GroupHost, MetadataListener {
    static final String GROUP = "ring";
    private static final int TYPE_WANTS_STATE = GroupHost.TYPE_FIRST;
    private static final int TYPE_STATE = GroupHost.TYPE_FIRST + 1;
    private static final int PAYLOAD_BYTES = 100;
    /** Broadcasts of a tick at most: all nodes together some 75,000 a second, so that a round fits its file. */
    private static final int IN_FLIGHT = 500;

    private static final long TICK_MS = 20;

    private final String name;
    private final Path directory;
    private final Map<String, Link<byte[]>> links = new ConcurrentHashMap<>();
    private final Map<Member, Runnable> proposals = new ConcurrentHashMap<>();
    private final ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "ring-tick");
        thread.setDaemon(true);
        return thread;
    });
    private volatile @Nullable ClusterNode node;
    private volatile @Nullable Life process;
    private volatile @Nullable View view;
    private volatile Map<String, NodeState> nodes = Map.of();
    private volatile boolean loading;
    private long logId;

    private RingProcess(String name, Path directory) {
        this.name = name;
        this.directory = directory;
    }

    public static void main(String[] arguments) throws IOException {
        RingProcess ring = new RingProcess(arguments[0], Files.createDirectories(Path.of(arguments[3])));
        List<String> seeds = List.of(arguments).subList(5, arguments.length);
        ClusterSettings settings = ClusterSettings.of(
                        ring.name,
                        arguments[1],
                        Integer.parseInt(arguments[2]),
                        ring.directory,
                        Files.readString(Path.of(arguments[4])).strip())
                .join(seeds)
                .adapt(it -> it.startWindow(Duration.ofSeconds(30), 4));
        ClusterNode started = ClusterNode.start(settings, ring);
        ring.node = started;
        started.metadata().subscribe(ring);
        var unused = ring.ticks.scheduleAtFixedRate(ring::tick, TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
        print("ready");
        ring.obey();
        started.close();
    }

    private static synchronized void print(String line) {
        System.out.println(line);
    }

    private void obey() throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = lines.readLine(); line != null && !line.equals("stop"); line = lines.readLine()) {
            List<String> words = List.of(line.split(" ", -1));
            switch (words.get(0)) {
                case "create" -> submit(new Command.CreateGroup(GROUP, true, 1, words.subList(1, words.size())));
                case "load" -> {
                    loading = true;
                    broadcastMore();
                }
                case "rest" -> loading = false;
                case "state" -> printState();
                case "next" -> nextFile();
                default -> print("what is " + line);
            }
        }
    }

    private void printState() {
        Life present = process;
        if (present != null) {
            present.post(member -> print("state " + present.self.incarnation() + " " + member.phase() + " "
                    + member.delivered() + " " + member.undelivered() + " " + member.epoch() + " "
                    + (node == null ? null : node.status().controller())));
        }
    }

    private void nextFile() {
        Life present = process;
        if (present != null) {
            present.post(member -> {
                present.nextFile(member.delivered());
                print("next " + member.delivered());
            });
        }
    }

    private void submit(Command command) {
        ClusterNode started = node;
        if (started != null) {
            started.metadata().submit(command, result -> {});
        }
    }

    private void broadcastMore() {
        Life present = process;
        if (present != null && loading) {
            present.post(member -> {
                for (int more = member.undelivered(); more < IN_FLIGHT; more++) {
                    member.broadcast(new byte[PAYLOAD_BYTES], true, PAYLOAD_BYTES);
                }
            });
        }
    }

    // ---- the metadata

    @Override
    public void onFollowing(Metadata state) {
        logId = state.logId().id();
        onNodes(state.nodes());
        Life present = process;
        if (present != null) {
            present.open(logId);
        }
        View known = state.view(GROUP);
        if (known != null) {
            onView(GROUP, known);
        }
    }

    @Override
    public void onNodes(Map<String, NodeState> now) {
        nodes = now;
    }

    @Override
    public void onView(String group, View next) {
        view = next;
        proposals.clear();
        printView(next);
        Life present = process;
        if (present != null) {
            present.onView(next);
        }
    }

    private static void printView(View view) {
        StringBuilder members = new StringBuilder();
        view.inSync().forEach(member -> members.append('+').append(member.node()));
        view.others().forEach(member -> members.append('-').append(member.node()));
        Member master = view.master();
        print("view " + view.epoch() + " " + System.nanoTime() + " " + (master == null ? "none" : master.node()) + " "
                + members);
    }

    private void tick() {
        proposals.values().forEach(Runnable::run);
        View present = view;
        Life ours = process;
        if (present == null || ours == null) {
            return;
        }
        ours.post(ours::askForState);
        Member master = present.master();
        if (master != null && master.equals(ours.self)) {
            bringIn(present);
        }
        broadcastMore();
    }

    /** The master sees to it that every node that runs is a member. */
    private void bringIn(View present) {
        Set<String> running = new TreeSet<>(NodeState.namesOfRunning(nodes));
        List<String> wanted = new ArrayList<>();
        present.ring().forEach(member -> wanted.add(member.node()));
        running.removeAll(wanted);
        running.removeIf(other -> !links.containsKey(other));
        if (!running.isEmpty()) {
            wanted.addAll(running);
            submit(new Command.Members(GROUP, wanted));
        }
    }

    // ---- the links

    @Override
    public void onProcess(Member self, Groups<byte[]> groups) {
        links.clear();
        Life next = new Life(self, groups);
        process = next;
        ClusterNode started = node;
        if (started != null) {
            next.open(logId);
            View known = view;
            if (known != null) {
                next.onView(known);
            }
        }
    }

    @Override
    public void onLink(Link<byte[]> link, boolean up) {
        if (up) {
            links.put(link.peer().node(), link);
        } else {
            links.remove(link.peer().node(), link);
        }
    }

    @Override
    public void onMessage(Link<byte[]> link, String group, int type, byte[] body) {
        Life present = process;
        if (present == null) {
            return;
        }
        if (type == TYPE_WANTS_STATE) {
            present.post(member -> link.send(GROUP, TYPE_STATE, state(member)));
        } else if (type == TYPE_STATE) {
            present.post(member -> present.takeOver(member, ByteBuffer.wrap(body)));
        }
    }

    private static byte[] state(RingMember<byte[]> member) {
        Position base = member.firmPosition();
        Map<Member, Long> rows = member.firmSenders().rows();
        ByteBuffer bytes = ByteBuffer.allocate(20 + rows.size() * 64);
        bytes.putLong(base.epoch()).putLong(base.offset()).putInt(rows.size());
        rows.forEach((sender, sequence) -> {
            byte[] node = sender.node().getBytes(UTF_8);
            bytes.put((byte) node.length)
                    .put(node)
                    .putLong(sender.incarnation())
                    .putLong(sequence);
        });
        byte[] exact = new byte[bytes.position()];
        bytes.flip().get(exact);
        return exact;
    }

    /** One process of this node and its member. */
    private final class Life implements GroupOutput<byte[]> {
        private final Member self;
        private final Groups<byte[]> groups;
        private volatile @Nullable Group<byte[]> group;
        private @Nullable History history;
        private int files;

        Life(Member self, Groups<byte[]> groups) {
            this.self = self;
            this.groups = groups;
        }

        private void open(long ofLog) {
            if (group == null) {
                group = groups.open(GROUP, ofLog, GroupOptions.inMemory(), new Log<>(), this);
            }
        }

        /** Does this in the member's turn, if it is open. */
        private void post(Consumer<RingMember<byte[]>> what) {
            Group<byte[]> opened = group;
            if (opened != null) {
                opened.post(what);
            }
        }

        private void onView(View next) {
            Group<byte[]> opened = group;
            if (opened != null) {
                opened.onView(next);
            }
        }

        private History history(long base) {
            if (history == null) {
                history = History.create(directory.resolve("delivered-" + self.incarnation() + "-" + files++), base);
            }
            return history;
        }

        private void nextFile(long base) {
            if (history != null) {
                history.close();
                history = null;
                history(base);
            }
        }

        private void askForState(RingMember<byte[]> member) {
            View present = view;
            Member master = present == null ? null : present.master();
            Link<byte[]> link = master == null ? null : links.get(master.node());
            if (member.phase() == Phase.BEHIND && link != null) {
                link.send(GROUP, TYPE_WANTS_STATE, new byte[1]);
            }
        }

        private void takeOver(RingMember<byte[]> member, ByteBuffer state) {
            Position base = new Position(state.getLong(), state.getLong());
            if (!member.wants(base)) {
                return;
            }
            Map<Member, Long> rows = new LinkedHashMap<>();
            for (int left = state.getInt(); left > 0; left--) {
                byte[] sender = new byte[state.get()];
                state.get(sender);
                rows.put(new Member(new String(sender, UTF_8), state.getLong()), state.getLong());
            }
            if (history != null) {
                throw new IllegalStateException("a member that had delivered something fell behind: base " + base);
            }
            history(base.offset());
            member.onSynchronised(base, Senders.of(rows));
        }

        @Override
        public void deliver(Entry<byte[]> entry) {
            Member sender = entry.sender();
            long number = sender.incarnation() << 8 | sender.node().charAt(0);
            history(0).add(entry.offset(), number, entry.sequence());
        }

        @Override
        public void viewInstalled(View installed, long offset) {}

        @Override
        public void proposeInSync(long epoch, Member proposed) {
            propose(proposed, new Command.MemberInSync(logId, List.of(new Command.Claim(GROUP, epoch, proposed))));
        }

        @Override
        public void proposeLagging(long epoch, Member lagging) {
            propose(lagging, new Command.MemberLagging(logId, List.of(new Command.Claim(GROUP, epoch, lagging))));
        }

        /** Again with every tick, until the next view. */
        private void propose(Member about, Command command) {
            Runnable submission = () -> submit(command);
            proposals.put(about, submission);
            submission.run();
        }

        @Override
        public void lost(Position leftBegins) {
            print("lost " + leftBegins);
        }

        @Override
        public void failed(Throwable failure) {
            print("failed " + failure);
            failure.printStackTrace();
        }

        @Override
        public void append(Entry<byte[]> entry) {}

        @Override
        public void cut(long fromOffset) {}

        @Override
        public void stable(long offset) {}

        @Override
        public void forget(long offset) {}
    }
}
