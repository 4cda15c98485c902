package io.warren.amqp.server;

import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One place where a server listens.
 *
 * @param address port 0 picks a free one
 * @param tls its side of TLS, or null without
 */
record Listener(InetSocketAddress address, @Nullable SslContext tls) {}
