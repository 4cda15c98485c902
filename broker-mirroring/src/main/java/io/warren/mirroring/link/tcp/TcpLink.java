package io.warren.mirroring.link.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import io.warren.mirroring.link.DownReason;
import io.warren.mirroring.link.Link;
import io.warren.mirroring.link.LinkListener;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Member;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that is a link: reads, writes, and listens whether the peer lives. Owned by the links' thread.
 */
final class TcpLink<P> extends ChannelInboundHandlerAdapter implements Link<P>, Outgoing.Line, Incoming.Output<P> {
    private static final Logger LOG = LoggerFactory.getLogger(TcpLink.class);

    /** Heartbeats whose sending is remembered; an answer that comes later tells nothing. A power of two. */
    private static final int REMEMBERED = 16;

    private final TcpLinks<P> links;
    private final LinkListener<P> listener;
    private final TcpSettings settings;
    private final Hello peer;
    private final long number;
    private final Channel channel;
    private final Outgoing<P> outgoing;
    private final Incoming<P> incoming;
    private final Messages messages;

    private boolean down;
    private @Nullable Future<?> timer;
    private long begunNs;
    private long heardNs;
    private long tickedNs;
    private long heartbeats;
    private long heardHeartbeat;
    private final long[] sentNs = new long[REMEMBERED];
    private volatile long answeredNs;

    /** @param number by which the node with the lower name knows this link */
    TcpLink(TcpLinks<P> links, LinkListener<P> listener, Hello peer, long number, Channel channel) {
        this.links = links;
        this.listener = listener;
        settings = links.settings();
        this.peer = peer;
        this.number = number;
        this.channel = channel;
        FrameCodec<P> codec = new FrameCodec<>(links.payloads());
        outgoing = new Outgoing<>(this, codec, settings.frameBytesMax(), links.executor());
        incoming = new Incoming<>(codec, settings.frameBytesMax(), channel.alloc(), this);
        messages = new Messages(channel.alloc(), this::onMessage);
    }

    // ------------------------------------------------------------------------------------------- for its users

    @Override
    public Member peer() {
        return peer.member();
    }

    @Override
    public String address() {
        return peer.address();
    }

    @Override
    public boolean send(String group, Frame<P> frame) {
        return outgoing.send(group, frame);
    }

    @Override
    public boolean send(String group, int type, byte[] body) {
        return outgoing.send(group, type, body);
    }

    @Override
    public void sendAnyway(String group, int type, byte[] body) {
        outgoing.sendAnyway(group, type, body);
    }

    @Override
    public void giveBack(String group, int bytes) {
        incoming.giveBack(group, bytes);
    }

    @Override
    public long answeredNs() {
        return answeredNs;
    }

    @Override
    public void cut() {
        links.executor().execute(() -> down(DownReason.CUT));
    }

    // ------------------------------------------------------------------------------------------- up and down

    Hello hello() {
        return peer;
    }

    long number() {
        return number;
    }

    /** Time since it is up. */
    Duration lasted() {
        return Duration.ofNanos(settings.ticker().nowNs() - begunNs);
    }

    /** It is up. */
    void begin() {
        long nowNs = settings.ticker().nowNs();
        begunNs = nowNs;
        heardNs = nowNs;
        tickedNs = nowNs;
        answeredNs = nowNs;
        long periodMs = settings.heartbeat().toMillis();
        listener.onUp(this);
        timer = channel.eventLoop().scheduleAtFixedRate(this::tick, 0, periodMs, TimeUnit.MILLISECONDS);
    }

    void down(DownReason reason) {
        if (down) {
            return;
        }
        down = true;
        if (timer != null) {
            timer.cancel(false);
        }
        outgoing.close();
        incoming.close();
        messages.close();
        var unused = channel.close();
        links.onDown(this, reason);
    }

    /** Each heartbeat's time: judges the peer, then says something. */
    private void tick() {
        long nowNs = settings.ticker().nowNs();
        long periodNs = settings.heartbeat().toNanos();
        if (nowNs - tickedNs > 2 * periodNs) {
            // This process stood still itself: what it has not heard meanwhile says nothing.
            heardNs = nowNs;
        }
        tickedNs = nowNs;
        if (nowNs - heardNs >= settings.missedMax() * periodNs) {
            LOG.info("{} hears nothing from {} any more", links, peer);
            down(DownReason.TIMEOUT);
            return;
        }
        incoming.onTick();
        heartbeats++;
        sentNs[(int) heartbeats & (REMEMBERED - 1)] = nowNs;
        outgoing.heartbeat(heartbeats, heardHeartbeat, links.values());
    }

    // ------------------------------------------------------------------------------------------- from the channel

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        heardNs = settings.ticker().nowNs();
        try {
            if (!down) {
                messages.read(in);
            }
        } catch (RuntimeException failure) {
            exceptionCaught(context, failure);
        } finally {
            in.release();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        outgoing.onWritable();
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        down(DownReason.CUT);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        if (!down) {
            LOG.warn("{} cuts the link with {}: {}", links, peer, Reason.of(failure));
        }
        down(DownReason.CUT);
    }

    // ------------------------------------------------------------------------------------------- what came

    /** A message, unless one before it has ended the link. */
    private void onMessage(ByteBuf message) {
        if (!down) {
            incoming.read(message);
        }
    }

    @Override
    public void frame(String group, Frame<P> frame, int bytes) {
        listener.onFrame(this, group, frame, bytes);
    }

    @Override
    public void message(String group, int type, byte[] body, int bytes) {
        listener.onMessage(this, group, type, body, bytes);
    }

    @Override
    public void heartbeat(long heartbeat, long echo, long[] values) {
        heardHeartbeat = heartbeat;
        if (echo > 0 && echo <= heartbeats && heartbeats - echo < REMEMBERED) {
            answeredNs = sentNs[(int) echo & (REMEMBERED - 1)];
        }
        listener.onHeartbeat(this, values);
    }

    @Override
    public void credit(int stream, long bytes) {
        outgoing.onCredit(stream, bytes);
    }

    @Override
    public void giveBack(int stream, int bytes) {
        outgoing.giveBack(stream, bytes);
    }

    // ------------------------------------------------------------------------------------------- what goes

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public ByteBuf buffer(int capacity) {
        return channel.alloc().ioBuffer(capacity);
    }

    @Override
    public void write(ByteBuf batch) {
        // A write that fails closes the channel, and that is heard.
        var unused = channel.writeAndFlush(batch, channel.voidPromise());
    }

    @Override
    public void fail(RuntimeException failure) {
        LOG.error("{} cuts the link with {}: it cannot write", links, peer, failure);
        down(DownReason.CUT);
    }

    @Override
    public String toString() {
        return "link of " + links.self() + " with " + peer.member();
    }
}
