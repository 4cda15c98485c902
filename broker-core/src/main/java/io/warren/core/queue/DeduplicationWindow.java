package io.warren.core.queue;

import io.warren.core.message.FieldType;
import io.warren.core.message.Message;
import io.warren.core.metadata.DeduplicationLimits;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The message ids a queue or an exchange has lately seen; a message whose id is among them is a duplicate.
 *
 * <p>The id is header {@value #HEADER}, or message-id where the header is missing; a message with neither is never a
 * duplicate. A plain map in order of arrival, and not a cache: a cache may refuse a new id, and then a duplicate passes.
 */
public final class DeduplicationWindow {

    /** The header that carries the id, as RabbitMQ's de-duplication plugin names it. */
    public static final String HEADER = "x-deduplication-header";

    private final DeduplicationLimits limits;
    private final LinkedHashMap<Object, Long> arrivalsNs = new LinkedHashMap<>();

    public DeduplicationWindow(DeduplicationLimits limits) {
        this.limits = limits;
    }

    /** Remembers the message's id; true if it was remembered already. */
    public boolean isDuplicate(Message message, long nowNs) {
        Object id = id(message);
        if (id == null) {
            return false;
        }
        forgetOld(nowNs);
        if (arrivalsNs.putIfAbsent(id, nowNs) != null) {
            return true;
        }
        if (arrivalsNs.size() > limits.countMax()) {
            removeFirst(arrivalsNs.entrySet().iterator());
        }
        return false;
    }

    private static @Nullable Object id(Message message) {
        Object header = message.properties().headersOrEmpty().get(HEADER);
        if (header == null) {
            return message.properties().messageId();
        }
        // A client may send the same number in another width.
        return FieldType.isInteger(header) ? ((Number) header).longValue() : header;
    }

    private void forgetOld(long nowNs) {
        Iterator<Map.Entry<Object, Long>> oldest = arrivalsNs.entrySet().iterator();
        while (oldest.hasNext() && nowNs - oldest.next().getValue() >= limits.ageNs()) {
            oldest.remove();
        }
    }

    private static void removeFirst(Iterator<?> oldest) {
        oldest.next();
        oldest.remove();
    }
}
