package io.warren.amqp.server;

import io.netty.handler.ssl.SslContext;
import io.warren.amqp.session.SessionSettings;
import io.warren.core.spi.Sessions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What every connection of a server is made with.
 *
 * @param sessions the broker's door
 * @param session what clients are offered
 * @param handshakeTimeout how long a connection may take until it is open
 * @param tls the server's side of TLS, or null without
 */
record ServerSettings(
        Sessions sessions, SessionSettings session, Duration handshakeTimeout, @Nullable SslContext tls) {}
