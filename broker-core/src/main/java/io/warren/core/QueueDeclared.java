package io.warren.core;

/**
 * The answer to a queue declare.
 *
 * @param name the queue's name, generated where none was given
 * @param messageCount messages that are ready
 * @param consumerCount consumers
 */
public record QueueDeclared(String name, long messageCount, int consumerCount) {}
