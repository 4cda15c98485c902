package io.warren.core.metadata;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.FieldTable;
import io.warren.core.message.FieldType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The arguments a queue understands: what is valid, and what they and policies together mean. */
public final class QueueArguments {

    /** Highest x-max-priority: priorities are one byte on the wire. */
    private static final long PRIORITY_MAX = 255;

    /** Where the queue is to live; means something in a cluster only, and nothing to a declare of a queue that is there. */
    private static final String MASTER_LOCATOR = "x-queue-master-locator";

    private static final Set<String> QUEUE_MODES = Set.of("default", "lazy");

    /** Every known argument with its check, in RabbitMQ's order: the first that is invalid is told. */
    private static final Map<String, Function<@Nullable Object, @Nullable String>> CHECKS = checks();

    private QueueArguments() {}

    private static Map<String, Function<@Nullable Object, @Nullable String>> checks() {
        Map<String, Function<@Nullable Object, @Nullable String>> checks = new LinkedHashMap<>();
        checks.put("x-expires", QueueArguments::positive);
        checks.put("x-message-ttl", QueueArguments::notNegative);
        checks.put("x-dead-letter-exchange", value -> null);
        checks.put("x-dead-letter-routing-key", QueueArguments::text);
        checks.put("x-max-length", QueueArguments::notNegative);
        checks.put("x-max-length-bytes", QueueArguments::notNegative);
        checks.put("x-max-priority", QueueArguments::priority);
        checks.put("x-overflow", QueueArguments::overflow);
        checks.put("x-queue-mode", QueueArguments::queueMode);
        checks.put("x-single-active-consumer", QueueArguments::bool);
        checks.put("x-queue-type", value -> null);
        checks.put("x-message-deduplication", QueueArguments::bool);
        checks.put("x-cache-size", QueueArguments::positive);
        checks.put("x-cache-ttl", QueueArguments::positive);
        return checks;
    }

    /** The arguments that must be the same when a queue is declared again. */
    static Set<String> compared() {
        return CHECKS.keySet();
    }

    /** Whether the queue's type is one that RabbitMQ has, supported here or not. */
    public static boolean isTypeKnown(FieldTable arguments) {
        Object type = arguments.get("x-queue-type");
        return type == null || "classic".equals(type) || "quorum".equals(type) || "stream".equals(type);
    }

    /** Whether the argument means something to a queue. */
    public static boolean isKnown(String name) {
        return CHECKS.containsKey(name) || name.equals(MASTER_LOCATOR);
    }

    /** What is wrong with a queue that is to be created, or null. */
    static @Nullable AmqpError invalid(String vhost, QueueDefinition definition) {
        String queue = "queue '" + definition.name() + "' in vhost '" + vhost + "'";
        FieldTable arguments = definition.arguments();
        AmqpError type = invalidType(arguments, queue);
        if (type != null) {
            return type;
        }
        for (Map.Entry<String, Function<@Nullable Object, @Nullable String>> check : CHECKS.entrySet()) {
            // A void value is given, and wrong: only an absent argument is left out.
            String name = check.getKey();
            String problem = arguments.has(name) ? check.getValue().apply(arguments.get(name)) : null;
            if (problem != null) {
                return invalidArgument(name, queue, problem);
            }
        }
        if (arguments.has("x-dead-letter-routing-key") && !arguments.has("x-dead-letter-exchange")) {
            return invalidArgument("x-dead-letter-routing-key", queue, "routing_key_but_no_dlx_defined");
        }
        return null;
    }

    private static @Nullable AmqpError invalidType(FieldTable arguments, String queue) {
        Object exchange = arguments.get("x-dead-letter-exchange");
        if (arguments.has("x-dead-letter-exchange") && !(exchange instanceof String)) {
            return precondition(
                    "invalid type '" + FieldType.nameOf(exchange) + "' for arg 'x-dead-letter-exchange' in " + queue);
        }
        Object type = arguments.get("x-queue-type");
        if (!arguments.has("x-queue-type") || "classic".equals(type)) {
            return null;
        }
        if (!(type instanceof String)) {
            return invalidArgument("x-queue-type", queue, unacceptable(type));
        }
        if ("quorum".equals(type) || "stream".equals(type)) {
            return AmqpError.channel(
                    ReplyCode.PRECONDITION_FAILED,
                    "x-queue-type '" + type + "' of " + queue
                            + " is not supported: Warren has 'classic' queues, which a cluster can mirror");
        }
        return invalidArgument("x-queue-type", queue, "\"unsupported queue type '" + type + "'\"");
    }

    private static AmqpError invalidArgument(String name, String queue, String problem) {
        return precondition("invalid arg '" + name + "' for " + queue + ": " + problem);
    }

    private static AmqpError precondition(String detail) {
        return AmqpError.channel(ReplyCode.PRECONDITION_FAILED, detail);
    }

    // ---- checks of single values: the problem as RabbitMQ writes it, or null

    private static @Nullable String integer(@Nullable Object value) {
        return FieldType.isInteger(value) ? null : "\"expected integer, got " + FieldType.nameOf(value) + "\"";
    }

    private static long number(@Nullable Object integer) {
        return ((Number) Objects.requireNonNull(integer)).longValue();
    }

    private static @Nullable String notNegative(@Nullable Object value) {
        String problem = integer(value);
        if (problem != null) {
            return problem;
        }
        long number = number(value);
        return number < 0 ? "{value_negative," + number + "}" : null;
    }

    private static @Nullable String positive(@Nullable Object value) {
        String problem = notNegative(value);
        if (problem != null) {
            return problem;
        }
        return number(value) == 0 ? "{value_zero,0}" : null;
    }

    private static @Nullable String priority(@Nullable Object value) {
        String problem = notNegative(value);
        if (problem != null) {
            return problem;
        }
        long number = number(value);
        return number > PRIORITY_MAX ? "{max_value_exceeded," + number + "}" : null;
    }

    private static @Nullable String text(@Nullable Object value) {
        return value instanceof String ? null : unacceptable(value);
    }

    private static @Nullable String bool(@Nullable Object value) {
        return value instanceof Boolean ? null : unacceptable(value);
    }

    private static String unacceptable(@Nullable Object value) {
        return "{unacceptable_type," + FieldType.nameOf(value) + "}";
    }

    private static @Nullable String overflow(@Nullable Object value) {
        if (!(value instanceof String)) {
            return unacceptable(value);
        }
        return overflowNamed(value) == null ? "invalid_overflow" : null;
    }

    private static @Nullable String queueMode(@Nullable Object value) {
        if (!(value instanceof String)) {
            return unacceptable(value);
        }
        return QUEUE_MODES.contains(value) ? null : "\"unsupported queue mode '" + value + "'\"";
    }

    private static @Nullable Overflow overflowNamed(@Nullable Object value) {
        for (Overflow overflow : Overflow.values()) {
            if (overflow.argument().equals(value)) {
                return overflow;
            }
        }
        return null;
    }

    // ---- what they mean

    static QueueSettings settings(
            String vhost, QueueDefinition definition, @Nullable Policy policy, @Nullable Policy operatorPolicy) {
        Effective effective = new Effective(definition.arguments(), policy, operatorPolicy);
        FieldTable arguments = definition.arguments();
        Overflow overflow = overflowNamed(effective.value("overflow"));
        return new QueueSettings(
                vhost,
                definition.name(),
                definition.autoDelete(),
                Boolean.TRUE.equals(arguments.get("x-single-active-consumer")),
                arguments.get("x-max-priority") instanceof Number max ? max.intValue() : 0,
                effective.durationNs("message-ttl"),
                effective.durationNs("expires"),
                new LengthLimit(
                        effective.least("max-length"),
                        effective.least("max-length-bytes"),
                        overflow == null ? Overflow.DROP_HEAD : overflow),
                effective.value("dead-letter-exchange") instanceof String exchange ? exchange : null,
                effective.value("dead-letter-routing-key") instanceof String key ? key : null,
                deduplication(arguments),
                "lazy".equals(effective.value("queue-mode")));
    }

    private static @Nullable DeduplicationLimits deduplication(FieldTable arguments) {
        return Boolean.TRUE.equals(arguments.get("x-message-deduplication")) ? deduplicationLimits(arguments) : null;
    }

    /** x-cache-size and x-cache-ttl of a queue or an exchange that de-duplicates. */
    public static DeduplicationLimits deduplicationLimits(FieldTable arguments) {
        int count = arguments.get("x-cache-size") instanceof Number size
                ? (int) Math.min(size.longValue(), Integer.MAX_VALUE)
                : DeduplicationLimits.COUNT_DEFAULT;
        long ageNs = arguments.get("x-cache-ttl") instanceof Number ms
                ? QueueSettings.msToNs(ms.longValue())
                : QueueSettings.NO_TTL;
        return new DeduplicationLimits(count, ageNs);
    }

    /** The value that holds among argument, policy and operator policy. */
    private record Effective(FieldTable arguments, @Nullable Policy policy, @Nullable Policy operatorPolicy) {

        /** The argument, else the policy, else the operator policy. */
        @Nullable Object value(String key) {
            for (Object candidate : candidates(key)) {
                return candidate;
            }
            return null;
        }

        /** The least of all that are given: nobody can lift another's limit. */
        long least(String key) {
            long least = Long.MAX_VALUE;
            for (Object candidate : candidates(key)) {
                least = candidate instanceof Number number ? Math.min(least, number.longValue()) : least;
            }
            return least;
        }

        long durationNs(String key) {
            return QueueSettings.msToNs(least(key));
        }

        private List<Object> candidates(String key) {
            return java.util.stream.Stream.of(
                            arguments.get("x-" + key), definitionOf(policy, key), definitionOf(operatorPolicy, key))
                    .filter(java.util.Objects::nonNull)
                    .map(java.util.Objects::requireNonNull)
                    .toList();
        }

        private static @Nullable Object definitionOf(@Nullable Policy policy, String key) {
            return policy == null ? null : policy.definition().get(key);
        }
    }
}
