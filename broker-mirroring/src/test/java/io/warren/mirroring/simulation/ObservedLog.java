package io.warren.mirroring.simulation;

import io.warren.mirroring.ring.Entry;
import io.warren.mirroring.ring.Position;
import java.util.ArrayList;
import java.util.List;

/** A log as the observer has pieced it together. */
final class ObservedLog {
    Position base;
    final List<Entry<Integer>> entries = new ArrayList<>();

    ObservedLog(SimulatedDisk.Image image) {
        base = image.base;
        entries.addAll(image.entries);
    }

    long last() {
        return base.offset() + entries.size();
    }

    int size() {
        return entries.size();
    }

    Entry<Integer> at(long offset) {
        return entries.get((int) (offset - base.offset() - 1));
    }

    Position position(long offset) {
        return offset == base.offset() ? base : at(offset).position();
    }

    boolean holds(Position position) {
        return (position.offset() < base.offset() && position.epoch() <= base.epoch())
                || (position.offset() >= base.offset()
                        && position.offset() <= last()
                        && position(position.offset()).equals(position));
    }
}
