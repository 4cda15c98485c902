/** What goes over the wire, spoken by hand: no client library in between that would check or hide something. */
package io.warren.amqp.wire;
