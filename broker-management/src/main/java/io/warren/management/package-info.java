/**
 * What operators work with. So far: RabbitMQ's definitions, in {@link io.warren.management.definitions}; an HTTP API comes.
 */
@NullMarked
package io.warren.management;

import org.jspecify.annotations.NullMarked;
