package io.warren.core.error;

/** Thrown to the caller of the in-VM API when the broker refuses, with RabbitMQ's code, scope and text. */
public final class AmqpException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient AmqpError error;

    AmqpException(AmqpError error, String message) {
        super(message);
        this.error = error;
    }

    /** The same for another caller, whose stack trace it gets. */
    public AmqpException again() {
        return new AmqpException(error, String.valueOf(getMessage()));
    }

    /** What the broker said. */
    public AmqpError error() {
        return error;
    }

    /** The reply code's number, such as 404. */
    public int replyCode() {
        return error.code().code();
    }

    /** What the error closed. */
    public ErrorScope scope() {
        return error.scope();
    }
}
