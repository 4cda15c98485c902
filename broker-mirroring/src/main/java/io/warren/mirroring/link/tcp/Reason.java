package io.warren.mirroring.link.tcp;

import io.netty.handler.codec.DecoderException;

/** What a failure is called in one line of the log. */
final class Reason {
    private Reason() {}

    static String of(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof DecoderException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof Malformed || cause instanceof Refused) {
            return String.valueOf(cause.getMessage());
        }
        return cause.toString();
    }
}
