package io.warren.core.spi;

import io.warren.core.message.FieldTable;
import org.jspecify.annotations.Nullable;

/**
 * Where a connection comes from, as its transport knows it and an operator is shown it.
 *
 * @param protocol such as {@code AMQP 0-9-1}
 * @param peerHost the client's address, empty where there is none
 * @param peerPort the client's port, 0 where there is none
 * @param host the address it came to, empty where there is none
 * @param port the port it came to, 0 where there is none
 * @param isTls whether the way between is encrypted
 * @param clientProperties what the client says of itself
 */
public record ClientOrigin(
        String protocol,
        String peerHost,
        int peerPort,
        String host,
        int port,
        boolean isTls,
        FieldTable clientProperties) {

    /** A program in this JVM, through the broker's own API. */
    public static final ClientOrigin IN_VM = new ClientOrigin("in-VM", "", 0, "", 0, false, FieldTable.EMPTY);

    /** The property that holds the name a client gives its connection. */
    private static final String NAME_PROPERTY = "connection_name";

    /** The name the client gave its connection, or null. */
    public @Nullable String clientProvidedName() {
        return clientProperties.get(NAME_PROPERTY) instanceof String name ? name : null;
    }
}
