/**
 * RabbitMQ's model of messaging inside this JVM: {@link io.warren.core.Broker} is where to begin.
 *
 * <pre>{@code
 * try (Broker broker = Broker.start()) {
 *     Channel channel = broker.connect().openChannel();
 *     channel.queueDeclare(QueueOptions.named("hello"));
 *     channel.publish("", "hello", "Hello".getBytes(UTF_8));
 *     System.out.println(channel.get("hello", true).text());
 * }
 * }</pre>
 */
@NullMarked
package io.warren.core;

import org.jspecify.annotations.NullMarked;
