package io.warren.test.contract;

import java.util.Map;

/**
 * A policy, or an operator policy, as it is set.
 *
 * @param pattern a regular expression looked for anywhere in the name
 * @param applyTo {@code queues}, {@code exchanges} or {@code all}
 * @param definition keys without {@code x-}, values text or numbers
 */
public record Policy(String name, String pattern, String applyTo, int priority, Map<String, Object> definition) {

    /** Copies the definition. */
    public Policy {
        definition = Map.copyOf(definition);
    }

    /** A policy of priority 0 for queues. */
    public static Policy forQueues(String name, String pattern, Map<String, Object> definition) {
        return new Policy(name, pattern, "queues", 0, definition);
    }

    /** A policy of priority 0 for exchanges. */
    public static Policy forExchanges(String name, String pattern, Map<String, Object> definition) {
        return new Policy(name, pattern, "exchanges", 0, definition);
    }

    /** The same with another priority. */
    public Policy priority(int other) {
        return new Policy(name, pattern, applyTo, other, definition);
    }
}
