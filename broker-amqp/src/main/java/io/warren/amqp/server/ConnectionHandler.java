package io.warren.amqp.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.warren.amqp.content.FieldTableCodec;
import io.warren.amqp.frame.FrameDecoder;
import io.warren.amqp.frame.FrameListener;
import io.warren.amqp.method.BasicMethod;
import io.warren.amqp.method.Method;
import io.warren.amqp.session.AmqpConnection;
import io.warren.amqp.session.DeliveryCredit;
import io.warren.amqp.session.Peer;
import io.warren.amqp.session.SessionOutput;
import io.warren.core.error.AmqpError;
import io.warren.core.error.AmqpException;
import io.warren.core.error.ErrorScope;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection on its event loop: bytes in, frames to the session, frames out, timers.
 *
 * <p>Everything runs on the loop. What came with one read is carried out, then what the broker had to say meanwhile, and
 * then all of it is flushed at once. Bytes of at most one frame and one read wait here.
 */
final class ConnectionHandler extends ChannelInboundHandlerAdapter
        implements FrameListener, SessionOutput, Heartbeats.Line {

    private static final Logger LOG = LoggerFactory.getLogger("io.warren.amqp.connection");

    /** How long a client may take to answer a connection.close, or to read one it cannot answer. */
    private static final int CLOSING_SECONDS = 5;

    /** AMQP's smallest frame_max holds until another is agreed on: who has not logged in makes us keep no more. */
    private static final int FRAME_BYTES_MAX_UNTIL_TUNED = 4_096;

    private final ServerSettings settings;
    private final Set<ConnectionHandler> registry;
    private final FrameDecoder decoder;
    private final Heartbeats heartbeats = new Heartbeats(this);
    private @Nullable ByteBuf unread;
    private boolean headerSeen;
    private boolean unreadable;
    private boolean paused;

    // Set when the connection is there, before anything else is called.
    private ChannelHandlerContext context;
    private Outbound outbound;
    private EventQueue events;
    private AmqpConnection connection;
    private @Nullable Future<?> deadline;

    @SuppressWarnings("NullAway.Init") // the parts that need Netty's context come with handlerAdded
    ConnectionHandler(ServerSettings settings, Set<ConnectionHandler> registry) {
        this.settings = settings;
        this.registry = registry;
        this.decoder = new FrameDecoder(FRAME_BYTES_MAX_UNTIL_TUNED);
    }

    // ---- Netty's events

    @Override
    public void handlerAdded(ChannelHandlerContext handlerContext) {
        context = handlerContext;
        outbound = new Outbound(handlerContext, settings.session().frameBytesMax());
        events = new EventQueue(handlerContext.executor(), this::turn);
        connection = new AmqpConnection(
                settings.session(), settings.sessions(), peer(), FieldTableCodec::readFields, this, events);
        deadline(settings.handshakeTimeout().toMillis(), this::giveUpHandshake);
        registry.add(this);
    }

    private Peer peer() {
        if (context.channel().remoteAddress() instanceof InetSocketAddress remote
                && context.channel().localAddress() instanceof InetSocketAddress local) {
            return new Peer(
                    text(remote) + " -> " + text(local),
                    remote.getAddress().isLoopbackAddress(),
                    remote.getAddress().getHostAddress(),
                    remote.getPort(),
                    local.getAddress().getHostAddress(),
                    local.getPort(),
                    isTls());
        }
        return Peer.local(context.channel().remoteAddress().toString());
    }

    private boolean isTls() {
        return context.pipeline().get(SslHandler.class) != null;
    }

    /** The user that the client's certificate stands for, once TLS has been agreed on. */
    private @Nullable String certificateUser() {
        SslHandler tls = context.pipeline().get(SslHandler.class);
        return tls == null
                ? null
                : settings.certificateLogin().userOf(tls.engine().getSession());
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    private void giveUpHandshake() {
        if (!connection.isRunning()) {
            closeTransport(context);
        }
    }

    private void deadline(long delayMs, Runnable task) {
        if (deadline != null) {
            deadline.cancel(false);
        }
        deadline = context.executor().schedule(task, delayMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext handlerContext, Object message) {
        heartbeats.onRead();
        events.expectTurn();
        append((ByteBuf) message);
        decode();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext handlerContext) {
        turn();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext handlerContext) {
        updateReading();
    }

    @Override
    public void channelInactive(ChannelHandlerContext handlerContext) {
        registry.remove(this);
        heartbeats.stop();
        if (deadline != null) {
            deadline.cancel(false);
        }
        unreadable = true;
        releaseUnread();
        connection.onDisconnected();
        turn();
        outbound.release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext handlerContext, Throwable failure) {
        if (failure instanceof IOException) {
            LOG.debug("connection lost", failure);
        } else if (failure instanceof DecoderException && failure.getCause() instanceof SSLException refused) {
            LOG.warn("TLS with {} failed: {}", handlerContext.channel().remoteAddress(), refused.getMessage());
        } else {
            LOG.warn("connection failed", failure);
        }
        closeTransport(handlerContext);
    }

    // ---- in

    private void append(ByteBuf bytes) {
        ByteBuf before = unread;
        if (unreadable) {
            bytes.release();
        } else if (before == null) {
            unread = bytes;
        } else {
            // What a handler before us hands on may be full or read-only: this makes a copy then.
            unread = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(context.alloc(), before, bytes);
        }
    }

    private void decode() {
        ByteBuf in = unread;
        if (in == null) {
            return;
        }
        try {
            while (!unreadable && !connection.isPaused() && decodeNext(in)) {
                // The next frame.
            }
        } catch (AmqpException malformed) {
            giveUpReading(malformed.error());
        } catch (RuntimeException broken) {
            LOG.error("a method failed", broken);
            giveUpReading(new AmqpError(ReplyCode.INTERNAL_ERROR, ErrorScope.CONNECTION, "INTERNAL_ERROR"));
        }
        if (unreadable || !in.isReadable()) {
            releaseUnread();
        } else if (!in.isReadOnly()) {
            in.discardSomeReadBytes();
        }
    }

    private boolean decodeNext(ByteBuf in) {
        return headerSeen ? decoder.decode(in, this) : readHeader(in);
    }

    private boolean readHeader(ByteBuf in) {
        if (in.readableBytes() < ProtocolHeader.BYTES) {
            return false;
        }
        headerSeen = true;
        if (ProtocolHeader.read(in)) {
            connection.onStart(certificateUser());
            return true;
        }
        unreadable = true;
        context.writeAndFlush(ProtocolHeader.expected()).addListener(ChannelFutureListener.CLOSE);
        return false;
    }

    /** Where a frame begins is lost: the client is told, what it sends is thrown away, and it gets time to read. */
    private void giveUpReading(AmqpError error) {
        unreadable = true;
        connection.onMalformed(error);
    }

    private void releaseUnread() {
        if (unread != null) {
            unread.release();
            unread = null;
        }
    }

    @Override
    public void onMethod(int channel, Method method) {
        connection.onMethod(channel, method);
    }

    @Override
    public boolean awaitsHeader(int channel) {
        return connection.awaitsHeader(channel);
    }

    @Override
    public void onUnexpectedHeader(int channel) {
        connection.onUnexpectedHeader(channel);
    }

    @Override
    public void onHeader(int channel, int classId, long bodyBytes, Properties properties) {
        connection.onHeader(channel, classId, bodyBytes, properties);
    }

    @Override
    public void onBody(int channel, byte[] part) {
        connection.onBody(channel, part);
    }

    @Override
    public void onHeartbeat() {
        // That something came is all it says, and the read has told that.
    }

    // ---- a turn of the loop

    /** What the broker said, what could not be read before, and the flush of all of it. */
    private void turn() {
        try {
            events.run();
            decode();
            connection.onBatchEnd();
        } catch (RuntimeException broken) {
            LOG.error("an event failed", broken);
            giveUpReading(new AmqpError(ReplyCode.INTERNAL_ERROR, ErrorScope.CONNECTION, "INTERNAL_ERROR"));
        }
        outbound.flush();
    }

    /** The server ends. */
    void shutdown(AmqpError reason) {
        context.executor().execute(() -> {
            connection.onShutdown(reason);
            turn();
        });
    }

    /** Waits for the end, on a thread that is not the loop's; false if it did not come in time. */
    boolean awaitEnd(long timeoutMs) {
        return context.channel().closeFuture().awaitUninterruptibly(timeoutMs);
    }

    /** Ends the connection without a word. */
    void abort() {
        closeTransport(context);
    }

    // ---- out

    @Override
    public void method(int channel, Method method) {
        outbound.method(channel, method);
    }

    @Override
    public void content(int channel, Method method, Message message) {
        outbound.content(channel, method, message);
    }

    @Override
    public void deliver(int channel, BasicMethod.Deliver method, Message message, DeliveryCredit credit) {
        outbound.deliver(channel, method, message, credit);
    }

    @Override
    public void tuned(int frameBytesMax, int heartbeatSeconds) {
        decoder.limit(frameBytesMax);
        outbound.limit(frameBytesMax);
        heartbeats.start(context.executor(), heartbeatSeconds);
    }

    @Override
    public void pause(boolean isPaused) {
        paused = isPaused;
        updateReading();
    }

    private void updateReading() {
        context.channel().config().setAutoRead(!paused && context.channel().isWritable());
    }

    @Override
    public void closing() {
        heartbeats.stop();
        deadline(TimeUnit.SECONDS.toMillis(CLOSING_SECONDS), () -> closeTransport(context));
    }

    @Override
    public void close() {
        outbound.flush();
        context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    // ---- heartbeats

    @Override
    public boolean hasWritten() {
        return outbound.hasWritten();
    }

    @Override
    public boolean isPaused() {
        return paused || !context.channel().isWritable();
    }

    @Override
    public void sendHeartbeat() {
        outbound.heartbeat();
    }

    @Override
    public void giveUp() {
        LOG.warn("missed heartbeats from client");
        closeTransport(context);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // that it is closed shows in channelInactive
    private static void closeTransport(ChannelHandlerContext transport) {
        transport.close();
    }
}
