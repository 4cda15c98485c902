package io.warren.core.metadata;

import io.warren.core.message.FieldTable;

/**
 * An exchange as it was declared.
 *
 * @param autoDelete deleted when its last binding as a source goes
 * @param internal clients cannot publish to it
 */
public record ExchangeDefinition(
        String name, ExchangeType type, boolean durable, boolean autoDelete, boolean internal, FieldTable arguments) {}
