/**
 * The contracts' deployment on a real RabbitMQ, which decides what is right.
 *
 * <p>Active when its address is given in the system property {@code warren.rabbitmq} or in the environment variable
 * {@code WARREN_RABBITMQ}. With {@code warren.rabbitmqctl}, a command that takes rabbitmqctl's arguments, contracts that need an
 * operator run as well, and everything happens in a vhost made for the run.
 */
package io.warren.test.contract.rabbitmq;
