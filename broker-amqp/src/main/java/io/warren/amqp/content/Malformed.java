package io.warren.amqp.content;

import io.warren.core.error.AmqpError;
import io.warren.core.error.AmqpException;
import io.warren.core.error.ReplyCode;

/** What a peer is told about bytes that mean nothing; each closes the connection. */
public final class Malformed {

    private Malformed() {}

    /** A field whose bytes break the rules of its type (502). */
    public static AmqpException syntax(String detail) {
        return AmqpError.connection(ReplyCode.SYNTAX_ERROR, detail).toException();
    }

    /** A frame that cannot be read as one (501). */
    public static AmqpException frame(String detail) {
        return AmqpError.connection(ReplyCode.FRAME_ERROR, detail).toException();
    }

    /** A frame that has no place here (505). */
    public static AmqpException unexpected(String detail) {
        return AmqpError.connection(ReplyCode.UNEXPECTED_FRAME, detail).toException();
    }
}
