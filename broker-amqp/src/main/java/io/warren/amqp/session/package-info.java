/**
 * What a broker says on one AMQP connection: a method in, replies out. Pure.
 *
 * <p>{@link io.warren.amqp.session.AmqpConnection} is owned by whoever reads its bytes, one call at a time. What the
 * broker's channels answer comes on any thread; it is turned into an event and handed to the {@link
 * io.warren.amqp.session.Inbox}, which brings it back to the owner in order. Effects leave through {@link
 * io.warren.amqp.session.SessionOutput}; nothing is read back from it.
 *
 * <p>The end of a channel: after a channel.close from here everything on that channel is swallowed until its close-ok,
 * because the client has sent it before it knew. The end of a connection is the same for all its channels.
 */
@NullMarked
package io.warren.amqp.session;

import org.jspecify.annotations.NullMarked;
