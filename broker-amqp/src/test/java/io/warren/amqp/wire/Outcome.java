package io.warren.amqp.wire;

import io.warren.amqp.method.ChannelMethod;
import io.warren.amqp.method.ConnectionMethod;
import io.warren.amqp.method.Method;

/** What came of something a client did: nothing was closed, or what, with code and text. */
record Outcome(String scope, String code, String text) {

    static final Outcome NO_ERROR = new Outcome("no error", "", "");

    /** What a method closes, or null if it closes nothing. */
    static Outcome of(Method method) {
        if (method instanceof ChannelMethod.Close close) {
            return new Outcome("channel", Integer.toString(close.replyCode()), close.replyText());
        }
        if (method instanceof ConnectionMethod.Close close) {
            return new Outcome("connection", Integer.toString(close.replyCode()), close.replyText());
        }
        return null;
    }
}
