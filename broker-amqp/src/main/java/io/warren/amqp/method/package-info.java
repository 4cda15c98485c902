/**
 * The methods of AMQP 0-9-1 and of RabbitMQ's extensions, one record each. Pure: a method knows the order of its fields,
 * and {@code io.warren.amqp.frame} knows their bytes.
 */
@NullMarked
package io.warren.amqp.method;

import org.jspecify.annotations.NullMarked;
