package io.warren.mirroring.attachment;

import io.warren.core.message.Message;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a channel published, and its barriers, as far as they are not answered: in order of their numbers, which grow (by one, unless they
 * are given).
 *
 * <p>As many as the channel's credit for publishing allows, and the publishes of a transaction.
 */
final class OpenPublishes {

    /**
     * One that is open.
     *
     * @param sequence what the channel is answered with; 0 if it wants no answer but that it was taken
     * @param message null for a barrier
     */
    record Open(long sequence, @Nullable Message message) {

        /** What it takes of the channel's credit, in publishes: a large one as much as many small ones. */
        int weight() {
            return message == null ? 0 : 1 + message.bodyBytes() / PUBLISH_BYTES;
        }
    }

    /** Credit for 2,048 publishes is one for 8 MiB, as much as may be under way in an attachment. */
    private static final int PUBLISH_BYTES = 4 << 10;

    private final Map<Long, Open> open = new LinkedHashMap<>();
    private long lastNumber;

    /** One that has a number already, above all before it. */
    void add(long number, Open one) {
        open.put(number, one);
        lastNumber = number;
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    /** Its number. */
    long add(Open one) {
        open.put(++lastNumber, one);
        return lastNumber;
    }

    /** Number of the oldest, or of the next to come. */
    long first() {
        Iterator<Long> numbers = open.keySet().iterator();
        return numbers.hasNext() ? numbers.next() : lastNumber + 1;
    }

    void forEach(BiConsumer<Long, Open> each) {
        open.forEach(each);
    }

    @Nullable Open remove(long number) {
        return open.remove(number);
    }

    /** Takes out those that want no other answer, up to a number, and weighs them. */
    int takeUpTo(long number) {
        int taken = 0;
        Iterator<Map.Entry<Long, Open>> each = open.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<Long, Open> one = each.next();
            if (one.getKey() > number) {
                break;
            }
            if (one.getValue().sequence() == 0) {
                each.remove();
                taken += one.getValue().weight();
            }
        }
        return taken;
    }

    List<Open> takeBarriers() {
        List<Open> barriers = new ArrayList<>();
        open.values().removeIf(one -> one.message() == null && barriers.add(one));
        return barriers;
    }

    List<Open> takeAll() {
        List<Open> all = List.copyOf(open.values());
        open.clear();
        return all;
    }
}
