package io.warren.test.contract;

/**
 * The answer to a queue declaration.
 *
 * @param name the queue's name, given by the broker if the declaration left it empty
 * @param messages ready messages; unacknowledged ones do not count
 * @param consumers consumers subscribed
 */
public record QueueStatus(String name, long messages, long consumers) {}
