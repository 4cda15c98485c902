package io.warren.amqp.server;

import io.warren.amqp.session.SessionSettings;
import io.warren.core.spi.Sessions;
import java.time.Duration;

/**
 * What every connection of a server is made with.
 *
 * @param sessions the broker's door
 * @param session what clients are offered
 * @param handshakeTimeout how long a connection may take until it is open, TLS included
 * @param certificateLogin what of a client's certificate is its user
 */
record ServerSettings(
        Sessions sessions, SessionSettings session, Duration handshakeTimeout, CertificateLogin certificateLogin) {}
