package io.warren.test.contract;

/** A verb failed because the broker closed, or had closed, the channel or the connection. */
public final class ClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Closure closure;

    /** Without a cause: deployments in this JVM. */
    public ClosedException(Closure closure) {
        super(closure.toString());
        this.closure = closure;
    }

    /** With the client library's exception, so that a failing contract shows it. */
    public ClosedException(Closure closure, Throwable cause) {
        super(closure.toString(), cause);
        this.closure = closure;
    }

    /** What the broker said. */
    public Closure closure() {
        return closure;
    }
}
