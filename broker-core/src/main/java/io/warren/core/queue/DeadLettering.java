package io.warren.core.queue;

import io.warren.core.message.FieldTable;
import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a message that dies: its headers tell where and why, and automatic cycles end.
 *
 * <p>Header {@code x-death} is an array with one table per pair of queue and reason, the latest first, as RabbitMQ 3.10
 * writes it: on a repeated death only {@code count} changes and the table moves to the front.
 */
public final class DeadLettering {

    static final String X_DEATH = "x-death";
    private static final String CC = "CC";

    private DeadLettering() {}

    /**
     * The message as it is published to the dead letter exchange.
     *
     * @param routingKey the key it goes with, or null for its own keys
     */
    public static Message deadLetter(
            Message message,
            DeathReason reason,
            String queue,
            String exchange,
            @Nullable String routingKey,
            Instant now) {
        FieldTable headers = withDeath(message, reason, queue, now);
        if (routingKey != null) {
            headers = headers.without(CC);
        }
        // The expiration is taken off, else the message would die again where it waits to be looked at.
        Properties properties = message.properties().toBuilder()
                .headers(headers)
                .expiration(null)
                .build();
        Message dead =
                message.republished(exchange, routingKey == null ? message.routingKey() : routingKey, properties);
        return routingKey == null ? dead : dead.withBlindRoutingKeys(List.of(), properties);
    }

    /**
     * Whether the dead message went through that queue before without ever being rejected since: sending it there again
     * would go on for ever.
     *
     * @param dead as made by {@link #deadLetter}, so that its latest death is part of the cycle
     */
    public static boolean isCycle(Message dead, DeathReason reason, String queue) {
        if (reason == DeathReason.REJECTED
                || !(dead.properties().headersOrEmpty().get(X_DEATH) instanceof List<?> deaths)) {
            return false;
        }
        for (Object death : deaths) {
            if (death instanceof Map<?, ?> table) {
                if (DeathReason.REJECTED.headerValue().equals(table.get("reason"))) {
                    return false;
                }
                if (queue.equals(table.get("queue"))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static FieldTable withDeath(Message message, DeathReason reason, String queue, Instant now) {
        FieldTable headers = message.properties().headersOrEmpty();
        Map<String, Object> death = death(message, reason, queue, now);
        if (!headers.has(X_DEATH)) {
            FieldTable first = headers.with("x-first-death-reason", reason.headerValue())
                    .with("x-first-death-queue", queue)
                    .with("x-first-death-exchange", message.exchange());
            return first.with(X_DEATH, List.of(death));
        }
        if (!(headers.get(X_DEATH) instanceof List<?> earlier)) {
            // A client's own invention: replaced, and no first death is made of it.
            return headers.with(X_DEATH, List.of(death));
        }
        List<Object> deaths = new ArrayList<>();
        for (Object known : grouped(earlier)) {
            if (isDeath(known, queue, reason)) {
                death = counted((Map<?, ?>) known);
            } else {
                deaths.add(known);
            }
        }
        deaths.add(0, death);
        return headers.with(X_DEATH, deaths);
    }

    /**
     * The earlier deaths with one table per queue and reason, turned round: RabbitMQ 3.10 turns them round at each
     * death (observed), and clients that take the last for the oldest see what they see there.
     */
    private static List<Object> grouped(List<?> deaths) {
        Map<Object, Map<?, ?>> first = new LinkedHashMap<>();
        Map<Object, Integer> counts = new LinkedHashMap<>();
        List<Object> grouped = new ArrayList<>();
        for (Object known : deaths) {
            if (known instanceof Map<?, ?> table) {
                Object key = java.util.Arrays.asList(table.get("queue"), table.get("reason"));
                first.putIfAbsent(key, table);
                counts.merge(key, 1, Integer::sum);
            }
        }
        first.forEach((key, table) -> grouped.add(0, withCount(table, Objects.requireNonNull(counts.get(key)))));
        return grouped;
    }

    /** A death without a count was counted by repeating it. */
    private static Map<?, ?> withCount(Map<?, ?> death, int repetitions) {
        if (death.containsKey("count")) {
            return death;
        }
        Map<Object, Object> counted = new LinkedHashMap<>(death);
        counted.put("count", (long) repetitions);
        return counted;
    }

    private static Map<String, Object> death(Message message, DeathReason reason, String queue, Instant now) {
        Map<String, Object> death = new LinkedHashMap<>();
        death.put("count", 1L);
        death.put("reason", reason.headerValue());
        death.put("queue", queue);
        death.put("time", Instant.ofEpochSecond(now.getEpochSecond()));
        death.put("exchange", message.exchange());
        death.put("routing-keys", routingKeys(message));
        String expiration = message.properties().expiration();
        if (expiration != null) {
            death.put("original-expiration", expiration);
        }
        return death;
    }

    /** The key of the publish and those of CC; BCC stays untold. */
    private static List<Object> routingKeys(Message message) {
        List<Object> keys = new ArrayList<>();
        keys.add(message.routingKey());
        if (message.properties().headersOrEmpty().get(CC) instanceof List<?> copies) {
            copies.forEach(keys::add);
        }
        return keys;
    }

    private static boolean isDeath(Object known, String queue, DeathReason reason) {
        return known instanceof Map<?, ?> table
                && queue.equals(table.get("queue"))
                && reason.headerValue().equals(table.get("reason"));
    }

    /** The known death once more. Clients send the table back with other integer types, or none: nothing may break. */
    private static Map<String, Object> counted(Map<?, ?> known) {
        Map<String, Object> death = new LinkedHashMap<>();
        known.forEach((name, value) -> death.put(String.valueOf(name), value));
        long count = known.get("count") instanceof Number number ? number.longValue() : 0;
        death.put("count", count + 1);
        return death;
    }
}
