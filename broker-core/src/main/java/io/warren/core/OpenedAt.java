package io.warren.core;

/**
 * The place in the user's program that called into the API, for telling what was left open.
 *
 * <p>Only the stack is kept at first, which costs microseconds; most connections are closed and nobody asks.
 */
final class OpenedAt {

    private static final String OURS = OpenedAt.class.getPackageName() + ".";

    private final Throwable stack = new Throwable();

    /** The first frame outside this library, as {@code File.java:line}. */
    @Override
    public String toString() {
        for (StackTraceElement frame : stack.getStackTrace()) {
            if (!frame.getClassName().startsWith(OURS)) {
                return frame.getFileName() + ":" + frame.getLineNumber();
            }
        }
        return "unknown place";
    }
}
