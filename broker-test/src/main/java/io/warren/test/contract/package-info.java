/**
 * The vocabulary in which a broker's behaviour is written down once and checked on every deployment.
 *
 * <p><b>Why a vocabulary of our own.</b> The same sentence ("an expired message is dead-lettered with reason {@code expired}") must be
 * checked on Warren inside this JVM, on Warren over AMQP, on a mirrored cluster, and on a real RabbitMQ, which decides what is right.
 * So the tests know neither Warren's API nor a client library: they speak {@link io.warren.test.contract.Deployment},
 * {@link io.warren.test.contract.Client} and {@link io.warren.test.contract.ClientChannel}, whose verbs are AMQP's.
 *
 * <p><b>What an adapter implements.</b> One {@link io.warren.test.contract.DeploymentProvider}, found by
 * {@link java.util.ServiceLoader}, which says whether its deployment is there and opens a clean one for each test;
 * {@link io.warren.test.contract.Deployment}, {@link io.warren.test.contract.Client},
 * {@link io.warren.test.contract.ClientChannel}; and {@link io.warren.test.contract.Administration} where the deployment has users,
 * vhosts and policies. What arrives by itself is handed to two ready-made recorders, {@link io.warren.test.contract.Received}
 * (deliveries and cancel notifications of one consumer) and {@link io.warren.test.contract.PublisherEvents} (confirms and returns of
 * one channel, in order).
 *
 * <p><b>Rules an adapter keeps.</b>
 *
 * <ol>
 *   <li>A verb with an answer returns when the answer is there, and throws {@link io.warren.test.contract.ClosedException} when the
 *       answer is that the channel or the connection was closed.
 *   <li>{@code publish}, {@code ack}, {@code nack} and {@code reject} have no answer: what the broker thinks of them is seen afterwards,
 *       through {@link io.warren.test.contract.ClientChannel#awaitClosed()}. {@code publish} never throws, on a closed channel it does
 *       nothing; the other three may throw at once where a deployment knows the answer at once.
 *   <li>When an answer has returned, everything the broker had sent to that channel before the answer has been recorded. Contracts rely
 *       on it to assert that nothing came: they ask the queue something through the same channel, and look afterwards.
 *   <li>Values in tables are {@code String}, {@code Boolean}, {@code Byte}, {@code Short}, {@code Integer}, {@code Long}, {@code Float},
 *       {@code Double}, {@code BigDecimal}, {@code byte[]}, {@code Instant}, {@code List}, {@code Map} and null, both ways.
 *   <li>{@code advance} returns when everything due has happened, or, on a deployment without a clock of its own, after that time.
 *   <li>What a test made is gone when its deployment is closed.
 * </ol>
 */
@NullMarked
package io.warren.test.contract;

import org.jspecify.annotations.NullMarked;
