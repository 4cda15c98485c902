package io.warren.mirroring.transfer;

import io.warren.mirroring.queue.AppliedState;
import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.queue.SnapshotWriter;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A master's end: it gives members what the ring could not bring, and holds back what the ring proposes until nothing is missing. The package
 * says how.
 *
 * <p>Pure, owned by the queue's mailbox, one for each reign. It is made when a view names this member master in a new reign, before the ring
 * hears of that view, and <b>not</b> when the queue is promoted: below the least number in sync nothing becomes stable, so the queue is promoted only when
 * members have come in sync, to which this has to pass on what the ring proposes. It holds a row for each member, and, while messages go to one, references to those
 * that were not settled when that began, and as much as is under way of what was read from the disk. Limit under way to a member: {@link #PIECES_MAX} pieces.
 */
public final class Giver {
    /** Small enough that other groups of the link are not held up. */
    public static final int PIECE_BYTES = 64 * 1024;
    /** 1 MiB under way: what a link of 1 Gbit/s carries in 8 ms. */
    public static final int PIECES_MAX = 16;

    /** Of what is on the disk only so much is read at a time for a member: as much as is under way to it. */
    private static final int READ_BYTES = PIECES_MAX * PIECE_BYTES;

    /** How long the answer of a member is waited for that the ring proposes. */
    private static final long RETRY_NS = 1_000_000_000L;

    private final long reign;
    private final int pieceBytes;
    private final GiverOutput output;
    private boolean isAutomatic;
    private @Nullable View view;
    private final Map<String, Client> clients = new TreeMap<>();
    /** By node what the ring proposes in this view, and nobody has submitted. */
    private final Map<String, Proposal> proposals = new TreeMap<>();
    /** Nodes of which it is known in this view that nothing is missing. */
    private final Set<String> complete = new HashSet<>();
    /** Nodes that somebody has asked to be synchronised, and nodes of which it was broken off. */
    private final Set<String> wanted = new HashSet<>();

    private final Set<String> stopped = new HashSet<>();
    private long nowNs;

    private static final class Proposal {
        final Member member;
        long askedNs;

        Proposal(Member member) {
            this.member = member;
        }
    }

    /** What goes on with one member. */
    private static final class Client {
        final int attempt;
        /** What it asked for; null if that is the tables. */
        final TransferFrame.@Nullable AskMessages messages;

        boolean waits;
        /** The member is beyond what this master has delivered: it is given a state that is not below its own. */
        boolean isAhead;

        @Nullable SnapshotWriter writer;

        int messageCount;
        int underWay;
        /** Messages are being read. */
        boolean reads;

        Client(int attempt, TransferFrame.@Nullable AskMessages messages) {
            this.attempt = attempt;
            this.messages = messages;
        }
    }

    /**
     * How far one member has been given its messages.
     *
     * @param given so many of them
     * @param all so many there are for it
     */
    public record Progress(String node, int given, int all) {}

    /** @param isAutomatic whether new members are given their messages without being asked ({@code ha-sync-mode: automatic}) */
    public Giver(long reign, boolean isAutomatic, GiverOutput output) {
        this(reign, isAutomatic, PIECE_BYTES, output);
    }

    /** @param pieceBytes most bytes of a piece, at least 1 */
    public Giver(long reign, boolean isAutomatic, int pieceBytes, GiverOutput output) {
        this.reign = reign;
        this.isAutomatic = isAutomatic;
        this.pieceBytes = pieceBytes;
        this.output = output;
    }

    // --------------------------------------------------------------------------------------------------- inputs

    /** The metadata has made a view of this reign. */
    public void onView(View next) {
        view = next;
        proposals.clear();
        complete.clear();
        Set<String> ring = new HashSet<>();
        next.ring().forEach(member -> ring.add(member.node()));
        clients.keySet().retainAll(ring);
        wanted.retainAll(ring);
        stopped.retainAll(ring);
    }

    /** The policy has changed. */
    public void onMode(boolean automatic) {
        isAutomatic = automatic;
        beginWaiting();
    }

    /**
     * Somebody wants all members synchronised now.
     *
     * @return whether there is one that is not in sync
     */
    public boolean onSync() {
        stopped.clear();
        others().forEach(member -> wanted.add(member.node()));
        beginWaiting();
        return !others().isEmpty();
    }

    /**
     * Somebody wants that broken off: members keep what they have, and get no more until they are asked for.
     *
     * @return whether messages were under way
     */
    public boolean onCancel() {
        wanted.clear();
        others().forEach(member -> stopped.add(member.node()));
        boolean anyUnderWay = false;
        for (Map.Entry<String, Client> each : clientsNow().entrySet()) {
            Client client = each.getValue();
            if (client.messages != null && !client.waits) {
                anyUnderWay |= client.writer != null;
                clients.remove(each.getKey());
                output.send(each.getKey(), new TransferFrame.Stopped(client.attempt));
            }
        }
        return anyUnderWay;
    }

    public void onLinkDown(String node) {
        clients.remove(node);
        complete.remove(node);
        Proposal open = proposals.get(node);
        if (open != null) {
            open.askedNs = nowNs - RETRY_NS;
        }
    }

    /** The ring proposes a member; in the view that was told last. */
    public void onProposal(long epoch, Member member) {
        View present = view;
        if (present == null || present.epoch() != epoch) {
            return;
        }
        proposals.put(member.node(), new Proposal(member));
        if (complete.contains(member.node())) {
            propose(member.node());
        } else {
            askHowFar(member.node());
        }
    }

    /** A frame from this node. */
    public void onFrame(String node, TransferFrame.ToMaster frame) {
        if (frame instanceof TransferFrame.AskTables ask) {
            complete.remove(node);
            begin(node, ask.reign(), new Client(ask.attempt(), null));
        } else if (frame instanceof TransferFrame.AskMessages ask) {
            begin(node, ask.reign(), new Client(ask.attempt(), ask));
        } else if (frame instanceof TransferFrame.Received received) {
            Client client = clients.get(node);
            if (client != null && client.attempt == received.attempt()) {
                client.underWay = Math.max(0, client.underWay - received.pieces());
                send(node, client);
            }
        } else if (frame instanceof TransferFrame.MissingBelow missing) {
            if (missing.reign() == reign && missing.offset() == 0 && isInRing(node)) {
                complete.add(node);
                propose(node);
            }
        }
    }

    /**
     * The state that was asked for.
     *
     * @param upTo the ring's firm position, up to which the state goes
     * @param senders the ring's table that goes with it
     */
    public void onState(String node, int attempt, Position upTo, Map<Member, Long> senders, ReplicaSnapshot state) {
        Client client = clients.get(node);
        if (client == null || client.attempt != attempt || client.waits || client.writer != null) {
            return;
        }
        TransferFrame.AskMessages ask = client.messages;
        if (ask != null && upTo.compareTo(ask.from()) < 0) {
            // A master knows of what is stable before its members do, but not of what was in reigns before it began.
            client.isAhead = true;
        } else if (ask == null) {
            client.writer = new SnapshotWriter(state.withoutMessages());
            output.send(node, new TransferFrame.Tables(attempt, upTo, senders, state.messageCount()));
        } else {
            ReplicaSnapshot missing = state.messagesBelow(ask.below());
            client.writer = new SnapshotWriter(missing, ask.held());
            client.messageCount = missing.messageCount();
            output.send(node, new TransferFrame.Messages(attempt, upTo, client.messageCount));
        }
        send(node, client);
    }

    /**
     * The messages that were to be read.
     *
     * @param asked all of them
     * @param entries those that are not settled; of a settled one the member hears from the ring
     */
    public void onRead(String node, int attempt, List<Long> asked, Map<Long, byte[]> entries) {
        Client client = clients.get(node);
        SnapshotWriter writer = client == null ? null : client.writer;
        if (client != null && writer != null && client.attempt == attempt) {
            client.reads = false;
            writer.supply(asked, entries);
            send(node, client);
        }
    }

    /**
     * What came together is told to the queue, and to this: now what follows from it.
     *
     * @param queue the master's
     */
    public void onBatchEnd(AppliedState queue) {
        if (clients.values().stream().noneMatch(client -> client.waits || client.isAhead)) {
            return;
        }
        Position applied = queue.applyFirm();
        long oldest = queue.oldest();
        for (Map.Entry<String, Client> each : clientsNow().entrySet()) {
            Client client = each.getValue();
            TransferFrame.AskMessages ask = client.messages;
            if (ask == null) {
                continue;
            }
            if (client.waits && oldest >= ask.below()) {
                // Whatever is settled stays so: this holds although the member may be ahead.
                clients.remove(each.getKey());
                output.send(each.getKey(), new TransferFrame.Settled(reign, applied));
            } else if (client.isAhead && applied.compareTo(ask.from()) >= 0) {
                client.isAhead = false;
                output.readState(each.getKey(), client.attempt);
            }
        }
    }

    /** Time has passed: members that have not answered are asked again. */
    public void onTick(long atNs) {
        nowNs = atNs;
        for (Map.Entry<String, Proposal> each : proposals.entrySet()) {
            if (!complete.contains(each.getKey()) && atNs - each.getValue().askedNs >= RETRY_NS) {
                askHowFar(each.getKey());
            }
        }
    }

    // ------------------------------------------------------------------------------------------------ questions

    /** To whom messages go now. */
    public List<Progress> progress() {
        if (clients.isEmpty()) {
            return List.of();
        }
        List<Progress> all = new ArrayList<>();
        clients.forEach((node, client) -> {
            if (client.messages != null && client.writer != null) {
                all.add(new Progress(node, client.writer.messagesWritten(), client.messageCount));
            }
        });
        return all;
    }

    private List<Member> others() {
        return view == null ? List.of() : view.others();
    }

    private boolean isInRing(String node) {
        View present = view;
        return present != null
                && present.ring().stream().anyMatch(member -> member.node().equals(node));
    }

    // --------------------------------------------------------------------------------------------------- giving

    private void begin(String node, long askedReign, Client client) {
        if (askedReign != reign || !isInRing(node)) {
            output.send(node, new TransferFrame.Refused(client.attempt));
            return;
        }
        clients.put(node, client);
        client.waits = !mayBegin(node, client);
        if (client.waits) {
            output.send(node, new TransferFrame.Waits(client.attempt));
        } else {
            output.readState(node, client.attempt);
        }
    }

    /** A copy to go through while clients are removed: an entry of a tree map may name another key once one is removed. */
    private Map<String, Client> clientsNow() {
        return new TreeMap<>(clients);
    }

    private boolean mayBegin(String node, Client client) {
        TransferFrame.AskMessages ask = client.messages;
        return ask == null || (!stopped.contains(node) && (isAutomatic || ask.returns() || wanted.contains(node)));
    }

    private void beginWaiting() {
        for (Map.Entry<String, Client> each : clientsNow().entrySet()) {
            Client client = each.getValue();
            if (client.waits && mayBegin(each.getKey(), client)) {
                client.waits = false;
                output.readState(each.getKey(), client.attempt);
            }
        }
    }

    private void send(String node, Client client) {
        SnapshotWriter writer = client.writer;
        while (writer != null && writer.hasNext() && client.underWay < PIECES_MAX && !client.reads) {
            List<Long> wanted = writer.wanted(pieceBytes, READ_BYTES);
            if (!wanted.isEmpty()) {
                client.reads = true;
                output.read(node, client.attempt, wanted);
                return;
            }
            client.underWay++;
            output.send(node, new TransferFrame.Piece(client.attempt, writer.next(pieceBytes)));
        }
        if (writer != null && !writer.hasNext()) {
            clients.remove(node);
        }
    }

    private void askHowFar(String node) {
        Proposal open = proposals.get(node);
        if (open != null) {
            open.askedNs = nowNs;
            output.send(node, new TransferFrame.HowFar(reign));
        }
    }

    private void propose(String node) {
        View present = view;
        Proposal open = proposals.remove(node);
        if (open != null && present != null) {
            output.proposeInSync(present.epoch(), open.member);
        }
    }
}
