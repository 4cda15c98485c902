package io.warren.amqp.session;

import java.util.List;
import java.util.Set;

/**
 * What a server offers to every client.
 *
 * @param identity who it says it is
 * @param mechanisms ways to log in, best first
 * @param frameBytesMax largest frame
 * @param channelCountMax most channels a connection may have open
 * @param heartbeatSeconds proposed to clients, 0 for none
 * @param messageBytesMax largest body; a larger one closes its channel (406)
 * @param loopbackUsers users who may log in from this machine only
 */
public record SessionSettings(
        Identity identity,
        List<SaslMechanism> mechanisms,
        int frameBytesMax,
        int channelCountMax,
        int heartbeatSeconds,
        long messageBytesMax,
        Set<String> loopbackUsers) {

    /** RabbitMQ's defaults. */
    public static final SessionSettings DEFAULT = new SessionSettings(
            Identity.DEFAULT,
            List.of(SaslMechanism.PLAIN, SaslMechanism.AMQPLAIN),
            131_072,
            2_047,
            60,
            134_217_728L,
            Set.of("guest"));

    public SessionSettings {
        mechanisms = List.copyOf(mechanisms);
        loopbackUsers = Set.copyOf(loopbackUsers);
        if (frameBytesMax < Tuning.FRAME_BYTES_MIN) {
            throw new IllegalArgumentException(
                    "frameBytesMax=" + frameBytesMax + " is below " + Tuning.FRAME_BYTES_MIN);
        }
        if (channelCountMax < 1 || channelCountMax > 65_535) {
            throw new IllegalArgumentException("channelCountMax=" + channelCountMax + " is not from 1 to 65535");
        }
    }
}
