package io.warren.mirroring.cluster;

import io.warren.core.Broker;
import io.warren.mirroring.entrylog.SetAside;
import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.mirror.MirrorEvent;
import io.warren.mirroring.node.ClusterStatus;
import io.warren.mirroring.node.LinkedPeers;
import io.warren.mirroring.node.MirroredQueue;
import io.warren.mirroring.node.Node;
import io.warren.mirroring.node.NodeOperations;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * A broker as one node of a cluster of processes.
 *
 * <p>The first node forms the cluster; others join it by the address of one that runs; a node whose directory knows a cluster goes on
 * in that one. A start waits for a majority of the voters as long as the node's settings say. {@link #close} is an orderly stop:
 * the node gives up its vote, so that those which go on need not count it.
 */
public final class ClusterNode implements NodeOperations, AutoCloseable {
    private final ClusterProcess process;
    private final Node node;

    /**
     * Starts a node; it serves when this returns.
     *
     * @throws IOException if its directory or ports cannot be used
     * @throws IllegalStateException if no majority took it in all tries, naming who was waited for; or if a node of its name is in the
     *     cluster already
     */
    public static ClusterNode start(ClusterSettings settings) throws IOException {
        return start(settings, LinkedPeers.GroupHost.NONE);
    }

    /** As {@link #start(ClusterSettings)}, with groups over its links. */
    public static ClusterNode start(ClusterSettings settings, LinkedPeers.GroupHost host) throws IOException {
        return new ClusterNode(settings, host);
    }

    private ClusterNode(ClusterSettings settings, LinkedPeers.GroupHost host) throws IOException {
        process = new ClusterProcess(settings, host);
        try {
            node = Node.start(
                    process.nodeSettings(),
                    process.store(),
                    process.quorum(),
                    process.peers(),
                    process.clock(),
                    process.clock(),
                    process.copies());
        } catch (RuntimeException failed) {
            process.abandon();
            throw failed;
        }
    }

    /** The node's broker: connect to it as to any. */
    public Broker broker() {
        return node.broker();
    }

    /** This node's end of the metadata log. */
    public MetadataStore metadata() {
        return process.store();
    }

    @Override
    public ClusterStatus status() {
        return node.status();
    }

    @Override
    public List<MirroredQueue> mirroredQueues() {
        return node.mirroredQueues();
    }

    @Override
    public void synchronise(String vhost, String queue) {
        node.synchronise(vhost, queue);
    }

    @Override
    public void cancelSynchronisation(String vhost, String queue) {
        node.cancelSynchronisation(vhost, queue);
    }

    @Override
    public void moveMaster(String vhost, String queue, String to) {
        node.moveMaster(vhost, queue, to);
    }

    @Override
    public void onMirrorEvent(Consumer<MirrorEvent> listener) {
        node.onMirrorEvent(listener);
    }

    @Override
    public List<SetAside> copiesSetAside() {
        return node.copiesSetAside();
    }

    @Override
    public int putBack(String name, String vhost, String queue) {
        return node.putBack(name, vhost, queue);
    }

    @Override
    public void deleteSetAside(String name) {
        node.deleteSetAside(name);
    }

    @Override
    public List<String> durableQueuesOf(String other) {
        return node.durableQueuesOf(other);
    }

    @Override
    public void forget(String other, boolean losingQueues) {
        node.forget(other, losingQueues);
    }

    @Override
    public void leave(boolean losingQueues) {
        node.leave(losingQueues);
        process.end();
    }

    /** Ends as a process that is killed: nobody is told anything, and its vote stays. For examples and tests. */
    public void kill() {
        process.kill();
        node.abandon();
    }

    @Override
    public void close() {
        node.close();
        process.end();
    }
}
