package io.warren.core.metadata;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.FieldTable;
import io.warren.core.message.FieldType;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The keys a policy may have, and what their values must be: a mistake is told when the policy is set. */
final class PolicyKeys {

    private enum Kind {
        /** A whole number from 0 on. */
        NUMBER,
        /** A whole number from 1 on. */
        POSITIVE,
        /** A text. */
        TEXT,
        /** Taken as it is: mirroring, which a single node has no use for. */
        MIRRORING
    }

    private static final Map<String, Kind> KEYS = Map.ofEntries(
            Map.entry("message-ttl", Kind.NUMBER),
            Map.entry("expires", Kind.POSITIVE),
            Map.entry("max-length", Kind.NUMBER),
            Map.entry("max-length-bytes", Kind.NUMBER),
            Map.entry("overflow", Kind.TEXT),
            Map.entry("dead-letter-exchange", Kind.TEXT),
            Map.entry("dead-letter-routing-key", Kind.TEXT),
            Map.entry("queue-mode", Kind.TEXT),
            Map.entry("alternate-exchange", Kind.TEXT),
            Map.entry("ha-mode", Kind.MIRRORING),
            Map.entry("ha-params", Kind.MIRRORING),
            Map.entry("ha-sync-mode", Kind.MIRRORING),
            Map.entry("ha-sync-batch-size", Kind.MIRRORING),
            Map.entry("ha-promote-on-shutdown", Kind.MIRRORING),
            Map.entry("ha-promote-on-failure", Kind.MIRRORING));

    private PolicyKeys() {}

    /** What is wrong with a policy, or null. */
    static @Nullable AmqpError invalid(Policy policy) {
        FieldTable definition = policy.definition();
        if (definition.isEmpty()) {
            return refused(policy, "its definition is empty");
        }
        for (Map.Entry<String, Object> entry : definition.asMap().entrySet()) {
            Kind kind = KEYS.get(entry.getKey());
            if (kind == null) {
                return refused(policy, "'" + entry.getKey() + "' is not a key; keys are " + known());
            }
            String problem = problem(kind, entry.getValue());
            if (problem != null) {
                return refused(policy, "'" + entry.getKey() + "' " + problem + ", was " + entry.getValue());
            }
        }
        return null;
    }

    /** Those that mean something to a single node: with all of them the text would be cut. */
    private static Set<String> known() {
        TreeSet<String> known = new TreeSet<>(KEYS.keySet());
        known.removeIf(key -> KEYS.get(key) == Kind.MIRRORING);
        return known;
    }

    private static @Nullable String problem(Kind kind, @Nullable Object value) {
        return switch (kind) {
            case NUMBER -> isNumberFrom(value, 0) ? null : "must be a whole number from 0 on";
            case POSITIVE -> isNumberFrom(value, 1) ? null : "must be a whole number from 1 on";
            case TEXT -> value instanceof String ? null : "must be a text";
            case MIRRORING -> null;
        };
    }

    private static boolean isNumberFrom(@Nullable Object value, long least) {
        return value instanceof Number number && FieldType.isInteger(value) && number.longValue() >= least;
    }

    private static AmqpError refused(Policy policy, String why) {
        return AmqpError.channel(ReplyCode.PRECONDITION_FAILED, "policy '" + policy.name() + "': " + why);
    }
}
