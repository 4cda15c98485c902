package io.warren.core.error;

/** The AMQP 0-9-1 reply codes the broker uses, with the name that opens every reply text. */
public enum ReplyCode {
    /** Not an error: a close the peer asked for. */
    REPLY_SUCCESS(200),
    /** Returned message: no queue was routed to and the publish was mandatory. */
    NO_ROUTE(312),
    /** The operator closed the connection. */
    CONNECTION_FORCED(320),
    /** The user may not do this, or the name is reserved. */
    ACCESS_REFUSED(403),
    /** A named exchange, queue or virtual host does not exist. */
    NOT_FOUND(404),
    /** The queue belongs to another connection. */
    RESOURCE_LOCKED(405),
    /** What is asked contradicts what exists, or a value is invalid. */
    PRECONDITION_FAILED(406),
    /** A frame that cannot be decoded. */
    FRAME_ERROR(501),
    /** A field that cannot be decoded. */
    SYNTAX_ERROR(502),
    /** A method or argument that is not allowed here. */
    COMMAND_INVALID(503),
    /** A channel number used wrongly. */
    CHANNEL_ERROR(504),
    /** A frame that was not expected here. */
    UNEXPECTED_FRAME(505),
    /** A limit of the broker is reached. */
    RESOURCE_ERROR(506),
    /** The connection may not do this. */
    NOT_ALLOWED(530),
    /** The broker knows the feature and does not have it. */
    NOT_IMPLEMENTED(540),
    /** The broker failed. */
    INTERNAL_ERROR(541);

    private final int code;

    ReplyCode(int code) {
        this.code = code;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }
}
