package io.warren.test.crash;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is known of every message, by what the broker told its clients: what must, may and must not be there after a
 * crash. Thread-safe; the truth grows in one direction until {@link #found} begins anew.
 */
final class Expected {

    /** A message, by its queue, its publisher and its number there. */
    record MessageId(String queue, String publisher, long number) {

        static MessageId of(String text) {
            String[] parts = text.substring(0, text.indexOf('.')).split(":", -1);
            return new MessageId(parts[0], parts[1], Long.parseLong(parts[2]));
        }

        /** The body, so long that log files fill up. */
        byte[] body(int bytes) {
            String head = queue + ":" + publisher + ":" + number + ".";
            byte[] body = new byte[Math.max(bytes, head.length())];
            System.arraycopy(head.getBytes(java.nio.charset.StandardCharsets.UTF_8), 0, body, 0, head.length());
            return body;
        }
    }

    /** What happened to a message; each only ever becomes true. */
    static final class Fate {
        /** The broker confirmed it, or a commit that published it, or it was there after a restart. */
        volatile boolean confirmed;

        /** A consumer got it. */
        volatile boolean delivered;

        /** It was acknowledged, purged or its queue was to be deleted: it may be gone. */
        volatile boolean mayBeGone;

        /** The broker answered a commit with its acknowledgement, or stopped cleanly after it: it must be gone. */
        volatile boolean mustBeGone;
    }

    private final Map<MessageId, Fate> fates = new ConcurrentHashMap<>();
    private final Map<String, Boolean> queues = new ConcurrentHashMap<>();

    /** Messages that were confirmed, over all rounds. */
    private long confirmedBefore;

    Fate of(MessageId id) {
        return fates.computeIfAbsent(id, key -> new Fate());
    }

    /** A queue is there, as its declare-ok says; or false: gone, as its delete-ok says. Neither is unknown. */
    void queue(String name, boolean exists) {
        queues.put(name, exists);
    }

    void queueUnknown(String name) {
        queues.remove(name);
    }

    Map<String, Boolean> queues() {
        return queues;
    }

    Map<MessageId, Fate> fates() {
        return fates;
    }

    long confirmedCount() {
        return confirmedBefore
                + fates.values().stream().filter(fate -> fate.confirmed).count();
    }

    /** From now on only these are known, and all of them are on the disk. */
    void found(Map<MessageId, Boolean> present) {
        confirmedBefore = confirmedCount();
        Map<MessageId, Fate> kept = new HashMap<>();
        present.keySet().forEach(id -> kept.put(id, new Fate()));
        fates.clear();
        kept.forEach((id, fate) -> {
            fate.confirmed = true;
            fate.delivered = true;
            fates.put(id, fate);
        });
        confirmedBefore -= kept.size();
    }
}
