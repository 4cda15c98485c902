package io.warren.mirroring.cluster;

import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.MetadataState;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.node.DurableQueues;
import io.warren.mirroring.raft.RaftSettings;
import io.warren.mirroring.raft.RatisMetadataStore;
import io.warren.mirroring.ring.View;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A node that does not run, by its directory, when those it would wait for at its start are lost for good.
 *
 * <p>{@link #forget} founds a new metadata log from what this node knew when it stopped, in which it votes alone. Started after that, it
 * serves at once; nodes that were not forgotten and come back later go over to the new log, as new ones. What this node never heard of is
 * lost with those that knew it, so {@link #losses} says first what that is.
 */
public final class StoppedNode implements AutoCloseable {
    private static final MetadataListener NOBODY = new MetadataListener() {};
    private static final long FOUNDING_SECONDS = 60;

    private final String name;
    private final NodeDirectory directory;
    private final NodeClock clock;
    private final RatisMetadataStore store;
    private final MetadataState known;

    private StoppedNode(
            String name, NodeDirectory directory, NodeClock clock, RatisMetadataStore store, MetadataState known) {
        this.name = name;
        this.directory = directory;
        this.clock = clock;
        this.store = store;
        this.known = known;
    }

    /**
     * The node of this directory, which cannot be started until this is closed.
     *
     * @throws IOException if it runs, if the directory is no node's, or if nothing in it is left of the metadata log
     */
    public static StoppedNode open(Path path) throws IOException {
        NodeDirectory.Identity identity = NodeDirectory.identity(path);
        if (identity == null) {
            throw new IOException("directory=" + path + " is no node's: nothing can be recovered from it");
        }
        NodeDirectory directory = NodeDirectory.open(path);
        NodeClock clock = new NodeClock(identity.node());
        try {
            // Nobody is to be spoken to, so what it proves itself with is nobody's secret.
            RatisMetadataStore store = RatisMetadataStore.offline(
                    RaftSettings.of(
                            identity.node(),
                            path.resolve(ClusterSettings.METADATA),
                            identity.host(),
                            ClusterSettings.metadataPort(identity.port())),
                    clock.drawSecret(),
                    clock);
            try {
                return new StoppedNode(identity.node(), directory, clock, store, known(store, path));
            } catch (IOException | RuntimeException failed) {
                store.close();
                throw failed;
            }
        } catch (IOException | RuntimeException failed) {
            clock.close();
            directory.close();
            throw failed;
        }
    }

    private static MetadataState known(RatisMetadataStore store, Path path) throws IOException {
        MetadataState known = store.foundable();
        if (known == null) {
            throw new IOException(
                    "directory=" + path + " holds nothing of the cluster's metadata: its node had not been taken in");
        }
        return known;
    }

    public String name() {
        return name;
    }

    /** Names of all nodes of the cluster, as far as this one knows. */
    public Set<String> nodes() {
        return new TreeSet<>(known.nodes().keySet());
    }

    /** What is lost if this node goes on without these: a line each. Nothing is changed. */
    public List<String> losses(Collection<String> forgotten) {
        refuseStrangers(forgotten);
        List<String> losses = new ArrayList<>();
        Metadata metadata = Metadata.of(known, NOBODY);
        for (String node : new TreeSet<>(forgotten)) {
            DurableQueues.of(node, metadata)
                    .forEach(queue -> losses.add("queue " + queue + ": all of it, for it lived at " + node));
        }
        for (String group : metadata.notHeldBy(name)) {
            View view = Objects.requireNonNull(metadata.view(group), group);
            losses.add("mirrored queue " + metadata.queueOf(group) + ": all of it, for " + name
                    + " does not hold everything that was" + " confirmed; in sync last: " + view.inSync() + ", kept: "
                    + view.kept());
        }
        Set<String> wentOn = wentOn();
        if (!wentOn.isEmpty()) {
            losses.add("whatever was declared, deleted or changed after " + name + " had stopped, while " + wentOn
                    + " went on");
        }
        return losses;
    }

    /** Those that were running when this node stopped in order. */
    private Set<String> wentOn() {
        NodeState own = known.nodes().get(name);
        Set<String> running = new TreeSet<>(NodeState.namesOfRunning(known.nodes()));
        return own == null || own.running() ? Set.of() : running;
    }

    /**
     * Founds a metadata log without these nodes. Those that are neither forgotten nor this one count as down until they come back.
     *
     * @param losing whether what {@link #losses} names may be lost
     * @throws IllegalArgumentException if a node is not of the cluster, or is this one
     * @throws IllegalStateException if something would be lost that may not
     * @throws IOException if the log could not be founded; the old one is still there then
     */
    public LogId forget(Collection<String> nodes, boolean losing) throws IOException {
        List<String> losses = losses(nodes);
        if (!losing && !losses.isEmpty()) {
            throw new IllegalStateException(
                    "without " + nodes + " this would be lost:\n  " + String.join("\n  ", losses));
        }
        try {
            return store.found(clock.drawLogId(), nodes).get(FOUNDING_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IOException("no metadata log was founded: " + Reason.of(failed), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a metadata log was founded", interrupted);
        }
    }

    private void refuseStrangers(Collection<String> forgotten) {
        if (forgotten.isEmpty() || forgotten.contains(name) || !nodes().containsAll(forgotten)) {
            Set<String> others = nodes();
            others.remove(name);
            throw new IllegalArgumentException(
                    "nodes=" + forgotten + ": those that node '" + name + "' can forget are " + others);
        }
    }

    @Override
    public void close() {
        store.close();
        clock.close();
        directory.close();
    }
}
