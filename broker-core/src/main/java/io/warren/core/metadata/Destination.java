package io.warren.core.metadata;

/**
 * Where a binding leads.
 *
 * @param kind a queue or an exchange
 */
public record Destination(Kind kind, String name) {

    /** What a binding can lead to. */
    public enum Kind {
        /** The message is enqueued. */
        QUEUE,
        /** The message is routed on. */
        EXCHANGE
    }

    public static Destination queue(String name) {
        return new Destination(Kind.QUEUE, name);
    }

    public static Destination exchange(String name) {
        return new Destination(Kind.EXCHANGE, name);
    }
}
