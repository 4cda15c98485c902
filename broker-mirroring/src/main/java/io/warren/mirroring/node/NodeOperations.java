package io.warren.mirroring.node;

import io.warren.mirroring.entrylog.SetAside;
import io.warren.mirroring.mirror.MirrorEvent;
import java.util.List;
import java.util.function.Consumer;

/** What who operates a cluster may ask of one of its nodes, and tell it. Thread-safe; what is refused has had no effect. */
public interface NodeOperations {

    /** The cluster as this node knows it. */
    ClusterStatus status();

    /** Every mirrored queue as this node knows it, by virtual host and name. */
    List<MirroredQueue> mirroredQueues();

    /**
     * Brings every member of a mirrored queue up to date that is not, where the policy has that done by hand. Returns when it has begun.
     *
     * @throws IllegalStateException if the queue is not there, not mirrored, or led at another node, which the text names
     */
    void synchronise(String vhost, String queue);

    /**
     * Breaks off what {@link #synchronise} began: members keep what they have.
     *
     * @throws IllegalStateException as {@link #synchronise}
     */
    void cancelSynchronisation(String vhost, String queue);

    /**
     * Has a mirrored queue led at another node, which holds everything. Returns when that is asked for.
     *
     * @throws IllegalStateException if the queue is not there or not mirrored, or that node does not hold everything
     */
    void moveMaster(String vhost, String queue, String to);

    /**
     * Tells what becomes of the copies of every mirrored queue, as this node hears of it.
     *
     * @param listener called by any thread, one event of a queue after the other; must not block
     */
    void onMirrorEvent(Consumer<MirrorEvent> listener);

    /**
     * What this node held of queues that went on without it, as after the promotion of a member that did not hold everything, or was made to go on alone: each set with its
     * messages, read whole into memory. Sorted by name.
     *
     * @throws IllegalStateException if it cannot be read
     */
    List<SetAside> copiesSetAside();

    /**
     * Publishes the messages of a set to a queue, in their order and behind what is there, and deletes the set when all are confirmed. Some may be in the queue already: a consumer
     * that cannot bear them twice has to tell.
     *
     * @return how many
     * @throws IllegalStateException if there is no such set or queue, or the queue did not confirm all; then the set is still there
     */
    int putBack(String name, String vhost, String queue);

    /**
     * Deletes a set.
     *
     * @throws IllegalStateException if there is no such set, or it cannot be deleted
     */
    void deleteSetAside(String name);

    /**
     * The durable queues that live at a node, as {@code vhost/name}: what is lost when it is forgotten. Sorted.
     *
     * @param node a node of the cluster, running or not
     */
    List<String> durableQueuesOf(String node);

    /**
     * Takes a node out of the cluster that is down for good. Its queues are deleted.
     *
     * @param losingQueues whether durable queues of that node may be lost; {@link #durableQueuesOf} names them
     * @throws IllegalStateException if the node runs or is not known, if a queue would be lost that may not, or if no
     *     majority took it
     */
    void forget(String node, boolean losingQueues);

    /**
     * Stops this node and takes it out of the cluster.
     *
     * @param losingQueues whether durable queues that live here may be lost
     * @throws IllegalStateException as {@link #forget}, before anything was stopped if it is for the queues
     */
    void leave(boolean losingQueues);
}
