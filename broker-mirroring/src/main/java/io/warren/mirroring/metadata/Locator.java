package io.warren.mirroring.metadata;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Where the first copy of a new queue goes: {@code queue-master-locator}. */
public enum Locator {
    /** The node of the client that declares. */
    CLIENT_LOCAL,
    /** The running node with the fewest masters; by name among equals. */
    MIN_MASTERS,
    /** Any running node. */
    RANDOM;

    /** The one an argument or a policy names, or null if it names none; RabbitMQ takes that for none asked for. */
    static @Nullable Locator named(@Nullable Object name) {
        for (Locator each : values()) {
            if (each.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(name)) {
                return each;
            }
        }
        return null;
    }

    /**
     * Chooses the node.
     *
     * @param clientNode node of the declaring client
     * @param candidates running nodes that may be chosen, not empty
     * @param masters number of masters on a node
     * @param random a number drawn by the proposer, so that choosing is deterministic
     */
    public String choose(String clientNode, List<String> candidates, ToLongFunction<String> masters, long random) {
        return switch (this) {
            case CLIENT_LOCAL -> clientNode;
            case MIN_MASTERS ->
                candidates.stream()
                        .min(Comparator.comparingLong(masters).thenComparing(Comparator.naturalOrder()))
                        .orElseThrow();
            case RANDOM ->
                candidates.stream().sorted().toList().get((int) Math.floorMod(random, (long) candidates.size()));
        };
    }
}
