package io.warren.mirroring.entrylog;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.store.format.Records;
import io.warren.mirroring.queue.OffsetRange;
import io.warren.mirroring.queue.PlainContent;
import io.warren.mirroring.queue.QueueEntry;
import io.warren.mirroring.queue.QueueEntryCodec;
import io.warren.mirroring.queue.ReplicaSnapshot;
import io.warren.mirroring.queue.SettleReason;
import io.warren.mirroring.queue.StoredEntry;
import io.warren.mirroring.queue.StoredReplica;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.Senders;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** One copy as its member would write it, by chance, and what may be found of it after each step. */
final class CopyModel implements CopyListener {
    static final long LOG_ID = 5;
    private static final Member SELF = new Member("n", 1);

    final long queueId;
    private final SplittableRandom random;
    private Copy copy;

    private Position start = Position.START;
    private Senders startSenders = new Senders();
    /** What the copy began with, and the same with the messages that are missing in it. */
    private ReplicaSnapshot partial = ReplicaSnapshot.EMPTY;

    private ReplicaSnapshot whole = ReplicaSnapshot.EMPTY;
    private boolean isComplete = true;
    private List<Entry<byte[]>> entries = new ArrayList<>();
    private long base;
    private long delivered;
    private long epoch = 1;
    private int life;

    private Copy.Captured captured;
    private boolean wantsState;
    private final List<Image> images = new ArrayList<>();
    private int durable;

    /** What is there after a step. */
    private record Image(
            int life,
            Position start,
            Senders startSenders,
            ReplicaSnapshot began,
            List<Entry<byte[]>> entries,
            long base) {}

    CopyModel(long queueId, long seed) {
        this.queueId = queueId;
        random = new SplittableRandom(seed);
    }

    /** A process begins to write it. */
    void open(EntryLog log) {
        FoundCopy found = log.found(queueId);
        if (found == null) {
            begin(log);
        } else {
            goOn(log, found);
        }
        wantsState = false;
        captured = null;
        copy.begin(this);
    }

    private void begin(EntryLog log) {
        copy = log.begin(queueId, LOG_ID);
        captured = null;
        nextLife(Position.START, new Senders(), ReplicaSnapshot.EMPTY, ReplicaSnapshot.EMPTY);
        remember();
    }

    private void goOn(EntryLog log, FoundCopy found) {
        copy = log.goOn(found, LOG_ID);
        nextLife(found.base(), Senders.of(found.senders()), found.snapshot(), found.snapshot());
        // Up to what is applied there is no going back further.
        started = found.applied();
        entries.addAll(found.entries());
        delivered = Math.max(delivered, found.applied().offset());
        images.clear();
        durable = 0;
        remember();
    }

    /** The entry as of which the snapshots are: the start but for a copy that was found. */
    private Position started = Position.START;

    private void nextLife(Position at, Senders senders, ReplicaSnapshot part, ReplicaSnapshot all) {
        life++;
        start = at;
        started = at;
        startSenders = senders;
        partial = part;
        whole = all;
        isComplete = part.missingBelow() == 0;
        entries = new ArrayList<>();
        base = at.offset();
        delivered = base;
        epoch = Math.max(epoch, at.epoch()) + 1;
    }

    private void remember() {
        images.add(new Image(life, started, startSenders, isComplete ? whole : partial, List.copyOf(entries), base));
    }

    // ---- steps

    /** Something happens. */
    void step(EntryLog log) {
        int what = random.nextInt(100);
        if (what < 50) {
            append(publish());
        } else if (what < 65) {
            settle();
        } else if (what < 75) {
            delivered = delivered + random.nextLong(last() - delivered + 1);
        } else if (what < 85) {
            forget();
        } else if (what < 88) {
            cut();
        } else if (what < 94) {
            state();
        } else if (what < 96) {
            complete();
        } else if (what < 98) {
            restart();
        } else if (what == 98) {
            log.drop(queueId);
            images.add(null);
            begin(log);
            copy.begin(this);
        }
        remember();
    }

    private long last() {
        return start.offset() + entries.size();
    }

    private Entry<byte[]> at(long offset) {
        return entries.get((int) (offset - start.offset() - 1));
    }

    private Position position(long offset) {
        return offset == start.offset() ? start : at(offset).position();
    }

    private void append(Entry<byte[]> entry) {
        entries.add(entry);
        copy.append(entry);
    }

    private Entry<byte[]> entry(byte[] payload, boolean persistent) {
        long offset = last() + 1;
        return new Entry<>(new Position(epoch, offset), SELF, offset, persistent, payload.length, payload, null);
    }

    private Entry<byte[]> publish() {
        PlainContent content = new PlainContent(epoch, queueId);
        long offset = replay(last()).nextOffset();
        boolean persistent = random.nextInt(3) > 0;
        byte[] body = ("queue " + queueId + " message " + offset + " of " + epoch + " "
                        + "x".repeat(random.nextInt(60)))
                .getBytes(UTF_8);
        Message message = Message.owning("", "q", Properties.NONE, body);
        content.add(offset, message, 0, Records.NEVER_MS, persistent, random.nextInt(4) == 0);
        return entry(content.snapshot(offset + 1).messagesFrom(0).get(0), persistent);
    }

    private void settle() {
        TreeSet<Long> unsettled = new TreeSet<>();
        replay(last(), whole).messagesFrom(0).forEach(message -> unsettled.add(StoredEntry.offset(message)));
        if (unsettled.isEmpty()) {
            return;
        }
        long first = new ArrayList<>(unsettled).get(random.nextInt(unsettled.size()));
        OffsetRange range = new OffsetRange(first, Math.min(unsettled.last(), first + random.nextInt(3)));
        append(entry(
                QueueEntryCodec.encode(new QueueEntry.Settle(epoch, SettleReason.ACKNOWLEDGED, List.of(range))), true));
    }

    private long firm(long upTo) {
        long offset = upTo;
        while (offset > base && !at(offset).persistent()) {
            offset--;
        }
        return offset;
    }

    private void forget() {
        long to = firm(base + random.nextLong(delivered - base + 1));
        if (to > base) {
            base = to;
            copy.forget(to);
        }
    }

    /** Another master: what is not delivered goes, from somewhere on, and its view comes. */
    private void cut() {
        long applied = Math.max(delivered, started.offset());
        if (applied < last()) {
            long from = applied + 1 + random.nextLong(last() - applied);
            entries.subList((int) (from - start.offset() - 1), entries.size()).clear();
            copy.cut(from);
        }
        epoch++;
        append(new Entry<>(
                new Position(epoch, last() + 1),
                SELF,
                0,
                true,
                64,
                null,
                new View(
                        LOG_ID,
                        epoch,
                        epoch,
                        0,
                        0,
                        1,
                        true,
                        List.of(SELF),
                        List.of(new Member("m", 3)),
                        List.of("k"))));
    }

    /** In two steps, with something between them now and then. */
    private void state() {
        if (captured != null) {
            tell();
        } else if (wantsState || random.nextInt(4) == 0) {
            wantsState = false;
            captured = copy.capture(position(base), senders(base));
            if (random.nextBoolean()) {
                tell();
            }
        }
    }

    private void tell() {
        long applied = Math.max(firm(delivered), started.offset());
        Position at = applied == started.offset() ? started : position(applied);
        copy.state(captured, at, replay(applied), () -> {});
        captured = null;
    }

    /** What was missing has come. */
    private void complete() {
        if (!isComplete && captured == null && whole.missingBelow() == 0) {
            isComplete = true;
            captured = copy.capture(position(base), senders(base));
            tell();
        }
    }

    /** Another member's state is taken over, its messages to follow. */
    private void restart() {
        ReplicaSnapshot all = replay(firm(delivered), whole);
        Position at = new Position(epoch + 1, last() + 3);
        ReplicaSnapshot part = random.nextBoolean() ? all.withoutMessages() : all;
        Senders senders = senders(base);
        nextLife(at, senders, part, all);
        captured = null;
        copy.restart(at, senders.rows(), part, () -> {});
    }

    private Senders senders(long upTo) {
        return senders(startSenders, entries, upTo);
    }

    private static Senders senders(Senders from, List<Entry<byte[]>> entries, long upTo) {
        Senders senders = from.copy();
        entries.stream().filter(entry -> entry.offset() <= upTo).forEach(senders::onEntry);
        return senders;
    }

    private ReplicaSnapshot replay(long upTo) {
        return replay(upTo, isComplete ? whole : partial);
    }

    private ReplicaSnapshot replay(long upTo, ReplicaSnapshot from) {
        return replay(from, started, entries, upTo);
    }

    private static ReplicaSnapshot replay(ReplicaSnapshot from, Position at, List<Entry<byte[]>> entries, long upTo) {
        StoredReplica replica = new StoredReplica(from, at);
        entries.stream().filter(entry -> entry.offset() > at.offset()).forEach(replica::onEntry);
        replica.applyUpTo(upTo);
        return replica.snapshot();
    }

    // ---- what the log says

    @Override
    public void onDurable(long offset, long cuts) {
        // The test runs rounds when all steps before are handed in.
        durable = images.size() - 1;
    }

    @Override
    public void onStateWanted() {
        wantsState = true;
    }

    @Override
    public void onFailed(Throwable failure) {}

    // ---- what may be found

    /** Why what was found is nothing that was there since the last report; null if it is. */
    String wrong(FoundCopy found) {
        for (int i = durable; i < images.size(); i++) {
            if (matches(images.get(i), found)) {
                return null;
            }
        }
        if (images.isEmpty() && found == null) {
            return null;
        }
        return "queue " + queueId + ": " + found + " is none of the " + (images.size() - durable)
                + " last images; the durable one is " + (images.isEmpty() ? null : images.get(durable));
    }

    /** Whether nothing was found where nothing was reported yet. */
    boolean mayBeNothing() {
        return durable == 0;
    }

    private static boolean matches(Image image, FoundCopy found) {
        if (image == null || found == null) {
            return image == null && found == null;
        }
        long last = image.entries.isEmpty()
                ? image.start.offset()
                : image.entries.get(image.entries.size() - 1).offset();
        if (found.last() != last || found.base().offset() > Math.max(image.base, image.start.offset())) {
            return false;
        }
        for (Entry<byte[]> entry : found.entries()) {
            if (image.entries.stream().noneMatch(there -> same(there, entry))
                    && entry.offset() > image.start.offset()) {
                return false;
            }
        }
        return found.applied().offset() >= image.start.offset()
                && found.snapshot()
                        .equals(replay(
                                image.began,
                                image.start,
                                image.entries,
                                found.applied().offset()))
                && found.senders()
                        .equals(senders(
                                        image.startSenders,
                                        image.entries,
                                        found.base().offset())
                                .rows());
    }

    private static boolean same(Entry<byte[]> one, Entry<byte[]> other) {
        return one.position().equals(other.position())
                && one.sequence() == other.sequence()
                && one.persistent() == other.persistent()
                && one.bytes() == other.bytes()
                && one.sender().equals(other.sender())
                && Arrays.equals(one.payload(), other.payload())
                && (one.view() == null ? other.view() == null : one.view().equals(other.view()));
    }

    @Override
    public String toString() {
        return "copy " + queueId + " in life " + life + " with " + entries.size() + " entries";
    }
}
