/**
 * RabbitMQ's Java client without a socket: {@link io.warren.amqp.memory.MemoryConnectionFactory}.
 *
 * <p>The client writes to a {@link java.net.Socket}; ours has an inside that is two bounded queues, and at their other end
 * a Netty channel with the pipeline that TCP connections have. Of the seams the client offers, this is the oldest and the
 * only one in its documented API: its frame handlers are internal, and changed their methods from release to release.
 */
@NullMarked
package io.warren.amqp.memory;

import org.jspecify.annotations.NullMarked;
