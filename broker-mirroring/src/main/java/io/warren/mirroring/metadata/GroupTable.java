package io.warren.mirroring.metadata;

import io.warren.mirroring.metadata.MetadataState.GroupState;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The groups by name, and which of them the command that is being applied has changed.
 *
 * <p>A command may change a group in several steps, as when a node ends and another one takes its place. Nobody hears of the steps: one
 * command makes one view of a group, for its number is the view's epoch. Owned by the {@link Metadata} it is a part of.
 */
final class GroupTable {
    private final Map<String, GroupState> groups = new TreeMap<>();
    /** Of each group that the command has changed, its view before; empty if there was no such group. */
    private final Map<String, Optional<View>> before = new LinkedHashMap<>();
    /** In how many rings each node stands. */
    private final Map<String, Integer> rings = new HashMap<>();
    /** Those that nobody leads: few or none, and asked for with every tick of a controller. */
    private final Set<String> down = new TreeSet<>();

    /** All groups; a view of the table. */
    Map<String, GroupState> all() {
        return Collections.unmodifiableMap(groups);
    }

    /** Names that stay while groups change. */
    List<String> names() {
        return List.copyOf(groups.keySet());
    }

    @Nullable GroupState get(String name) {
        return groups.get(name);
    }

    boolean has(String name) {
        return groups.containsKey(name);
    }

    /** Names of the groups that nobody leads, in order; a view of the table. */
    Set<String> down() {
        return Collections.unmodifiableSet(down);
    }

    /** In how many rings a node stands: its load, where a copy is to be placed. */
    int rings(String node) {
        return rings.getOrDefault(node, 0);
    }

    /** Puts a group, or its next view, in place. */
    void put(String name, boolean durable, View view) {
        GroupState old = groups.get(name);
        note(name, old);
        View then = before.getOrDefault(name, Optional.empty()).orElse(null);
        View now = then == null ? view : Succession.unchanged(then, view);
        groups.put(name, new GroupState(durable, now));
        count(old, -1);
        count(groups.get(name), 1);
        if (now.up()) {
            down.remove(name);
        } else {
            down.add(name);
        }
    }

    /** Puts the next view of a group in place; false if there is none, because it was refused. */
    boolean put(String name, GroupState group, @Nullable View next) {
        if (next == null) {
            return false;
        }
        if (!next.equals(group.view())) {
            put(name, group.durable(), next);
        }
        return true;
    }

    void delete(String name) {
        GroupState old = groups.remove(name);
        if (old != null) {
            note(name, old);
            count(old, -1);
            down.remove(name);
        }
    }

    private void note(String name, @Nullable GroupState old) {
        before.putIfAbsent(name, Optional.ofNullable(old).map(GroupState::view));
    }

    private void count(@Nullable GroupState group, int by) {
        if (group != null) {
            for (Member member : group.view().ring()) {
                rings.merge(member.node(), by, Integer::sum);
            }
        }
    }

    /** The groups that the command has changed, those that are gone included. */
    Set<String> changed() {
        return Collections.unmodifiableSet(before.keySet());
    }

    /** Ends the command: tells what became of each group that it has changed, in the order in which it first did. */
    void tell(MetadataListener listener) {
        Map<String, Optional<View>> changed = new LinkedHashMap<>(before);
        before.clear();
        changed.forEach((name, then) -> {
            GroupState now = groups.get(name);
            if (now != null && !now.view().equals(then.orElse(null))) {
                listener.onView(name, now.view());
            } else if (now == null && then.isPresent()) {
                listener.onGroupDeleted(name);
            }
        });
    }

    /** Takes over the content of a state, of which nobody is to hear. */
    void begin(Map<String, GroupState> state) {
        new TreeMap<>(state).forEach((name, group) -> put(name, group.durable(), group.view()));
        before.clear();
    }
}
