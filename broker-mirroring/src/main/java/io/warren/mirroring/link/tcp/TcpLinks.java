package io.warren.mirroring.link.tcp;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.warren.mirroring.link.DownReason;
import io.warren.mirroring.link.LinkListener;
import io.warren.mirroring.link.Links;
import io.warren.mirroring.ring.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's links over TCP.
 *
 * <p>All of them have one thread: it reads, writes, dials and calls the listener, so that the state of a link has one owner and the
 * downs and ups of one peer never overtake one another. Its {@link #executor} is meant for the groups' turns: what arrives together is then
 * one turn, and what that sends is one batch, without a hand-over between threads.
 *
 * <p>Whoever is refused leaves one line in the log, once a minute, that names what it gave. Limit: 64 connections that are not links yet;
 * one more is closed at once.
 *
 * @param <P> payload of the ring's entries
 */
public final class TcpLinks<P> implements Links<P> {
    private static final Logger LOG = LoggerFactory.getLogger(TcpLinks.class);

    private static final int HANDSHAKES_MAX = 64;
    private static final int CLOSE_TIMEOUT_MS = 2_000;
    /** What the kernel has not taken: as much again as it has. */
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(512 << 10, 1 << 20);

    private final Member self;
    private final TcpSettings settings;
    private final PayloadCodec<P> payloads;
    private final @Nullable SslContext serverTls;
    private final @Nullable SslContext clientTls;
    private final EventLoopGroup group;
    private final EventLoop loop;
    private final Channel server;
    private final String address;

    private final SecureRandom random = new SecureRandom();
    private final long process = random.nextLong();
    private volatile long[] values = {};
    private volatile @Nullable LinkListener<P> listener;
    private volatile boolean closed;

    // Owned by the loop.
    private final Map<String, TcpLink<P>> links = new HashMap<>();
    private final Map<String, Dial<P>> kept = new HashMap<>();
    private final Set<Dial<P>> sought = new HashSet<>();
    private final Set<Channel> handshakes = new HashSet<>();
    private final LinkNumbers numbers = new LinkNumbers();
    private final Complaints complaints = new Complaints();
    /** Numbers of one process are no other's. */
    private long nextLink = random.nextLong() >>> 2;

    /**
     * Listens; whoever comes before the {@link #start} is sent away, and will dial again.
     *
     * @throws UncheckedIOException if it cannot listen
     */
    public TcpLinks(Member self, TcpSettings settings, PayloadCodec<P> payloads) {
        this.self = self;
        this.settings = settings;
        this.payloads = payloads;
        LinkTls tls = settings.tls();
        serverTls = tls == null ? null : tls.server();
        clientTls = tls == null ? null : tls.client();
        group = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("warren-" + self.node() + "-links", true), NioIoHandler.newFactory());
        loop = group.next();
        server = bind();
        String advertised = settings.advertised();
        InetSocketAddress local = (InetSocketAddress) server.localAddress();
        address = advertised != null ? advertised : local.getAddress().getHostAddress() + ":" + local.getPort();
    }

    /** Takes links from now on. Once, and before any other call but those that ask. */
    public void start(LinkListener<P> itsListener) {
        if (listener != null) {
            throw new IllegalStateException("the links of " + self + " are started already");
        }
        listener = itsListener;
        LOG.info("{} takes links at {}", this, address);
    }

    private LinkListener<P> listener() {
        LinkListener<P> started = listener;
        if (started == null) {
            throw new IllegalStateException("the links of " + self + " are not started");
        }
        return started;
    }

    private Channel bind() {
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, receiveBuffers())
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel);
                    }
                })
                .bind(settings.listen())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            var unused = group.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
            IOException cause = bound.cause() instanceof IOException failed ? failed : new IOException(bound.cause());
            throw new UncheckedIOException(
                    "cannot take links on " + settings.listen() + ": " + cause.getMessage(), cause);
        }
        return bound.channel();
    }

    /** One read, then what came is worked on: who waits for it need not wait for all that comes after it. */
    private static AdaptiveRecvByteBufAllocator receiveBuffers() {
        AdaptiveRecvByteBufAllocator buffers = new AdaptiveRecvByteBufAllocator(1 << 10, 16 << 10, 128 << 10);
        buffers.maxMessagesPerRead(1);
        return buffers;
    }

    private static void drop(Channel channel) {
        var unused = channel.close();
    }

    private void accept(Channel channel) {
        if (closed || listener == null) {
            drop(channel);
            return;
        }
        if (handshakes.size() >= HANDSHAKES_MAX) {
            complain("closes a connection from " + host(channel) + ": " + handshakes.size()
                    + " others have not become links yet");
            drop(channel);
            return;
        }
        begin(channel, serverTls, null);
    }

    private void begin(Channel channel, @Nullable SslContext tls, @Nullable Dial<P> dial) {
        if (dial == null) {
            handshakes.add(channel);
            channel.closeFuture().addListener(closedNow -> handshakes.remove(channel));
        }
        if (tls != null) {
            channel.pipeline().addLast(tls.newHandler(channel.alloc()));
        }
        channel.pipeline().addLast("handshake", new HandshakeHandler<>(this, dial));
    }

    // ----------------------------------------------------------------------------------------------- any thread

    @Override
    public Member self() {
        return self;
    }

    @Override
    public String address() {
        return address;
    }

    /** The links' thread. When the links are closed, it runs nothing any more, and nobody hears of that. */
    public Executor executor() {
        return this::run;
    }

    private void run(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException afterClose) {
            if (!closed) {
                throw afterClose;
            }
        }
    }

    @Override
    public void keep(String node, String peerAddress) {
        InetSocketAddress unused = parse(peerAddress);
        run(() -> {
            Dial<P> before = kept.get(node);
            if (closed || (before != null && before.address().equals(peerAddress))) {
                return;
            }
            if (before != null) {
                before.end();
            }
            Dial<P> dial = new Dial<>(this, node, peerAddress);
            kept.put(node, dial);
            dial.dial();
        });
    }

    @Override
    public void drop(String node) {
        run(() -> {
            Dial<P> dial = kept.remove(node);
            if (dial != null) {
                dial.end();
            }
            TcpLink<P> link = links.get(node);
            if (link != null) {
                link.down(DownReason.CUT);
            }
        });
    }

    @Override
    public void seek(String peerAddress) {
        InetSocketAddress unused = parse(peerAddress);
        run(() -> {
            if (!closed) {
                Dial<P> dial = new Dial<>(this, null, peerAddress);
                sought.add(dial);
                dial.dial();
            }
        });
    }

    @Override
    public void tell(long... newValues) {
        if (newValues.length > VALUES_MAX) {
            throw new IllegalArgumentException("values=" + newValues.length + " is above " + VALUES_MAX);
        }
        values = newValues.clone();
    }

    @Override
    public void close() {
        closed = true;
        run(() -> {
            var unused = server.close();
            kept.values().forEach(Dial::end);
            sought.forEach(Dial::end);
            List.copyOf(handshakes).forEach(TcpLinks::drop);
            List.copyOf(links.values()).forEach(link -> link.down(DownReason.CUT));
        });
        group.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(2L * CLOSE_TIMEOUT_MS);
        LOG.info("{} takes no links any more", this);
    }

    private static InetSocketAddress parse(String peerAddress) {
        int colon = peerAddress.lastIndexOf(':');
        try {
            return InetSocketAddress.createUnresolved(
                    peerAddress.substring(0, Math.max(0, colon)), Integer.parseInt(peerAddress.substring(colon + 1)));
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("address=" + peerAddress + " is not HOST:PORT", malformed);
        }
    }

    // ----------------------------------------------------------------------------------------------- dialling

    TcpSettings settings() {
        return settings;
    }

    EventLoop loop() {
        return loop;
    }

    boolean isLinked(String node) {
        return links.containsKey(node);
    }

    ChannelFuture connect(Dial<P> dial) {
        return new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .option(ChannelOption.RECVBUF_ALLOCATOR, receiveBuffers())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        settings.connectTimeout().toMillis())
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        begin(channel, clientTls, dial);
                    }
                })
                .connect(parse(dial.address()));
    }

    /** Where the process listened nobody does any more. */
    void onDead(Member dead) {
        LOG.info("{} finds {} dead: its address refuses a connection", this, dead);
        if (!closed) {
            listener().onRefused(dead);
        }
    }

    void onUnreached(String peerAddress, String why) {
        sought.removeIf(dial -> dial.address().equals(peerAddress));
        if (!closed) {
            listener().onUnreached(peerAddress, why);
        }
    }

    // ----------------------------------------------------------------------------------------------- shaking hands

    /** What this node says of itself to another, whose name it may not know. */
    Hello hello(@Nullable String node) {
        byte[] nonce = new byte[Hello.NONCE_BYTES];
        random.nextBytes(nonce);
        long lost = node == null ? 0 : numbers.lost(node);
        return Hello.of(settings.cluster(), self, process, address, lost, nonce);
    }

    void check(Hello peer, @Nullable Dial<P> dial) {
        if (!peer.cluster().equals(settings.cluster())) {
            throw Refused.because(
                    "it belongs to cluster '" + peer.cluster() + "' and this node to '" + settings.cluster() + "'");
        }
        if (peer.process() == process) {
            throw Refused.because("it is this node itself");
        }
        if (peer.member().node().equals(self.node())) {
            throw Refused.because("it has this node's name, '" + self.node() + "', with incarnation "
                    + peer.member().incarnation() + " at " + peer.address());
        }
        String expected = dial == null ? null : dial.node();
        if (expected != null && !expected.equals(peer.member().node())) {
            throw Refused.because("it is node '" + peer.member().node() + "' and not '" + expected + "'");
        }
    }

    /** A name that is linked belongs to the process that has the link. */
    void admit(Hello peer) {
        TcpLink<P> present = links.get(peer.member().node());
        if (present != null && present.hello().process() != peer.process()) {
            throw Refused.because("its name is that of another process, which is linked: incarnation "
                    + present.peer().incarnation() + " at " + present.address());
        }
    }

    /** This name being the lower, it decides: see {@link Handshake}. */
    long welcome(Hello peer) {
        if (numbers.isDuplicate(peer.member().node(), peer.lostLink())) {
            throw Refused.duplicate();
        }
        return nextLink++;
    }

    /** A connection does not become a link: says so. */
    void onRefusal(Channel channel, @Nullable Hello peer, @Nullable Dial<P> dial, Refused refused) {
        String who = dial != null ? "a connection to " + dial.address() : "a connection from " + host(channel);
        String given = peer == null ? "" : " (" + peer + ")";
        complain("refuses " + who + given + ": " + refused.getMessage());
    }

    private void complain(String what) {
        if (!closed && complaints.isNew(what, settings.ticker().nowNs())) {
            LOG.warn("{} {}", this, what);
        }
    }

    private static String host(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress remote
                ? remote.getAddress().getHostAddress()
                : String.valueOf(channel.remoteAddress());
    }

    void onHandshakeEnded(Channel channel) {
        handshakes.remove(channel);
    }

    // ----------------------------------------------------------------------------------------------- up and down

    PayloadCodec<P> payloads() {
        return payloads;
    }

    long[] values() {
        return values;
    }

    TcpLink<P> newLink(Hello peer, long number, Channel channel) {
        return new TcpLink<>(this, listener(), peer, number, channel);
    }

    /** What was sought is found. */
    void onFound(Dial<P> dial) {
        sought.remove(dial);
    }

    /** The connection has become a link; an older one with the same process was lost by the other end. */
    void onLinked(TcpLink<P> link) {
        String node = link.peer().node();
        TcpLink<P> present = links.get(node);
        if (present != null) {
            present.down(DownReason.CUT);
        }
        if (closed) {
            link.down(DownReason.CUT);
            return;
        }
        links.put(node, link);
        numbers.onUp(node, link.number());
        Dial<P> dial = kept.get(node);
        if (dial != null) {
            dial.onLinked();
        }
        LOG.info("{} is linked with {}", this, link.hello());
        link.begin();
    }

    void onDown(TcpLink<P> link, DownReason reason) {
        String node = link.peer().node();
        if (!links.remove(node, link) || closed) {
            return;
        }
        numbers.onDown(node, link.number());
        LOG.info("{} has lost its link with {}: {}", this, link.hello(), reason);
        listener().onDown(link, reason);
        Dial<P> dial = kept.get(node);
        if (dial != null) {
            dial.onDown(link);
        }
    }

    @Override
    public String toString() {
        return "node '" + self.node() + "', incarnation " + Objects.toString(self.incarnation());
    }
}
