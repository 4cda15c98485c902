package io.warren.examples.server;

import io.warren.core.Broker;
import io.warren.mirroring.cluster.ClusterNode;
import io.warren.mirroring.cluster.ClusterSettings;
import io.warren.mirroring.cluster.ClusterWitness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** A broker as a node of a cluster, and what answers the {@code cluster} command. */
final class ServedNode implements AutoCloseable {

    private final ClusterNode node;
    private final ControlSocket control;

    private ServedNode(ClusterNode node, ControlSocket control) {
        this.node = node;
        this.control = control;
    }

    /** A witness, which answers the {@code cluster} command too. */
    static Runnable startWitness(ServerOptions options) throws IOException {
        ClusterWitness witness = ClusterWitness.start(settings(options));
        ControlSocket control = ControlSocket.open(directory(options), new ClusterCommands(witness::status, null));
        return () -> {
            control.close();
            witness.close();
        };
    }

    static ServedNode start(ServerOptions options, ServerSetup setup) throws IOException {
        Path directory = directory(options);
        ClusterNode node = ClusterNode.start(
                settings(options).adapt(it -> it.broker(builder -> setup.broker(directory.resolve("queues")))));
        try {
            return new ServedNode(node, ControlSocket.open(directory, new ClusterCommands(node::status, node)));
        } catch (IOException unusable) {
            node.close();
            throw unusable;
        }
    }

    private static Path directory(ServerOptions options) {
        return Objects.requireNonNull(options.dataDirectory(), "--data-dir");
    }

    private static ClusterSettings settings(ServerOptions options) {
        NodeOptions asked = options.node();
        return ClusterSettings.of(
                        Objects.requireNonNull(asked.name(), "--node"),
                        asked.host(),
                        Objects.requireNonNull(asked.port(), "--cluster-port"),
                        directory(options),
                        secret(Objects.requireNonNull(asked.secretFile(), "--cluster-secret-file")))
                .join(asked.seeds())
                .adapt(node -> node.partitionHandling(asked.partitionHandling()));
    }

    private static String secret(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("cannot read the cluster's secret: " + unreadable, unreadable);
        }
    }

    Broker broker() {
        return node.broker();
    }

    @Override
    public void close() {
        control.close();
        node.close();
    }
}
