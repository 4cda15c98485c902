package io.warren.core.error;

import java.nio.charset.StandardCharsets;

/**
 * A refusal as RabbitMQ would say it: what it closes, the reply code and the reply text.
 *
 * <p>A value, so that pure code can answer with it; {@link AmqpException} carries it to a caller.
 *
 * @param code the reply code
 * @param scope what it closes
 * @param text the whole reply text as on the wire, reply code name included; cut to
 *     255 bytes
 */
public record AmqpError(ReplyCode code, ErrorScope scope, String text) {

    /** A reply text is a short string; RabbitMQ cuts a longer one and ends it with dots. */
    private static final int TEXT_BYTES_MAX = 255;

    private static final String CUT = "...";

    public AmqpError {
        text = cut(text);
    }

    private static String cut(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= TEXT_BYTES_MAX) {
            return text;
        }
        int end = TEXT_BYTES_MAX - CUT.length();
        while ((bytes[end] & 0xc0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8) + CUT;
    }

    /** An error that closes the channel; {@code detail} follows the code's name in the text. */
    public static AmqpError channel(ReplyCode code, String detail) {
        return new AmqpError(code, ErrorScope.CHANNEL, code.name() + " - " + detail);
    }

    /** An error that closes the connection; {@code detail} follows the code's name in the text. */
    public static AmqpError connection(ReplyCode code, String detail) {
        return new AmqpError(code, ErrorScope.CONNECTION, code.name() + " - " + detail);
    }

    /** The exception a caller gets; new each time, so that its stack trace is the caller's. */
    public AmqpException toException() {
        return new AmqpException(this, text);
    }

    /**
     * The exception for a call that came too late: this is what closed the thing it was called on.
     *
     * @param closed what is closed, such as {@code channel}
     */
    public AmqpException toExceptionOfClosed(String closed) {
        return new AmqpException(this, text + " (this " + closed + " was closed by that before the call)");
    }
}
