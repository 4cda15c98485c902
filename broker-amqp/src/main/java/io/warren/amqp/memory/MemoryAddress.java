package io.warren.amqp.memory;

import java.net.SocketAddress;

/** What a connection through memory has in place of two addresses: a number. */
final class MemoryAddress extends SocketAddress {

    private static final long serialVersionUID = 1L;

    private final long number;

    /** @param number tells it from the others of its factory */
    MemoryAddress(long number) {
        this.number = number;
    }

    @Override
    public String toString() {
        return "memory:" + number;
    }
}
