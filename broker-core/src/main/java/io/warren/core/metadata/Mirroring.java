package io.warren.core.metadata;

import io.warren.core.message.FieldTable;
import io.warren.core.message.FieldType;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a policy asks of a cluster: how many copies of a queue, where, and how they follow. A single node keeps it and has no
 * use for it. Mirroring cannot be asked for by a queue's arguments.
 *
 * @param mode how the nodes are chosen
 * @param copies with {@link Mode#EXACTLY} the number of copies, the master's included; else 0
 * @param nodes with {@link Mode#NODES} the nodes; else empty
 * @param synchronisesItself whether a new copy is brought up to date without being asked to (ha-sync-mode automatic)
 * @param promotesOnShutdown whether a copy that is not up to date takes over when the master's node is stopped
 * @param promotesOnFailure the same when it ends in another way
 * @param inSyncMin least copies that hold a publish before it is confirmed, 1 without the key (ha-min-insync, which RabbitMQ lacks)
 */
public record Mirroring(
        Mode mode,
        int copies,
        List<String> nodes,
        boolean synchronisesItself,
        boolean promotesOnShutdown,
        boolean promotesOnFailure,
        int inSyncMin) {

    /** The keys of a policy that are about mirroring; each needs ha-mode beside it. */
    public static final Set<String> KEYS = Set.of(
            "ha-mode",
            "ha-params",
            "ha-sync-mode",
            "ha-sync-batch-size",
            "ha-promote-on-shutdown",
            "ha-promote-on-failure",
            "ha-min-insync");

    /** How the nodes with copies are chosen. */
    public enum Mode {
        /** All that run. */
        ALL,
        /** A number of them. */
        EXACTLY,
        /** Those that are named. */
        NODES
    }

    public Mirroring {
        nodes = List.copyOf(nodes);
    }

    /** What a policy with this definition asks, which was found valid; null without ha-mode. */
    public static @Nullable Mirroring of(FieldTable definition) {
        if (!(definition.get("ha-mode") instanceof String name)) {
            return null;
        }
        Object params = definition.get("ha-params");
        return new Mirroring(
                Objects.requireNonNull(mode(name), name),
                params instanceof Number count ? count.intValue() : 0,
                params instanceof List<?> names
                        ? names.stream().map(String::valueOf).toList()
                        : List.of(),
                "automatic".equals(definition.get("ha-sync-mode")),
                "always".equals(definition.get("ha-promote-on-shutdown")),
                "always".equals(definition.get("ha-promote-on-failure")),
                definition.get("ha-min-insync") instanceof Number least ? least.intValue() : 1);
    }

    private static @Nullable Mode mode(@Nullable Object name) {
        return switch (name instanceof String text ? text : "") {
            case "all" -> Mode.ALL;
            case "exactly" -> Mode.EXACTLY;
            case "nodes" -> Mode.NODES;
            default -> null;
        };
    }

    /** What is wrong with a policy's definition, in RabbitMQ's words, or null. */
    static @Nullable String problem(FieldTable definition) {
        if (KEYS.stream().noneMatch(definition::has)) {
            return null;
        }
        if (!definition.has("ha-mode")) {
            return "ha-mode must be specified to specify ha-params, ha-sync-mode or ha-promote-on-shutdown";
        }
        Mode mode = mode(definition.get("ha-mode"));
        if (mode == null) {
            return quoted(definition.get("ha-mode")) + " is not a valid ha-mode value";
        }
        String problem = params(mode, definition);
        if (problem == null) {
            problem = oneOf(definition, "ha-sync-mode", "manual", "automatic");
        }
        if (problem == null) {
            problem = number(definition, "ha-sync-batch-size");
        }
        if (problem == null) {
            problem = oneOf(definition, "ha-promote-on-shutdown", "always", "when-synced");
        }
        if (problem == null) {
            problem = oneOf(definition, "ha-promote-on-failure", "always", "when-synced");
        }
        return problem == null ? inSyncMin(mode, definition) : problem;
    }

    private static @Nullable String params(Mode mode, FieldTable definition) {
        Object given = definition.get("ha-params");
        return switch (mode) {
            case ALL -> definition.has("ha-params") ? "ha-mode=\"all\" does not take parameters" : null;
            case EXACTLY ->
                isPositive(given) ? null : "ha-mode=\"exactly\" takes an integer, " + quoted(given) + " given";
            case NODES -> nodes(given);
        };
    }

    private static @Nullable String nodes(@Nullable Object given) {
        if (!(given instanceof List<?> names)) {
            return "ha-mode=\"nodes\" takes a list, " + quoted(given) + " given";
        }
        if (names.isEmpty()) {
            return "ha-mode=\"nodes\" list must be non-empty";
        }
        return names.stream()
                .filter(Predicate.not(String.class::isInstance))
                .findFirst()
                .map(odd -> "ha-mode=\"nodes\" takes a list of strings, [" + quoted(odd) + "] was not a string")
                .orElse(null);
    }

    private static @Nullable String oneOf(FieldTable definition, String key, String one, String other) {
        Object given = definition.get(key);
        return !definition.has(key) || one.equals(given) || other.equals(given)
                ? null
                : key + " must be \"" + one + "\" or \"" + other + "\", got " + quoted(given);
    }

    private static @Nullable String number(FieldTable definition, String key) {
        Object given = definition.get(key);
        return !definition.has(key) || isPositive(given)
                ? null
                : key + " takes an integer greater than 0, " + quoted(given) + " given";
    }

    /** No queue could ever confirm with fewer copies than it waits for. */
    private static @Nullable String inSyncMin(Mode mode, FieldTable definition) {
        String problem = number(definition, "ha-min-insync");
        if (problem == null && definition.get("ha-min-insync") instanceof Number least) {
            Object params = definition.get("ha-params");
            long copies = mode == Mode.EXACTLY && params instanceof Number count
                    ? count.longValue()
                    : mode == Mode.NODES && params instanceof List<?> names ? names.size() : Long.MAX_VALUE;
            if (least.longValue() > copies) {
                problem = "ha-min-insync " + least + " is more than the " + copies + " copies that ha-params asks for";
            }
        }
        return problem;
    }

    private static boolean isPositive(@Nullable Object value) {
        return value instanceof Number number
                && FieldType.isInteger(value)
                && number.longValue() > 0
                && number.longValue() <= Integer.MAX_VALUE;
    }

    private static String quoted(@Nullable Object value) {
        return value instanceof String text ? "\"" + text + "\"" : value == null ? "none" : value.toString();
    }
}
