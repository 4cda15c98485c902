/** Field tables and message properties as bytes, in RabbitMQ's dialect. Stateless. */
@NullMarked
package io.warren.amqp.content;

import org.jspecify.annotations.NullMarked;
