package io.warren.core.error;

/** What an error closes. */
public enum ErrorScope {
    /** The channel it happened on; its connection and other channels go on. */
    CHANNEL,
    /** The whole connection with all its channels. */
    CONNECTION
}
