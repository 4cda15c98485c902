package io.warren.mirroring.link.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** A connection until it is a link, or is closed: by a refusal, or because it takes too long. Owned by the links' thread. */
final class HandshakeHandler<P> extends ByteToMessageDecoder implements Handshake.Node {
    private final TcpLinks<P> links;
    private final Handshake handshake;
    private final @Nullable Dial<P> dial;

    private @Nullable ChannelHandlerContext channel;
    private @Nullable Future<?> timer;
    private boolean over;

    /** @param dial who dialled; null on a connection that came in */
    HandshakeHandler(TcpLinks<P> links, @Nullable Dial<P> dial) {
        this.links = links;
        this.dial = dial;
        handshake = new Handshake(dial != null, links.settings().secret(), this);
    }

    private ChannelHandlerContext channel() {
        if (channel == null) {
            throw new IllegalStateException("no channel yet");
        }
        return channel;
    }

    // ------------------------------------------------------------------------------------------- from the channel

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context;
        if (context.channel().isActive()) {
            start();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        start();
    }

    private void start() {
        if (timer == null) {
            long timeoutMs = links.settings().handshakeTimeout().toMillis();
            timer = channel()
                    .executor()
                    .schedule(
                            () -> refuse(Refused.because("it has not come further than " + handshake.state()
                                    + " within " + timeoutMs + " ms")),
                            timeoutMs,
                            TimeUnit.MILLISECONDS);
            try {
                handshake.start();
            } catch (Refused refused) {
                refuse(refused);
            }
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (over) {
            in.skipBytes(in.readableBytes());
            return;
        }
        try {
            handshake.read(in);
        } catch (Refused refused) {
            refuse(refused);
        } catch (RuntimeException malformed) {
            refuse(Refused.because(Reason.of(malformed)));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        super.channelInactive(context);
        end("it closed the connection");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        Throwable cause =
                failure instanceof DecoderException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof IOException && !(cause instanceof SSLException)) {
            // The connection broke, which is no more to complain of than its end.
            var unused = context.close();
            end(Reason.of(cause));
        } else {
            refuse(Refused.because(Reason.of(cause)));
        }
    }

    private void refuse(Refused refused) {
        if (over) {
            return;
        }
        if (!refused.isDuplicate()) {
            links.onRefusal(channel().channel(), handshake.peer(), dial, refused);
        }
        var unused = channel().writeAndFlush(Handshake.refusal(refused)).addListener(ChannelFutureListener.CLOSE);
        end(String.valueOf(refused.getMessage()));
    }

    private void end(String why) {
        if (over) {
            return;
        }
        over = true;
        stopTimer();
        links.onHandshakeEnded(channel().channel());
        if (dial != null) {
            dial.onFailed(why);
        }
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    // ------------------------------------------------------------------------------------------- for the handshake

    @Override
    public Hello hello(@Nullable Hello peer) {
        if (peer != null || dial == null) {
            return links.hello(peer == null ? null : peer.member().node());
        }
        String node = dial.node();
        // It came up while this connection was made. Dialling on would say that it was lost.
        if (node != null && links.isLinked(node)) {
            throw Refused.duplicate();
        }
        return links.hello(node);
    }

    @Override
    public void check(Hello peer) throws Refused {
        links.check(peer, dial);
    }

    @Override
    public void admit(Hello peer) throws Refused {
        links.admit(peer);
    }

    @Override
    public long welcome(Hello peer) throws Refused {
        return links.welcome(peer);
    }

    @Override
    public void send(ByteBuf message) {
        var unused = channel().writeAndFlush(message, channel().voidPromise());
    }

    @Override
    public void linked(Hello peer, long number) {
        over = true;
        stopTimer();
        links.onHandshakeEnded(channel().channel());
        if (dial != null) {
            links.onFound(dial);
        }
        TcpLink<P> link = links.newLink(peer, number, channel().channel());
        channel().pipeline().replace(this, "link", link);
        links.onLinked(link);
    }
}
