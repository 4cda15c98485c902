package io.warren.core.error;

/** Thrown to the caller of the in-VM API when the broker refuses, with RabbitMQ's code, scope and text. */
public final class AmqpException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient AmqpError error;

    AmqpException(AmqpError error) {
        super(error.text());
        this.error = error;
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
