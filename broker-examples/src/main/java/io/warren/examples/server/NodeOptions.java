package io.warren.examples.server;

import io.warren.mirroring.metadata.PartitionHandling;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the command line says of a server's place in a cluster.
 *
 * @param name name of the node, or null: then it is a broker by itself
 * @param host where other nodes reach it
 * @param port cluster port, and the metadata log at the next one
 * @param seeds cluster addresses of nodes to join; none to form a cluster
 * @param secretFile holds what all nodes know
 * @param partitionHandling what it does that hears no majority
 * @param isWitness whether it only votes, and takes no clients
 * @param isRehearsed whether a takeover is rehearsed before it joins
 */
public record NodeOptions(
        @Nullable String name,
        String host,
        @Nullable Integer port,
        List<String> seeds,
        @Nullable Path secretFile,
        PartitionHandling partitionHandling,
        boolean isWitness,
        boolean isRehearsed) {

    /** A broker by itself. */
    public static final NodeOptions NONE =
            new NodeOptions(null, "127.0.0.1", null, List.of(), null, PartitionHandling.QUORUM, false, true);

    public NodeOptions {
        seeds = List.copyOf(seeds);
    }

    NodeOptions with(String option, String value) {
        return switch (option) {
            case "--node" ->
                new NodeOptions(value, host, port, seeds, secretFile, partitionHandling, isWitness, isRehearsed);
            case "--cluster-host" ->
                new NodeOptions(name, value, port, seeds, secretFile, partitionHandling, isWitness, isRehearsed);
            case "--cluster-port" -> {
                int number = ServerOptions.port(option, value);
                yield new NodeOptions(name, host, number, seeds, secretFile, partitionHandling, isWitness, isRehearsed);
            }
            case "--join" -> {
                List<String> more = new ArrayList<>(seeds);
                more.add(value);
                yield new NodeOptions(name, host, port, more, secretFile, partitionHandling, isWitness, isRehearsed);
            }
            case "--cluster-secret-file" ->
                new NodeOptions(name, host, port, seeds, Path.of(value), partitionHandling, isWitness, isRehearsed);
            case "--partition-handling" ->
                new NodeOptions(name, host, port, seeds, secretFile, handling(value), isWitness, isRehearsed);
            default -> throw new IllegalArgumentException("'" + option + "' is not an option");
        };
    }

    private static PartitionHandling handling(String value) {
        return switch (value) {
            case "quorum" -> PartitionHandling.QUORUM;
            case "ignore" -> PartitionHandling.IGNORE;
            default ->
                throw new IllegalArgumentException("--partition-handling is quorum or ignore, was '" + value + "'");
        };
    }

    NodeOptions witness() {
        return new NodeOptions(name, host, port, seeds, secretFile, partitionHandling, true, isRehearsed);
    }

    NodeOptions unrehearsed() {
        return new NodeOptions(name, host, port, seeds, secretFile, partitionHandling, isWitness, false);
    }

    /** Whether there is a cluster at all. */
    public boolean isNode() {
        return name != null;
    }

    /** Refuses half of what a node needs. */
    void check(@Nullable Path dataDirectory) {
        if (name == null) {
            if (!equals(NONE)) {
                throw new IllegalArgumentException("--cluster-port, --cluster-host, --join, --cluster-secret-file,"
                        + " --partition-handling, --witness and --no-rehearsal are for a node of a cluster, which has"
                        + " a --node NAME");
            }
        } else if (port == null || secretFile == null || dataDirectory == null) {
            throw new IllegalArgumentException("--node " + name + " needs --cluster-port for other nodes,"
                    + " --cluster-secret-file with what all of them know, and --data-dir for its metadata");
        } else if (isWitness && partitionHandling != PartitionHandling.QUORUM) {
            throw new IllegalArgumentException(
                    "--witness makes a majority, so it goes with --partition-handling quorum");
        } else if (isWitness && seeds.isEmpty()) {
            throw new IllegalArgumentException("--witness needs --join: a cluster is not formed by its witness");
        }
    }
}
