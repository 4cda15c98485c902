package io.warren.amqp.session;

import io.warren.amqp.method.ConnectionMethod.Tune;
import io.warren.amqp.method.ConnectionMethod.TuneOk;
import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import org.jspecify.annotations.Nullable;

/** The limits both sides agree on: the client may lower what the broker proposes, and may not lift a limit. */
record Tuning(int channelCountMax, int frameBytesMax, int heartbeatSeconds) {

    /** AMQP's smallest frame_max. */
    static final int FRAME_BYTES_MIN = 4_096;

    static Tune proposal(SessionSettings settings) {
        return new Tune(settings.channelCountMax(), settings.frameBytesMax(), settings.heartbeatSeconds());
    }

    /** Why the client's choice cannot be, or null. */
    static @Nullable AmqpError refusal(TuneOk chosen, SessionSettings settings) {
        AmqpError frames = refusal("frame_max", FRAME_BYTES_MIN, settings.frameBytesMax(), chosen.frameMax());
        return frames != null ? frames : refusal("channel_max", 1, settings.channelCountMax(), chosen.channelMax());
    }

    private static @Nullable AmqpError refusal(String field, long least, long most, long chosen) {
        if (chosen != 0 && chosen < least) {
            return refusal(field, chosen, "lower than the minimum", least);
        }
        return chosen == 0 || chosen > most ? refusal(field, chosen, "higher than the maximum", most) : null;
    }

    private static AmqpError refusal(String field, long chosen, String relation, long limit) {
        return AmqpError.connection(
                ReplyCode.NOT_ALLOWED,
                "negotiated " + field + " = " + chosen + " is " + relation + " allowed value (" + limit + ")");
    }

    static Tuning of(TuneOk chosen) {
        return new Tuning(chosen.channelMax(), (int) chosen.frameMax(), chosen.heartbeatSeconds());
    }
}
