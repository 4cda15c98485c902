package io.warren.mirroring.link.tcp;

/**
 * What travels over a link that is up: messages behind their length.
 *
 * <pre>
 * length:4  kind:1  then
 *   HEARTBEAT  number:n  echo:n  count:1  values:8 each         echo: the highest number heard
 *   NAME       stream:n  text, to the end                       the group that a stream carries from here on
 *   FRAME      stream:n  a ring frame
 *   MESSAGE    stream:n  type:1  body
 *   PIECE      stream:n  part:1  [length:n]  bytes              a FRAME or MESSAGE, from its kind on, in pieces
 *   CREDIT     stream:n  bytes:n                                given back for a stream of the receiver of this message
 * </pre>
 *
 * <p>n is a number as of {@link Fields}. Each end numbers the streams it sends on, from 0. Bytes of credit are lengths as they travelled; a
 * message with an empty body costs none.
 */
final class Wire {
    static final int HEARTBEAT = 0;
    static final int NAME = 1;
    static final int FRAME = 2;
    static final int MESSAGE = 3;
    static final int PIECE = 4;
    static final int CREDIT = 5;

    static final int FIRST_PIECE = 1;
    static final int LAST_PIECE = 2;

    static final int LENGTH_BYTES = 4;

    /** What goes out at once, and the size of a piece: enough for a system call to be worth it, little enough to wait for. */
    static final int BATCH_BYTES = 64 << 10;

    /** What is longer goes in pieces, so that other groups need not wait for all of it. */
    static final int WHOLE_BYTES_MAX = 256 << 10;

    /** A length above this is no message: a whole one and what is around it. */
    static final int LENGTH_MAX = WHOLE_BYTES_MAX + 4_096;

    /**
     * Bytes of a group that may be on their way and unprocessed: a gigabyte a second where an answer takes four milliseconds. Both ends
     * count on it.
     */
    static final int CREDIT_BYTES = 4 << 20;

    /** Streams of one direction: ten times as many groups as a cluster is made for. */
    static final int STREAMS_MAX = 100_000;

    /** Of a group's name. */
    static final int GROUP_BYTES_MAX = 1_024;

    private Wire() {}
}
