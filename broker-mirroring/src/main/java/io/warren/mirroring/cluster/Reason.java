package io.warren.mirroring.cluster;

/** What went wrong in somebody else's thread, in a line. */
final class Reason {

    private Reason() {}

    static String of(Throwable failure) {
        Throwable cause = failure.getCause();
        String message = cause == null ? null : cause.getMessage();
        return message == null ? failure.toString() : message;
    }
}
