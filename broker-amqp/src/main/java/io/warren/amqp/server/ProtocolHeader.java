package io.warren.amqp.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** The eight bytes a connection begins with. */
final class ProtocolHeader {

    static final int BYTES = 8;

    /** {@code AMQP}, 0, then the version: 0-9-1. */
    private static final long VERSION_0_9_1 = 0x414d5150_00000901L;

    /** Older ways to write 0-9 and 0-9-1, which RabbitMQ takes as well. */
    private static final long VERSION_0_9 = 0x414d5150_01010009L;

    private static final long VERSION_0_9_1_OLD = 0x414d5150_01010901L;

    private ProtocolHeader() {}

    /** Reads it and tells whether it is one we speak. */
    static boolean read(ByteBuf in) {
        long header = in.readLong();
        return header == VERSION_0_9_1 || header == VERSION_0_9 || header == VERSION_0_9_1_OLD;
    }

    /** What a client is answered that speaks another. */
    static ByteBuf expected() {
        return Unpooled.buffer(BYTES).writeLong(VERSION_0_9_1);
    }
}
