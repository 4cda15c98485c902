package io.warren.mirroring.metadata;

import io.warren.core.metadata.Outcome;

/**
 * Everything {@link TopologyRequests} can cause.
 *
 * @param <T> what a caller is known by
 */
public interface TopologyOutput<T> {
    /** Submit this group. Its answer is of no interest: it is submitted again until it is seen applied. */
    void submit(Command.ForTopology group);

    /** Tell a caller what became of its command. */
    void answer(T caller, Outcome outcome);

    /** Tell a caller that its time is over; the command may have taken effect, or still may. */
    void expire(T caller, String why);
}
