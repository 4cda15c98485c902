package io.warren.core;

/** Finds the place in the user's program that called into the API, for telling what was left open. */
final class OpenedAt {

    private static final String OURS = OpenedAt.class.getPackageName() + ".";

    private OpenedAt() {}

    /** The first frame outside this library, as {@code File.java:line}. */
    static String caller() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> !frame.getClassName().startsWith(OURS))
                        .findFirst()
                        .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                        .orElse("unknown place"));
    }
}
