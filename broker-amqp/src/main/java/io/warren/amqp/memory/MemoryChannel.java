package io.warren.amqp.memory;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AbstractChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import io.warren.amqp.server.AmqpConnections;
import java.net.SocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The broker's end of a connection through memory, as a Netty channel: all that speaks AMQP over TCP runs on it
 * unchanged.
 *
 * <p>Netty has a channel within the JVM, whose writes always succeed: a client that does not read would be given the
 * whole broker. Here a write waits in the channel until the client has made room, as it does with TCP. Owned by its event
 * loop, but for the two queues.
 */
final class MemoryChannel extends AbstractChannel {

    private static final ChannelMetadata METADATA = new ChannelMetadata(false);

    /** Other connections of the loop get their turn after so many parts. */
    private static final int READ_BATCH_MAX = 16;

    private final MemoryAddress address;
    private final ChannelConfig config = new Config();
    private final AtomicBoolean turnIsDue = new AtomicBoolean();
    private final ByteQueue toBroker = new ByteQueue(this::wake);
    private final ByteQueue toClient = new ByteQueue(this::wake);
    private volatile boolean open = true;
    private volatile boolean active;
    private boolean readPending;
    private boolean flushPending;

    MemoryChannel(MemoryAddress address) {
        super(null);
        this.address = address;
        config.setWriteBufferWaterMark(AmqpConnections.WATER_MARK);
    }

    /** Where the client writes. */
    ByteQueue toBroker() {
        return toBroker;
    }

    /** Where the client reads. */
    ByteQueue toClient() {
        return toClient;
    }

    /** Something changed in a queue; on any thread. */
    private void wake() {
        if (isRegistered() && open && turnIsDue.compareAndSet(false, true)) {
            try {
                eventLoop().execute(this::turn);
            } catch (RejectedExecutionException ended) {
                // The loop ends with its last connection: this one was closed while we looked, and both queues ended.
            }
        }
    }

    private void turn() {
        turnIsDue.set(false);
        if (flushPending) {
            ((MemoryUnsafe) unsafe()).continueFlush();
        }
        if (readPending) {
            read0();
        }
        if (toBroker.isOver()) {
            unsafe().close(voidPromise());
        }
    }

    private void read0() {
        int parts = 0;
        while (parts < READ_BATCH_MAX && config.isAutoRead()) {
            ByteBuf part = toBroker.poll();
            if (part == null) {
                break;
            }
            readPending = false;
            parts++;
            pipeline().fireChannelRead(part);
        }
        if (parts > 0) {
            pipeline().fireChannelReadComplete();
        }
    }

    // ---- Netty's side

    @Override
    protected void doRegister(ChannelPromise promise) {
        active = true;
        promise.setSuccess();
    }

    @Override
    protected void doBeginRead() {
        readPending = true;
        if (toBroker.hasNews()) {
            wake();
        }
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer in) {
        flushPending = false;
        for (Object message = in.current(); message != null; message = in.current()) {
            if (!toClient.offer(((ByteBuf) message).retain())) {
                ((ByteBuf) message).release();
                flushPending = true;
                return;
            }
            in.remove();
        }
    }

    @Override
    protected void doClose() {
        open = false;
        active = false;
        toClient.end();
        toBroker.discard();
    }

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    protected void doBind(SocketAddress localAddress) {
        throw new UnsupportedOperationException("bind");
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new MemoryUnsafe();
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return true;
    }

    @Override
    protected SocketAddress localAddress0() {
        return address;
    }

    @Override
    protected SocketAddress remoteAddress0() {
        return address;
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isActive() {
        return active;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    private final class MemoryUnsafe extends AbstractUnsafe {

        @Override
        public void connect(SocketAddress remoteAddress, SocketAddress localAddress, ChannelPromise promise) {
            promise.setFailure(new UnsupportedOperationException("connect"));
        }

        void continueFlush() {
            flush0();
        }
    }

    private final class Config extends DefaultChannelConfig {

        Config() {
            super(MemoryChannel.this);
        }

        @Override
        protected void autoReadCleared() {
            readPending = false;
        }
    }
}
