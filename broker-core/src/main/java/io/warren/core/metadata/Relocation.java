package io.warren.core.metadata;

import java.util.ArrayList;
import java.util.List;

/**
 * Queues that live at other nodes from now on. A cluster decides that; there is no command for it, since no client can ask for it.
 */
public final class Relocation {

    private Relocation() {}

    /**
     * One queue and where it lives now.
     *
     * @param id the queue's: one of the same name that was declared since stays where it is
     */
    public record Move(String vhost, String queue, long id, String home) {}

    /** The topology after these moves. A queue that is not there, or lives there already, changes nothing. */
    public static Outcome of(Definitions definitions, List<Move> moves) {
        Definitions moved = definitions;
        List<Change> changes = new ArrayList<>();
        for (Move move : moves) {
            VirtualHost vhost = moved.vhost(move.vhost());
            Queue queue = vhost == null ? null : vhost.queue(move.queue());
            if (vhost != null
                    && queue != null
                    && queue.id() == move.id()
                    && !move.home().equals(queue.definition().home())) {
                Queue there = queue.at(move.home());
                moved = moved.withVhost(vhost.withQueue(there));
                changes.add(new Change.QueueMoved(move.vhost(), there));
            }
        }
        return Outcome.applied(moved, changes);
    }
}
