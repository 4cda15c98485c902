package io.warren.amqp.fuzz;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.warren.amqp.server.AmqpConnections;
import io.warren.amqp.server.AmqpServer;
import io.warren.core.Broker;
import java.io.ByteArrayOutputStream;

/** A broker that is given bytes without a network; used by one thread, so that all has happened when they are taken. */
final class FuzzTarget implements AutoCloseable {

    private final Broker broker = Broker.start();
    private final AmqpConnections connections = AmqpServer.builder(broker).connections();

    /** Gives the pieces to a new connection one by one, and ends it. */
    Answer answer(byte[]... pieces) {
        EmbeddedChannel channel = new EmbeddedChannel(connections.newHandler());
        try {
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            for (byte[] piece : pieces) {
                if (channel.isOpen()) {
                    channel.writeInbound(Unpooled.copiedBuffer(piece));
                    drain(channel, answer);
                }
            }
            return new Answer(answer.toByteArray(), !channel.isOpen());
        } finally {
            channel.finishAndReleaseAll();
        }
    }

    private static void drain(EmbeddedChannel channel, ByteArrayOutputStream answer) {
        channel.runPendingTasks();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            answer.writeBytes(ByteBufUtil.getBytes(out));
            out.release();
        }
    }

    /** Forgets what was declared and published; connections of before are gone. */
    void reset() {
        broker.reset();
    }

    int connectionCount() {
        return connections.count();
    }

    @Override
    public void close() {
        broker.close();
    }
}
