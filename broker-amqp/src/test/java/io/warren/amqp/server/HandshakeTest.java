package io.warren.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.warren.amqp.frame.FrameEncoder;
import io.warren.amqp.method.ConnectionMethod;
import io.warren.amqp.method.Method;
import io.warren.core.Broker;
import io.warren.core.message.FieldTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that come and do not go on, on a clock of the test's. */
class HandshakeTest {

    private static final int TIMEOUT_SECONDS = 10;

    private final Broker broker = Broker.start();
    private final EmbeddedChannel channel = new EmbeddedChannel();

    HandshakeTest() {
        channel.freezeTime();
        channel.pipeline().addLast(AmqpServer.builder(broker).connections().newHandler());
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        broker.close();
    }

    private void header() {
        channel.writeInbound(Unpooled.copiedBuffer(new byte[] {'A', 'M', 'Q', 'P', 0, 0, 9, 1}));
    }

    private void send(Method method) {
        ByteBuf frame = Unpooled.buffer();
        new FrameEncoder().method(frame, 0, method);
        channel.writeInbound(frame);
    }

    private void seconds(int count) {
        channel.advanceTimeBy(count, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void shouldCloseWhenNothingComesInTime() {
        seconds(TIMEOUT_SECONDS - 1);
        boolean openBefore = channel.isOpen();

        seconds(1);

        assertThat(openBefore).isTrue();
        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.outboundMessages()).isEmpty();
    }

    @Test
    void shouldCloseWhenClientStopsWithinHandshake() {
        header();
        boolean answered = !channel.outboundMessages().isEmpty();

        seconds(TIMEOUT_SECONDS);

        assertThat(answered).as("connection.start").isTrue();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldLeaveOpenConnectionAloneWhenTimeIsOver() {
        byte[] login = "\0guest\0guest".getBytes(StandardCharsets.UTF_8);
        header();
        send(new ConnectionMethod.StartOk(FieldTable.EMPTY, "PLAIN", ByteBuffer.wrap(login), "en_US"));
        send(new ConnectionMethod.TuneOk(2_047, 131_072, 0));
        send(new ConnectionMethod.Open("/"));

        seconds(TIMEOUT_SECONDS + 1);

        assertThat(channel.isOpen()).isTrue();
        assertThat(broker.administration().connections()).hasSize(1);
    }
}
