package io.warren.core.spi;

import io.warren.core.metadata.Queue;

/** Wraps the local backing queue of a queue that is to be mirrored; without mirroring it stays as it is. */
@FunctionalInterface
public interface QueueReplication {

    /** The backing queue the queue works with; called in no mailbox, once for each queue that starts here. */
    BackingQueue wrap(String vhost, Queue queue, BackingQueue local, BackingQueueListener listener);
}
