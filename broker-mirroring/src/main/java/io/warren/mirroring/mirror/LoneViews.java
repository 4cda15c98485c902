package io.warren.mirroring.mirror;

import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.List;

/**
 * Views of a queue whose group is gone and whose last master goes on alone. The metadata make none then, so each node makes its own.
 *
 * <p>Only the master's node leads by them; at others they say where the queue is. Their epochs stay below that of any group that begins again:
 * of each one a command was applied, which deleted the group or registered a process, and a group begins with a command behind these.
 */
final class LoneViews {

    private LoneViews() {}

    /** Its group was deleted. Its master, if it was up, or the node of its last one, which it waits for. */
    static View of(View last) {
        return view(
                last.logId(),
                last.epoch() + 1,
                last.reign(),
                last.recovered(),
                last.inSync().get(0));
    }

    /** Its node runs as another process, which has what is on the disk. */
    static View next(View last, Member master) {
        long epoch = last.epoch() + 1;
        return view(last.logId(), epoch, epoch, epoch, master);
    }

    /**
     * This process has found the queue's copy on its disk.
     *
     * @param applied number of a command that was applied when the process was registered
     */
    static View found(long logId, long applied, Member self) {
        return view(logId, applied, applied, applied, self);
    }

    /** What another metadata log is followed for: it knows the queue, and no group. */
    static View following(View last, long logId, long applied) {
        return view(logId, applied, applied, applied, last.inSync().get(0));
    }

    private static View view(long logId, long epoch, long reign, long recovered, Member master) {
        return new View(logId, epoch, reign, recovered, 0, 1, true, List.of(master), List.of(), List.of());
    }
}
