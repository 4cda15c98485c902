package io.warren.amqp.session;

/**
 * Who is at the other end.
 *
 * @param name what the connection is called, such as {@code 127.0.0.1:50123 -> 127.0.0.1:5672}
 * @param isLocal whether it is on this machine: only then may the user guest log in
 */
public record Peer(String name, boolean isLocal) {}
