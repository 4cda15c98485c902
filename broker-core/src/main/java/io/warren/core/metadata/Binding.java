package io.warren.core.metadata;

import io.warren.core.message.FieldTable;

/**
 * A binding: what matches it goes from the source exchange to the destination. Equal in all four parts means the same.
 *
 * @param source name of the exchange it starts from
 * @param key routing key or pattern
 * @param arguments what a headers exchange matches by
 */
public record Binding(String source, Destination destination, String key, FieldTable arguments) {}
