package io.warren.core.spi;

import io.warren.core.message.Message;
import io.warren.core.metadata.Queue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where queues live, and the way to those that live elsewhere: a cluster as the core sees it. */
public interface QueueHomes {

    /** The name of this broker's node: queues with this home, or with none, live here. */
    String here();

    /** Called once, before any queue is there. */
    void begin(LocalQueues local);

    /** Whether a node runs as far as is known here; read for each use of a queue, without a lock. */
    boolean isRunning(String node);

    /**
     * A channel begins to use a queue of another node.
     *
     * @param channel hears the answers, on any thread, one at a time
     */
    AttachedQueue attach(String vhost, Queue queue, AttachedChannel channel);

    /**
     * Whether a queue is mirrored: then channels of every node, its master's too, use it by {@link #attach}.
     *
     * @return null for a queue that is one process, at its home
     */
    default @Nullable MovingHome mirrored(String vhost, Queue queue) {
        return null;
    }

    /**
     * A mirrored queue that this node leads begins to publish dead letters to another mirrored queue. Their sequences are the numbers under
     * which that queue recognises them, whichever node publishes them.
     *
     * @param source the first queue's id
     * @param channel hears the answers, on any thread, one at a time
     */
    default AttachedQueue attachQueue(long source, String vhost, Queue queue, AttachedChannel channel) {
        return attach(vhost, queue, channel);
    }

    /** A direct reply to a channel of another node; dropped if there is no way to it, as one to a channel that has ended. */
    void reply(String node, String vhost, Message message);

    /** What this broker is low on now, which holds publishers back at every node. */
    void alarms(List<String> names);

    /** As far as {@code home} is the name of another node, that name. */
    default @Nullable String elsewhere(@Nullable String home) {
        return home == null || home.equals(here()) ? null : home;
    }
}
