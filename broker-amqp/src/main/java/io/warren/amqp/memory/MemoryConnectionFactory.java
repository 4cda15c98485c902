package io.warren.amqp.memory;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.AddressResolver;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.FrameHandlerFactory;
import io.warren.amqp.server.AmqpServer;
import io.warren.amqp.server.AmqpServerBuilder;
import io.warren.core.Broker;
import java.io.IOException;
import java.util.List;
import javax.net.SocketFactory;

/**
 * RabbitMQ's Java client, connected to a broker in this JVM without a socket or a port.
 *
 * <p>Everything of the client works as over TCP: it writes the same bytes, the broker's same session reads them, and what
 * carries them is memory. Host and port mean nothing; user, password and virtual host are checked. A closed broker is to
 * the client what a host is that refuses: automatic recovery tries again. It needs no closing: its threads, daemons, are
 * there while connections are.
 *
 * <p>The client hands its bytes to a {@link SocketFactory}, part of its public API since ever, and that is all that is
 * replaced. TLS, NIO and Netty are ways over a network: asked for, they change nothing here.
 */
public final class MemoryConnectionFactory extends ConnectionFactory {

    private static final String LOOPBACK = "127.0.0.1";

    private final MemorySocketFactory sockets;

    /** Connects to a broker as an {@link AmqpServer} with its defaults would. */
    public MemoryConnectionFactory(Broker broker) {
        this(AmqpServer.builder(broker));
    }

    /** Connects as the server would that is set up there, which need not be started: limits, logins, identity. */
    public MemoryConnectionFactory(AmqpServerBuilder settings) {
        sockets = new MemorySocketFactory(settings.broker(), settings.connections());
        super.setSocketFactory(sockets);
    }

    @Override
    protected synchronized FrameHandlerFactory createFrameHandlerFactory() throws IOException {
        useBlockingIo();
        super.setSocketFactory(sockets);
        return super.createFrameHandlerFactory();
    }

    /** Whatever hosts are named: asking for their addresses would be the only use of a network. */
    @Override
    protected AddressResolver createAddressResolver(List<Address> addresses) {
        return () -> List.of(new Address(LOOPBACK, getPort()));
    }
}
