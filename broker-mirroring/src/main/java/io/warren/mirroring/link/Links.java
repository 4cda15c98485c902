package io.warren.mirroring.link;

import io.warren.mirroring.ring.Member;

/**
 * One node's end of all its links.
 *
 * <p>Links come in from whoever can prove that it belongs to the cluster; whether that node may do anything is not decided here. Any
 * thread may call; what follows is heard by the {@link LinkListener} given at construction.
 *
 * @param <P> payload of the ring's entries
 */
public interface Links<P> extends AutoCloseable {

    /** Most values that travel with a heartbeat. */
    int VALUES_MAX = 8;

    Member self();

    /** Where this node takes links. */
    String address();

    /** Keeps a link with this node: dials unless there is one, and again when it goes down, until {@link #drop}. */
    void keep(String node, String address);

    /** Dials this node no more, and cuts its link. */
    void drop(String node);

    /** Dials an address once, whoever is there: how a node finds its cluster. */
    void seek(String address);

    /**
     * What heartbeats carry from now on.
     *
     * @param values at most {@link #VALUES_MAX}; their meaning is agreed between the users at both ends
     */
    void tell(long... values);

    /** Takes and dials no more, and cuts every link. The listener hears nothing any more. */
    @Override
    void close();
}
