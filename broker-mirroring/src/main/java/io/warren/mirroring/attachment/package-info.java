/**
 * Attachments: how a channel uses a queue that lives at another node.
 *
 * <p>A queue is one process, at its home. A channel of another node that uses it gets an <em>attachment</em>: a {@link
 * io.warren.mirroring.attachment.ChannelEnd} beside the channel, a {@link io.warren.mirroring.attachment.QueueEnd} beside the queue,
 * and {@link io.warren.mirroring.attachment.AttachmentFrame}s between them, in order, over the one link of the two nodes. To the queue
 * the far channel is a channel like any; to the channel the far queue answers like any. So the queue's rules (order, priorities, exclusive
 * and single active consumers, limits, dead letters) stand in one place and know nothing of nodes.
 *
 * <h2>What can go wrong, and what is promised</h2>
 *
 * The link may be lost while both processes live. Either end sees it, and for both the attachment is over:
 *
 * <ol>
 *   <li>The queue's end lets go of the channel: what it had been handed and not settled goes back to its place.
 *   <li>The channel's end begins the next attachment when the link is back, under the next number: it names its consumers again, then
 *       sends every publish that was not answered, in order, and only then anything new.
 *   <li>A settlement names the attachment its delivery came with. One of an earlier attachment settles nothing: the message is back in the
 *       queue, and may be with somebody else.
 *   <li>Publishes are numbered for the life of the channel's end, not of the attachment. The queue's end remembers the highest number it
 *       took and the answers that the channel may not have heard: a publish that comes again is recognised and answered, not
 *       enqueued twice. So nothing published over a link that came back is lost or doubled.
 * </ol>
 *
 * The queue's process may end, or its node be declared down: then nobody knows what became of a publish that was not answered. It is
 * rejected (a client that asked for confirms hears nack, as from RabbitMQ), consumers are cancelled, questions are refused. When the
 * home runs again, the next word of the channel finds it: a new process knows nothing of earlier numbers and needs not.
 *
 * <h2>Limits</h2>
 *
 * A channel's end holds the publishes that were not answered; they take the channel's credit for publishing, which is given back with the
 * answer ({@code PublishCredit}). Deliveries under way are bounded by each consumer's credit. A channel asks one question at a time. The
 * queue's end holds one row for each publish whose answer the channel may not have heard, which the channel bounds.
 *
 * <p>Both ends are pure: a frame, a word of the channel or of the queue, or news of the link in, effects out. Owned by whoever calls them,
 * one call at a time.
 */
@NullMarked
package io.warren.mirroring.attachment;

import org.jspecify.annotations.NullMarked;
