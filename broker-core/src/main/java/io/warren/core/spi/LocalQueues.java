package io.warren.core.spi;

import io.warren.core.error.AmqpError;
import io.warren.core.message.Message;
import io.warren.core.metadata.Queue;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the core offers to a cluster: the queues that live here, for channels that do not. */
public interface LocalQueues {

    /**
     * A channel elsewhere uses a queue that lives here.
     *
     * @param id tells it from another queue of that name
     * @param attachment number its deliveries carry
     * @param channel hears the answers, in the queue's mailbox
     * @return null if the queue is not there, or not any more
     */
    @Nullable AttachedQueue attach(String vhost, String name, long id, int attachment, AttachedChannel channel);

    /**
     * This node comes to lead a mirrored queue. Called in that queue's mailbox.
     *
     * @param queue as the cluster knows it; what the topology says of it by now counts
     * @param mailbox one of {@link #serial}, which owns the backing queue
     * @param backing what the queue works on until the reign ends
     */
    LedQueue lead(String vhost, Queue queue, Executor mailbox, BackingQueue backing, Reign reign);

    /** Whether a queue of this id runs here by itself, or has stopped and is not taken over yet. */
    boolean runsByItself(String vhost, String name, long id);

    /**
     * The queue of this id, which runs here by itself, has stopped or is about to, because it is mirrored from now on.
     *
     * @param to given what it held, once, when it has stopped; any thread
     */
    void release(long queueId, Consumer<ReleasedQueue> to);

    /** The broker's clocks, by which messages expire. */
    Ticker ticker();

    /** Takes note of bytes that one queue holds in memory, and says whether that is too much; called by that queue's owner. */
    MemoryBudget memory();

    /** A direct reply from another node to a channel of this one. */
    void reply(String vhost, Message message);

    /** What another node is low on; nothing, when there is no link to it. */
    void alarmsAt(String node, List<String> names);

    /** Runs what it is given one after the other, in order, as queues and channels are run; {@code onFailure} is told. */
    Executor serial(Consumer<Throwable> onFailure);

    /** Closes every connection, and refuses others with the same reason until {@link #resume}. */
    void suspend(AmqpError reason);

    void resume();
}
