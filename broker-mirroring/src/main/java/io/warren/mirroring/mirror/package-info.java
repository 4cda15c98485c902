/**
 * Mirrored queues at a node: the members of their groups, each with the queue's mailbox, and the queue that stands above while this node leads.
 *
 * <p>{@link io.warren.mirroring.queue.MirroredQueue} thinks and touches nothing. Here it gets one owner at a time, a mailbox of the core; what its
 * ring puts out arrives there in batches, views among it and before what the ring delivers in them. When it comes to lead, the core is given
 * its backing queue and makes the queue process of that reign ({@link io.warren.core.spi.LedQueue}); when it leads no more, that process and
 * every attachment to it are gone without a word, for channels hear of it from the metadata and attach to the next master.
 *
 * <p>What is asked of this shell stands in decision 0069, what it promises in {@link io.warren.mirroring.queue}.
 */
@NullMarked
package io.warren.mirroring.mirror;

import org.jspecify.annotations.NullMarked;
