package io.warren.core.error;

/**
 * A refusal as RabbitMQ would say it: what it closes, the reply code and the reply text.
 *
 * <p>A value, so that pure code can answer with it; {@link AmqpException} carries it to a caller.
 *
 * @param code the reply code
 * @param scope what it closes
 * @param text the whole reply text as on the wire, reply code name included
 */
public record AmqpError(ReplyCode code, ErrorScope scope, String text) {

    /** An error that closes the channel; {@code detail} follows the code's name in the text. */
    public static AmqpError channel(ReplyCode code, String detail) {
        return new AmqpError(code, ErrorScope.CHANNEL, code.name() + " - " + detail);
    }

    /** An error that closes the connection; {@code detail} follows the code's name in the text. */
    public static AmqpError connection(ReplyCode code, String detail) {
        return new AmqpError(code, ErrorScope.CONNECTION, code.name() + " - " + detail);
    }

    /** The exception a caller gets; new each time, so that its stack trace is the caller's. */
    public AmqpException toException() {
        return new AmqpException(this);
    }
}
