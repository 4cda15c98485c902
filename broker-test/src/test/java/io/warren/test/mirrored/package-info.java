/**
 * Scenarios of mirrored queues, by the numbers that docs/mirroring-scenarios.md has: what RabbitMQ's users expect of policies, failovers,
 * synchronisation and partitions, on clusters in this JVM.
 */
package io.warren.test.mirrored;
