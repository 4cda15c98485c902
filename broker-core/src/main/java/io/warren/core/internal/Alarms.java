package io.warren.core.internal;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What holds publishers back, and what connection.blocked says of it. Set by any thread.
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
    private final Consumer<Boolean> onBlocked;
    private final Runnable onPublishable;
    private volatile boolean blocked;
    private volatile boolean behind;
    private volatile String reason = "";

    /**
     * @param onBlocked told when the first alarm goes on, and when the last goes off
     * @param onPublishable run when publishers may go on
     */
    Alarms(Consumer<Boolean> onBlocked, Runnable onPublishable) {
        this.onBlocked = onBlocked;
        this.onPublishable = onPublishable;
    }

    synchronized void set(Alarm alarm, boolean isOn) {
        if (!(isOn ? on.add(alarm) : on.remove(alarm))) {
            return;
        }
        // RabbitMQ's words for more than one of them.
        reason = on.isEmpty()
                ? ""
                : "low on " + on.stream().map(each -> each.what).collect(Collectors.joining(" & "));
        boolean now = !on.isEmpty();
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
