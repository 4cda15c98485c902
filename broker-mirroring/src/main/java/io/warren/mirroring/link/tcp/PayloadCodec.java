package io.warren.mirroring.link.tcp;

import io.netty.buffer.ByteBuf;

/**
 * How a ring's payload travels.
 *
 * <p>A payload goes on from slave to slave unchanged: it should be kept as the bytes it came as. Called on the links' thread.
 *
 * @param <P> the payload
 */
public interface PayloadCodec<P> {

    /** Writes the payload behind what is there. */
    void write(P payload, ByteBuf out);

    /**
     * Reads a payload that fills the rest of the buffer, and copies what it keeps of it.
     *
     * @throws RuntimeException if it is none; the link is cut
     */
    P read(ByteBuf in);
}
