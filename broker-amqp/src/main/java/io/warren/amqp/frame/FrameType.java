package io.warren.amqp.frame;

/** The numbers of frames on the wire. */
final class FrameType {

    static final int METHOD = 1;
    static final int HEADER = 2;
    static final int BODY = 3;
    static final int HEARTBEAT = 8;

    /** The octet that ends every frame. */
    static final int END = 0xCE;

    /** Type, channel and size before the payload. */
    static final int PREFIX_BYTES = 7;

    /** What a frame has besides its payload. */
    static final int OVERHEAD_BYTES = PREFIX_BYTES + 1;

    private FrameType() {}
}
