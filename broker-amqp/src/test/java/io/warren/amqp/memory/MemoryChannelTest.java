package io.warren.amqp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalIoHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Netty channel whose other end is a pair of queues. */
@Timeout(30)
class MemoryChannelTest {

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
    private final MemoryChannel channel = new MemoryChannel(new MemoryAddress(1));
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    @BeforeEach
    void register() {
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                events.add("read " + ((ByteBuf) message).readableBytes());
                ((ByteBuf) message).release();
            }

            @Override
            public void channelInactive(ChannelHandlerContext context) {
                events.add("inactive");
            }
        });
        assertThat(loops.register(channel).awaitUninterruptibly().isSuccess()).isTrue();
    }

    @AfterEach
    void end() {
        channel.close().awaitUninterruptibly();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private static ByteBuf part(int bytes) {
        return Unpooled.buffer(bytes).writeZero(bytes);
    }

    private void onLoop(Runnable task) {
        channel.eventLoop().submit(task).awaitUninterruptibly();
    }

    @Test
    void shouldLetWritesWaitWhenClientDoesNotRead() throws Exception {
        List<ChannelFuture> writes = new ArrayList<>();
        onLoop(() -> {
            for (int i = 0; i < 3; i++) {
                writes.add(channel.write(part(ByteQueue.CAPACITY_BYTES)));
            }
            channel.flush();
        });
        int held = channel.toClient().available();
        boolean secondWaited = !writes.get(1).isDone();

        byte[] all = new byte[ByteQueue.CAPACITY_BYTES];
        for (int read = 0; read < 3 * ByteQueue.CAPACITY_BYTES; ) {
            read += channel.toClient().read(all, 0, all.length, 0);
        }

        assertThat(held).isEqualTo(ByteQueue.CAPACITY_BYTES);
        assertThat(secondWaited).isTrue();
        assertThat(writes.get(2).await(20_000)).isTrue();
    }

    @Test
    void shouldReadNothingWhenReadingIsStopped() throws Exception {
        onLoop(() -> channel.config().setAutoRead(false));
        channel.toBroker().put(part(7));
        onLoop(() -> {});
        String whileStopped = events.peek();

        onLoop(() -> channel.config().setAutoRead(true));

        assertThat(whileStopped).isNull();
        assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo("read 7");
    }

    @Test
    void shouldReadAllThatCameBeforeTheEndWhenClientCloses() throws Exception {
        for (int i = 1; i <= 40; i++) {
            channel.toBroker().put(part(i));
        }
        channel.toBroker().end();

        for (int i = 1; i <= 40; i++) {
            assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo("read " + i);
        }
        assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo("inactive");
    }

    @Test
    void shouldGiveClientTheRestAndTheEndWhenBrokerCloses() throws Exception {
        byte[] target = new byte[10];
        channel.writeAndFlush(part(4)).awaitUninterruptibly();
        channel.close().awaitUninterruptibly();

        assertThat(channel.toClient().read(target, 0, 10, 0)).isEqualTo(4);
        assertThat(channel.toClient().read(target, 0, 10, 0)).isEqualTo(-1);
    }
}
