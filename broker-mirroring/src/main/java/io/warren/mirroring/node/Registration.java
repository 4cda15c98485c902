package io.warren.mirroring.node;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.metadata.PartitionHandling;
import io.warren.mirroring.ring.Member;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a process of a node comes to run for the cluster: it is admitted, it registers, and waits until a majority has it so.
 *
 * <p>Any thread may call, but {@link #admit} and {@link #await} are the starting thread's.
 */
final class Registration {
    private static final Logger LOG = LoggerFactory.getLogger("io.warren.mirroring.node");

    private final NodeSettings settings;
    private final MetadataStore store;
    private final Quorum quorum;
    private final CompletableFuture<Member> registered = new CompletableFuture<>();
    /** Whether this node may register: it is not one that the others have forgotten, or will not have. */
    private volatile boolean admitted;

    Registration(NodeSettings settings, MetadataStore store, Quorum quorum) {
        this.settings = settings;
        this.store = store;
        this.quorum = quorum;
    }

    /**
     * Lets this node register.
     *
     * @param wasKnown whether what this node knew of the cluster, before it met the others, had itself in it
     * @throws IllegalStateException if the others have forgotten this node, or it cannot be set up as it is beside them
     */
    void admit(boolean wasKnown) {
        Map<String, NodeState> known = store.read(Metadata::nodes);
        String refusal = wasKnown && !known.containsKey(settings.name())
                ? "it was forgotten by its cluster, whose nodes are " + known.keySet()
                        + ": empty its directory and let it join as new"
                : handlingRefusal(known);
        if (refusal != null) {
            quorum.giveUpVote(Set.of());
            throw new IllegalStateException("node '" + settings.name() + "' does not start: " + refusal);
        }
        if (settings.partitionHandling() == PartitionHandling.IGNORE) {
            LOG.warn(
                    "node '{}' ignores partitions: when it loses the other node it goes on alone, and if the other does the same,"
                            + " confirmed messages of one of the two may be lost when they meet again",
                    settings.name());
        }
        admitted = true;
    }

    /** Why this node's partition handling does not go with these nodes and those that vote, or null. */
    @Nullable String handlingRefusal(Map<String, NodeState> known) {
        Set<String> names = new TreeSet<>(known.keySet());
        names.add(settings.name());
        Set<String> voters = new TreeSet<>(quorum.voters());
        voters.add(settings.name());
        return settings.partitionHandling().refusal(names, voters);
    }

    /** Asks for this process to run; any number of times. */
    void submit(Member self) {
        if (admitted) {
            Command.Change up = Command.Change.up(self.incarnation(), settings.address());
            store.submit(new Command.Nodes(Map.of(settings.name(), up)), result -> {});
        }
    }

    /** The nodes as they are now: whoever waits for this process to run may find it among them. */
    void onNodes(Map<String, NodeState> now, Member self) {
        NodeState own = now.get(settings.name());
        if (own != null && own.running() && own.incarnation() == self.incarnation()) {
            registered.complete(self);
        }
    }

    boolean isDone() {
        return registered.isDone();
    }

    /** @throws IllegalStateException if no majority has taken it in all tries, naming who was waited for */
    void await(Supplier<Member> self) {
        for (int tries = 1; !registered.isDone(); tries++) {
            try {
                registered.get(settings.startTry().toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException late) {
                Set<String> waitedFor = new TreeSet<>(quorum.voters());
                waitedFor.remove(settings.name());
                LOG.warn(
                        "node '{}' waits for a majority of {}: try {} of {}",
                        settings.name(),
                        waitedFor,
                        tries,
                        settings.startTries());
                if (tries >= settings.startTries()) {
                    throw new IllegalStateException(
                            "node '" + settings.name() + "' was not taken into the cluster in " + tries + " tries of "
                                    + settings.startTry() + ": it waited for a majority of " + waitedFor);
                }
                submit(self.get());
            } catch (ExecutionException | InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(
                        "interrupted while node '" + settings.name() + "' started", interrupted);
            }
        }
    }
}
