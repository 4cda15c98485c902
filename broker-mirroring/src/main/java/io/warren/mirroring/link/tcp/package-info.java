/**
 * Links over TCP, by Netty.
 *
 * <p>How a connection becomes a link is told at {@code Handshake}, what travels over one at {@code Wire}. A frame is written once, on the
 * links' thread, into a batch with whatever else is sent in the same turn, of whatever group; the batch goes out at the end of the turn, or
 * when it has 64 KiB. A group whose receiver is slow runs out of credit and waits in a queue of its own; nothing ever stops the
 * reading of the connection, for behind what a slow group cannot take lie the frames of all others, and the heartbeats.
 */
@NullMarked
package io.warren.mirroring.link.tcp;

import org.jspecify.annotations.NullMarked;
