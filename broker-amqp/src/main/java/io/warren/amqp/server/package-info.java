/** AMQP over TCP: a few lines of Netty between the bytes and {@code io.warren.amqp.session}. */
@NullMarked
package io.warren.amqp.server;

import org.jspecify.annotations.NullMarked;
