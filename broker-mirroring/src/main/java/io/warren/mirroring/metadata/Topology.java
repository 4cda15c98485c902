package io.warren.mirroring.metadata;

/**
 * The seam for a second state machine in the same log: exchanges, queues, bindings, policies, users.
 *
 * <p>It sees its own commands only, in log order, and must be deterministic. The metadata own it.
 *
 * @param <C> type of its commands
 */
public interface Topology<C> {
    /** Applies a command; false if it was refused and changed nothing. */
    boolean apply(C command);

    /** An independent copy, for a founded log or a snapshot. */
    Topology<C> copy();
}
