package io.warren.mirroring.queue;

import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.List;

/** One sequence of entries, which tests order, and bring to members when they say so. */
final class FakeRing {
    static final Member A = new Member("a", 1);
    static final Member B = new Member("b", 1);

    final List<Entry<byte[]>> log = new ArrayList<>();
    /** How many entries it takes before it has no room. */
    int room = Integer.MAX_VALUE;

    private long reign;

    static View view(long epoch, long reign, Member... inSync) {
        return new View(1, epoch, reign, 0, 0, 1, true, List.of(inSync), List.of(), List.of());
    }

    /** A promotion: the view is the next entry. */
    void open(View view) {
        reign = view.reign();
        log.add(new Entry<>(next(), view.inSync().get(0), 0, true, 64, null, view));
    }

    /** Orders a broadcast in the present reign, whoever made it; false if there is no room. */
    boolean order(byte[] payload, boolean persistent) {
        if (room == 0) {
            return false;
        }
        room--;
        log.add(new Entry<>(next(), A, log.size(), persistent, payload.length, payload, null));
        return true;
    }

    private Position next() {
        return new Position(reign, log.size() + 1L);
    }

    /** The payloads ordered after so many entries, as what they say. */
    List<QueueEntry> since(int count) {
        return log.subList(count, log.size()).stream()
                .filter(entry -> entry.payload() != null)
                .map(entry -> QueueEntryCodec.decode(entry.payload()))
                .toList();
    }
}
