/** What can go wrong between a client and the broker, with RabbitMQ's reply codes, scopes and texts. Pure. */
@NullMarked
package io.warren.core.error;

import org.jspecify.annotations.NullMarked;
