package io.warren.mirroring.queue;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.queue.DeathReason;
import io.warren.core.spi.BackingQueue;
import io.warren.core.spi.BackingQueueListener;
import io.warren.core.spi.ManualClock;
import io.warren.core.spi.MemoryBudget;
import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One member over a {@link FakeRing}, with everything it says written down; fails when it speaks within a call of its queue. */
final class FakeMember implements BackingQueueListener, MirroredQueueOutput {
    final FakeRing ring;
    final MirroredQueue queue;
    final ManualClock clock;
    final List<String> said = new ArrayList<>();
    final List<String> fetched = new ArrayList<>();
    /** What was asked of the disk, and has not come. */
    final List<Reading> readings = new ArrayList<>();

    record Reading(long reign, List<Long> offsets) {}

    private long deliveredTo;
    private boolean wakeAsked;
    private boolean inCall;

    FakeMember(FakeRing ring, Member self, QueueSetup setup) {
        this(ring, self, setup, new ManualClock());
    }

    FakeMember(FakeRing ring, Member self, QueueSetup setup, ManualClock clock) {
        this.ring = ring;
        this.clock = clock;
        queue = new MirroredQueue(self, setup, clock, change -> {}, this, this, ReplicaSnapshot.EMPTY, Position.START);
    }

    /** One that has a disk, on which all is that the ring has ordered. */
    FakeMember(FakeRing ring, Member self, QueueSetup setup, MemoryBudget memory) {
        this.ring = ring;
        clock = new ManualClock();
        queue = new MirroredQueue(self, setup, clock, memory, this, this, ReplicaSnapshot.EMPTY, Position.START, true);
    }

    // ---- what comes from the ring

    void view(View view) {
        queue.onView(view);
    }

    /** Delivers everything up to a place in the log, as one batch. */
    void deliverTo(long offset) {
        while (deliveredTo < offset) {
            Entry<byte[]> entry = ring.log.get((int) deliveredTo++);
            View view = entry.view();
            if (view != null) {
                queue.onViewInstalled(view, entry.offset());
            } else {
                queue.onDelivered(entry);
            }
        }
        queue.onBatchEnd();
    }

    void deliverAll() {
        deliverTo(ring.log.size());
    }

    /** The turn's end, and all that follows from it here and in the ring. */
    void settleDown() {
        boolean moved = true;
        while (moved) {
            moved = wakeAsked || deliveredTo < ring.log.size();
            if (wakeAsked) {
                wakeAsked = false;
                queue.onWake();
            }
            deliverAll();
        }
    }

    void wake() {
        wakeAsked = false;
        queue.onWake();
    }

    /** The disk brings what was asked for by now, but for what it has not. */
    void readAll(long... lost) {
        List<Reading> all = List.copyOf(readings);
        readings.clear();
        for (Reading each : all) {
            Map<Long, byte[]> found = new HashMap<>();
            for (Entry<byte[]> entry : ring.log) {
                long message = StoredEntry.message(entry);
                if (each.offsets.contains(message) && Arrays.stream(lost).noneMatch(gone -> gone == message)) {
                    found.put(message, entry.payload());
                }
            }
            queue.onRead(each.reign, each.offsets, found);
        }
    }

    // ---- the backing queue, as the queue above calls it

    MirroredBackingQueue backing() {
        MirroredBackingQueue backing = queue.backing();
        if (backing == null) {
            throw new IllegalStateException("no master");
        }
        return backing;
    }

    long publish(String name) {
        return publish(name, 0, BackingQueue.NEVER, false);
    }

    long publish(String name, int priority, long expiresAtNs, boolean handOutExpected) {
        return called(() -> backing().publish(message(name, true), priority, expiresAtNs, handOutExpected));
    }

    long publishFrom(ChannelId channel, long sequence, long firstOpen, String name) {
        backing().beginPublish(channel, sequence, firstOpen);
        long offset = publish(name);
        backing().endPublish();
        return offset;
    }

    /** Takes the head for a consumer; its name, or null if it comes later. */
    @Nullable String fetch(long offset) {
        Message message = called(() -> backing().fetch(offset));
        return message == null ? null : message.routingKey();
    }

    <T> T called(java.util.function.Supplier<T> call) {
        inCall = true;
        try {
            return call.get();
        } finally {
            inCall = false;
        }
    }

    static Message message(String name, boolean persistent) {
        Properties.Builder properties = Properties.builder();
        if (persistent) {
            properties.persistent();
        }
        return Message.owning("", name, properties.build(), name.getBytes(StandardCharsets.UTF_8));
    }

    List<String> takeSaid() {
        List<String> taken = List.copyOf(said);
        said.clear();
        return taken;
    }

    private void listen(String what) {
        if (inCall) {
            throw new IllegalStateException(what + " was said within a call");
        }
        said.add(what);
    }

    // ---- what it says

    @Override
    public void onSafe() {
        listen("safe " + backing().safeOffset());
    }

    @Override
    public void onReady() {
        listen("ready");
    }

    @Override
    public void onFetched(long offset, Message message) {
        listen("fetched " + offset);
        fetched.add(message.routingKey());
    }

    @Override
    public boolean broadcast(byte[] entry, boolean persistent) {
        return ring.order(entry, persistent);
    }

    @Override
    public void read(long reign, List<Long> offsets) {
        readings.add(new Reading(reign, offsets));
    }

    @Override
    public void wakeSoon() {
        wakeAsked = true;
    }

    @Override
    public void promoted(MirroredBackingQueue backing) {
        listen("promoted in " + backing.reign());
    }

    @Override
    public void demoted() {
        listen("demoted");
    }

    @Override
    public void deadLetter(long number, long offset, DeathReason reason) {
        listen("dead letter " + number + ": " + offset + " " + reason);
    }
}
