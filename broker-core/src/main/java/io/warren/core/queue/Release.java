package io.warren.core.queue;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What another process has to go on with when a queue stops because it is mirrored from now on, besides its messages.
 *
 * @param gets those that were not answered, oldest first
 * @param credits the consumers, in the order in which they came, and how many deliveries each side can still take
 * @param dying messages whose dead letters are under way: they are settled here
 */
public record Release(List<Get> gets, Map<QueueConsumer, Integer> credits, Set<Long> dying) {

    /** A get without an answer. */
    public record Get(ChannelRef channel, boolean acknowledges) {}
}
