package io.warren.mirroring.cluster;

import io.warren.mirroring.link.tcp.LinkTls;
import io.warren.mirroring.node.NodeSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How a node's process is set up.
 *
 * @param node name of the node, the same for its whole life; other nodes' names differ
 * @param cluster name of the cluster: a node of another does not get in by mistake
 * @param host address to listen on and to be reached at
 * @param port cluster port, for other nodes' links; the metadata log is reached at the next one. Both stay the same while the node is
 *     in the cluster
 * @param directory where the node keeps its metadata and, if it is given none of its own, its broker's messages
 * @param secret what all nodes of the cluster know, at least 16 bytes, best drawn at random
 * @param seeds cluster addresses, as host:port, of nodes that are in the cluster; none for the first node of a new one. Of no importance
 *     to a node that is in it already
 * @param tls mutual TLS between links, or null. The metadata log's port is secured by the secret in any case
 * @param adapt changes to the node's settings
 * @param copiesInMemory whether this node's copies of durable mirrored queues are in memory only; see {@link #mirroredInMemory}
 */
public record ClusterSettings(
        String node,
        String cluster,
        String host,
        int port,
        Path directory,
        String secret,
        List<String> seeds,
        @Nullable LinkTls tls,
        UnaryOperator<NodeSettings> adapt,
        boolean copiesInMemory) {
    /** Where the metadata log is, in the node's directory. */
    static final String METADATA = "metadata";
    /** Where the copies of mirrored queues are. */
    static final String COPIES = "copies";

    private static final int PORT_MAX = 65_534;

    public ClusterSettings {
        if (node.isEmpty()) {
            throw new IllegalArgumentException("node is empty");
        }
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException(
                    "port=" + port + ", allowed are 1 to " + PORT_MAX + ", for the next one is taken too");
        }
        seeds = List.copyOf(seeds);
        seeds.forEach(ClusterSettings::metadataAddress);
    }

    /** A node that founds a cluster of its own, or goes on with what is in its directory. */
    public static ClusterSettings of(String node, String host, int port, Path directory, String secret) {
        return new ClusterSettings(
                node, "warren", host, port, directory, secret, List.of(), null, UnaryOperator.identity(), false);
    }

    /** The same, to be taken into the cluster of these nodes. */
    public ClusterSettings join(List<String> addresses) {
        return new ClusterSettings(node, cluster, host, port, directory, secret, addresses, tls, adapt, copiesInMemory);
    }

    /** The same with mutual TLS between links. */
    public ClusterSettings tls(LinkTls links) {
        return new ClusterSettings(node, cluster, host, port, directory, secret, seeds, links, adapt, copiesInMemory);
    }

    /** The same with these changes to the node's settings, after those before. */
    public ClusterSettings adapt(UnaryOperator<NodeSettings> change) {
        return new ClusterSettings(
                node,
                cluster,
                host,
                port,
                directory,
                secret,
                seeds,
                tls,
                settings -> change.apply(adapt.apply(settings)),
                copiesInMemory);
    }

    /**
     * The same, with this node's copies of mirrored queues in memory only. A durable queue that is mirrored by such nodes survives the end of every
     * one but the last in sync, and not the end of all. For tests, and where the disk is slower than losing everything is bad.
     */
    public ClusterSettings mirroredInMemory() {
        return new ClusterSettings(node, cluster, host, port, directory, secret, seeds, tls, adapt, true);
    }

    String address() {
        return host + ":" + port;
    }

    int metadataPort() {
        return metadataPort(port);
    }

    static int metadataPort(int clusterPort) {
        return clusterPort + 1;
    }

    /** Where the node with this cluster address has its metadata log. */
    static String metadataAddress(String address) {
        int colon = address.lastIndexOf(':');
        try {
            int port = Integer.parseInt(address.substring(colon + 1));
            if (colon > 0 && port >= 1 && port <= PORT_MAX) {
                return address.substring(0, colon) + ":" + (port + 1);
            }
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException("address=" + address + " is not HOST:PORT", notANumber);
        }
        throw new IllegalArgumentException(
                "address=" + address + " is not HOST:PORT with a port from 1 to " + PORT_MAX);
    }
}
