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
        /** Where a new queue is to live. */
        LOCATOR,
        /** Checked together, in {@link Mirroring}. */
        MIRRORING
    }

    private static final String LOCATOR = "queue-master-locator";

    private static final Map<String, Kind> NODE_KEYS = Map.ofEntries(
            Map.entry("message-ttl", Kind.NUMBER),
            Map.entry("expires", Kind.POSITIVE),
            Map.entry("max-length", Kind.NUMBER),
            Map.entry("max-length-bytes", Kind.NUMBER),
            Map.entry("overflow", Kind.TEXT),
            Map.entry("dead-letter-exchange", Kind.TEXT),
            Map.entry("dead-letter-routing-key", Kind.TEXT),
            Map.entry("queue-mode", Kind.TEXT),
            Map.entry("alternate-exchange", Kind.TEXT),
            Map.entry(LOCATOR, Kind.LOCATOR));

    private static final Set<String> LOCATORS = new TreeSet<>(Set.of("client-local", "min-masters", "random"));

    private PolicyKeys() {}

    /** What is wrong with a policy, or null. */
    static @Nullable AmqpError invalid(Policy policy) {
        FieldTable definition = policy.definition();
        if (definition.isEmpty()) {
            return refused(policy, "its definition is empty");
        }
        for (Map.Entry<String, Object> entry : definition.asMap().entrySet()) {
            Kind kind = Mirroring.KEYS.contains(entry.getKey()) ? Kind.MIRRORING : NODE_KEYS.get(entry.getKey());
            if (kind == null) {
                return refused(policy, "'" + entry.getKey() + "' is not a key; keys are " + known());
            }
            String problem = problem(kind, entry.getValue());
            if (problem != null) {
                return refused(policy, "'" + entry.getKey() + "' " + problem + ", was " + entry.getValue());
            }
        }
        Object locator = definition.get(LOCATOR);
        if (definition.has(LOCATOR) && !LOCATORS.contains(String.valueOf(locator))) {
            return refused(policy, "\"" + locator + "\" invalid queue-master-locator value; values are " + LOCATORS);
        }
        String problem = Mirroring.problem(definition);
        return problem == null ? null : refused(policy, problem);
    }

    /** What is wrong with an operator policy, or null. Where queues live is not for it to say. */
    static @Nullable AmqpError invalidForOperator(Policy policy) {
        for (String key : policy.definition().asMap().keySet()) {
            if (Mirroring.KEYS.contains(key) || key.equals(LOCATOR)) {
                return refused(policy, "'" + key + "' is not recognised in an operator policy");
            }
        }
        return invalid(policy);
    }

    /** Those that mean something to a single node: with all of them the text would be cut. */
    private static Set<String> known() {
        TreeSet<String> known = new TreeSet<>(NODE_KEYS.keySet());
        known.remove(LOCATOR);
        return known;
    }

    private static @Nullable String problem(Kind kind, @Nullable Object value) {
        return switch (kind) {
            case NUMBER -> isNumberFrom(value, 0) ? null : "must be a whole number from 0 on";
            case POSITIVE -> isNumberFrom(value, 1) ? null : "must be a whole number from 1 on";
            case TEXT -> value instanceof String ? null : "must be a text";
            case LOCATOR, MIRRORING -> null;
        };
    }

    private static boolean isNumberFrom(@Nullable Object value, long least) {
        return value instanceof Number number && FieldType.isInteger(value) && number.longValue() >= least;
    }

    private static AmqpError refused(Policy policy, String why) {
        return AmqpError.channel(ReplyCode.PRECONDITION_FAILED, "policy '" + policy.name() + "': " + why);
    }
}
