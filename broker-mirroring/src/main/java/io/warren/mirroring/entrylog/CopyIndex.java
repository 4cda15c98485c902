package io.warren.mirroring.entrylog;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a first reading of the log finds of one generation of a copy: its last state, and where everything stands that this state may need.
 *
 * <p>Messages and entries are looked for before a state and behind it, for they are written again now and then. Settlements are not looked at: the
 * state names what is not settled.
 */
final class CopyIndex {

    /** Where an entry stands. */
    record Indexed(long epoch, long place, int bytes) {}

    private final PlaceTable messages = new PlaceTable((place, bytes) -> {});
    private final TreeMap<Long, Indexed> entries = new TreeMap<>();

    private @Nullable CopyState state;
    private long statePlace;
    private Map<Long, Indexed> entriesAtState = Map.of();

    void onEntry(RecordFormat.Head head, long place, int bytes) {
        // Epochs never fall along a log: what is in the way was cut, by a record in a file that is gone.
        entries.tailMap(head.offset()).values().removeIf(there -> there.epoch < head.epoch());
        entries.put(head.offset(), new Indexed(head.epoch(), place, bytes));
        onMessage(head.message(), place, bytes);
    }

    void onMessage(long message, long place, int bytes) {
        if (message >= 0) {
            messages.put(message, place, bytes);
        }
    }

    void onCut(long fromOffset) {
        entries.tailMap(fromOffset).clear();
    }

    void onForgotten(long toOffset) {
        entries.headMap(toOffset, true).clear();
    }

    void onState(CopyState found, long place) {
        state = found;
        statePlace = place;
        entries.headMap(found.base().offset(), true).clear();
        entries.values().removeIf(there -> there.epoch < found.base().epoch());
        entriesAtState = Map.copyOf(entries);
        messages.retain(found.messages(), found.tables().nextOffset());
    }

    /** The last state; null if none was written. */
    @Nullable CopyState state() {
        return state;
    }

    long statePlace() {
        return statePlace;
    }

    /** The entries that stood behind the state's base when it was written, in order. */
    NavigableMap<Long, Indexed> entriesAtState() {
        return new TreeMap<>(entriesAtState);
    }

    /** Where each message stands; more than those of the state. */
    PlaceTable messages() {
        return messages;
    }
}
