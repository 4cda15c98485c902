package io.warren.test.contract;

/**
 * Why a channel or a connection is closed, as the broker said it.
 *
 * @param scope what was closed: a channel's error leaves its connection open
 * @param code AMQP's reply code, such as 404
 * @param text the reply text, beginning with the code's name
 */
public record Closure(Scope scope, int code, String text) {

    /** How far the damage goes. */
    public enum Scope {
        /** One channel is closed, its connection lives on. */
        CHANNEL,
        /** The connection is closed with all its channels. */
        CONNECTION
    }

    /** A closure that ends the channel only. */
    public static Closure channel(int code, String text) {
        return new Closure(Scope.CHANNEL, code, text);
    }

    /** A closure that ends the connection. */
    public static Closure connection(int code, String text) {
        return new Closure(Scope.CONNECTION, code, text);
    }
}
