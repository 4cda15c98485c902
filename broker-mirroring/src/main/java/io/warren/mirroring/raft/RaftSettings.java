package io.warren.mirroring.raft;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Where one node keeps its end of the metadata log, and how patient it is.
 *
 * @param node name of the node, the same for its whole life
 * @param directory where the log and its snapshots are; of this node only
 * @param host address to listen on and to be reached at
 * @param port port to listen on, the same for as long as the node votes: the others keep it; 0 takes a free one
 * @param electionTimeout least time without word of a leader after which this node stands for election; the most is
 *     twice that. Short ones elect a new leader sooner and, on a machine that pauses, without need. A proven death does not wait for it
 * @param patience after which a command of which nothing was heard is answered as unknown: the detection time
 * @param snapshotEvery entries of the log after which a snapshot is taken and what it covers is dropped; an entry is
 *     at most 64 KiB, unless a single command is larger
 * @param mirrorsQueues whether a cluster that this node founds mirrors queues as their policies ask; of no importance to others. Copies are in
 *     memory only, those of durable queues too
 */
public record RaftSettings(
        String node,
        Path directory,
        String host,
        int port,
        Duration electionTimeout,
        Duration patience,
        int snapshotEvery,
        boolean mirrorsQueues) {
    /** Ratis' own default is 150 ms, which a pause for garbage collection exceeds. */
    private static final Duration ELECTION_TIMEOUT = Duration.ofMillis(500);

    /** Four heartbeats of half a second. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** A few MiB of log at the usual size of commands, replayed in well under a second. */
    private static final int SNAPSHOT_EVERY = 4096;

    public RaftSettings {
        if (node.isEmpty()) {
            throw new IllegalArgumentException("node is empty");
        }
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("port=" + port + ", allowed are 0 to 65535");
        }
        if (electionTimeout.toMillis() < 50 || electionTimeout.toMillis() > 60_000) {
            throw new IllegalArgumentException("electionTimeout=" + electionTimeout + ", allowed are 50 ms to 60 s");
        }
        if (patience.isNegative() || patience.isZero()) {
            throw new IllegalArgumentException("patience=" + patience);
        }
        if (snapshotEvery < 1) {
            throw new IllegalArgumentException("snapshotEvery=" + snapshotEvery);
        }
    }

    public static RaftSettings of(String node, Path directory, String host, int port) {
        return new RaftSettings(node, directory, host, port, ELECTION_TIMEOUT, PATIENCE, SNAPSHOT_EVERY, false);
    }

    public RaftSettings withElectionTimeout(Duration timeout) {
        return new RaftSettings(node, directory, host, port, timeout, patience, snapshotEvery, mirrorsQueues);
    }

    public RaftSettings withPatience(Duration newPatience) {
        return new RaftSettings(
                node, directory, host, port, electionTimeout, newPatience, snapshotEvery, mirrorsQueues);
    }

    public RaftSettings withSnapshotEvery(int entries) {
        return new RaftSettings(node, directory, host, port, electionTimeout, patience, entries, mirrorsQueues);
    }

    public RaftSettings withMirroredQueues(boolean mirrored) {
        return new RaftSettings(node, directory, host, port, electionTimeout, patience, snapshotEvery, mirrored);
    }
}
