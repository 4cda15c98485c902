package io.warren.core.internal;

import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What holds publishers back, and what connection.blocked says of it. Set by any thread. In a cluster an alarm of one node
 * holds them back at all, for what they publish may go there.
 *
 * <p>Besides alarms there is being behind: the store has more to write than it should hold. It passes by itself within
 * moments, so publishers wait and nobody is told.
 */
final class Alarms {

    /** Why publishers are blocked. */
    enum Alarm {
        /** Messages take too much memory. */
        MEMORY("memory"),
        /** The disk is nearly full. */
        DISK("disk"),
        /** The message store has stopped: nothing can be confirmed any more. */
        STORE("disk that works");

        private final String what;

        Alarm(String what) {
            this.what = what;
        }
    }

    private final Set<Alarm> on = EnumSet.noneOf(Alarm.class);

    /** What other nodes are low on, those with an alarm only. */
    private final Map<String, List<String>> elsewhere = new TreeMap<>();

    private final Consumer<Boolean> onBlocked;
    private final Runnable onPublishable;
    private final Consumer<List<String>> onOwn;
    private volatile boolean blocked;
    private volatile boolean behind;
    private volatile String reason = "";

    /**
     * @param onBlocked told when the first alarm goes on, and when the last goes off
     * @param onPublishable run when publishers may go on
     * @param onOwn told what this node is low on, when that changes
     */
    Alarms(Consumer<Boolean> onBlocked, Runnable onPublishable, Consumer<List<String>> onOwn) {
        this.onOwn = onOwn;
        this.onBlocked = onBlocked;
        this.onPublishable = onPublishable;
    }

    synchronized void set(Alarm alarm, boolean isOn) {
        if (!(isOn ? on.add(alarm) : on.remove(alarm))) {
            return;
        }
        changed();
        onOwn.accept(names());
    }

    /** Another node says what it is low on; nothing, when it is gone. */
    synchronized void elsewhere(String node, List<String> names) {
        if (names.isEmpty()) {
            elsewhere.remove(node);
        } else {
            elsewhere.put(node, names);
        }
        changed();
    }

    private void changed() {
        Set<String> all = new LinkedHashSet<>(names());
        elsewhere.values().forEach(all::addAll);
        // RabbitMQ's words for more than one of them.
        reason = all.isEmpty() ? "" : "low on " + String.join(" & ", all);
        boolean now = !all.isEmpty();
        if (now != blocked) {
            blocked = now;
            onBlocked.accept(now);
            if (!now) {
                onPublishable.run();
            }
        }
    }

    void behind(boolean isBehind) {
        behind = isBehind;
        if (!isBehind) {
            onPublishable.run();
        }
    }

    /** Whether clients were told to stop publishing. */
    boolean isBlocked() {
        return blocked;
    }

    /** Whether publishers have to wait. */
    boolean holdPublishers() {
        return blocked || behind;
    }

    String reason() {
        return reason;
    }

    synchronized List<String> names() {
        return on.stream().map(each -> each.what).toList();
    }
}
