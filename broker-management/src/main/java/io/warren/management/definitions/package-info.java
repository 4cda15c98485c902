/**
 * RabbitMQ's definitions: the topology of a broker, its users and policies, as the JSON that {@code rabbitmqctl
 * export_definitions} and its HTTP API write and read.
 *
 * <p>{@link io.warren.management.definitions.BrokerDefinitions} is the way in. What Warren has no place for (limits and
 * descriptions of virtual hosts, limits of users, parameters other than operator policies) is read and told, not kept.
 */
@NullMarked
package io.warren.management.definitions;

import org.jspecify.annotations.NullMarked;
