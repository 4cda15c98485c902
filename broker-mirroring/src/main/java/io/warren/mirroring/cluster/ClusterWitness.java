package io.warren.mirroring.cluster;

import io.warren.mirroring.metadata.PartitionHandling;
import io.warren.mirroring.node.ClusterStatus;
import io.warren.mirroring.node.LinkedPeers;
import io.warren.mirroring.node.NodeSettings;
import io.warren.mirroring.node.Witness;
import java.io.IOException;

/**
 * The third vote of a cluster of two nodes, as a process: when one node is gone, the other and the witness are a majority. It holds no queues
 * and takes no clients; a small machine will do.
 */
public final class ClusterWitness implements AutoCloseable {
    private final ClusterProcess process;
    private final Witness witness;

    private ClusterWitness(ClusterSettings settings) throws IOException {
        PartitionHandling handling = settings.adapt()
                .apply(NodeSettings.named(settings.node(), settings.address()))
                .partitionHandling();
        if (handling != PartitionHandling.QUORUM) {
            throw new IllegalArgumentException("partitionHandling=" + handling + ": witness '" + settings.node()
                    + "' makes a majority, so it goes with quorum");
        }
        process = new ClusterProcess(settings, LinkedPeers.GroupHost.NONE);
        try {
            witness = Witness.start(
                    process.nodeSettings(),
                    process.store(),
                    process.quorum(),
                    process.peers(),
                    process.clock(),
                    process.clock());
        } catch (RuntimeException failed) {
            process.abandon();
            throw failed;
        }
    }

    /**
     * Starts a witness; it votes when this returns.
     *
     * @param settings as of a node; it joins one, for a cluster is not formed by its witness
     * @throws IllegalArgumentException if it is to join nobody, or to ignore partitions
     * @throws IOException and {@link IllegalStateException} as of a node
     */
    public static ClusterWitness start(ClusterSettings settings) throws IOException {
        if (settings.seeds().isEmpty()) {
            throw new IllegalArgumentException("seeds=[]: witness '" + settings.node() + "' has to join a node");
        }
        return new ClusterWitness(settings);
    }

    /** The cluster as the witness knows it. */
    public ClusterStatus status() {
        return witness.status();
    }

    /** An orderly stop: it gives up its vote. */
    @Override
    public void close() {
        witness.close();
        process.end();
    }
}
