package io.warren.test.contract.amqp;

import com.rabbitmq.client.ConnectionFactory;
import io.warren.amqp.memory.MemoryConnectionFactory;
import io.warren.amqp.server.AmqpServer;
import io.warren.core.Broker;
import io.warren.core.spi.ManualClock;
import io.warren.test.contract.Administration;
import io.warren.test.contract.Capability;
import io.warren.test.contract.Client;
import io.warren.test.contract.Deployment;
import io.warren.test.contract.Login;
import io.warren.test.contract.invm.InVmAdministration;
import io.warren.test.contract.rabbitmq.CallingThreadExecutor;
import io.warren.test.contract.rabbitmq.DeclarationListener;
import io.warren.test.contract.rabbitmq.RabbitClient;
import java.time.Duration;

/** A broker of its own for one test; RabbitMQ's Java client comes through a socket, or through memory. */
final class AmqpDeployment extends Deployment implements DeclarationListener {

    private final ManualClock clock = new ManualClock();
    private final Broker broker = Broker.builder().clock(clock).start();
    private final ConnectionFactory factory;
    private final Runnable end;

    private AmqpDeployment(boolean throughSockets) {
        if (throughSockets) {
            AmqpServer server = AmqpServer.builder(broker).port(0).threads(1).start();
            factory = new ConnectionFactory();
            factory.setPort(server.port());
            end = server::close;
        } else {
            factory = new MemoryConnectionFactory(broker);
            end = () -> {};
        }
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        factory.setSharedExecutor(new CallingThreadExecutor());
    }

    /** Clients come through sockets. */
    static AmqpDeployment overTcp() {
        return new AmqpDeployment(true);
    }

    /** Clients come through memory. */
    static AmqpDeployment throughMemory() {
        return new AmqpDeployment(false);
    }

    @Override
    public String vhost() {
        return "/";
    }

    @Override
    public Login login() {
        return new Login("/", "guest", "guest");
    }

    @Override
    public boolean offers(Capability capability) {
        return true;
    }

    @Override
    public Administration administration() {
        return new InVmAdministration(broker.administration(), vhost());
    }

    @Override
    public void advance(Duration duration) {
        clock.advance(duration);
    }

    @Override
    protected Client open(Login login) {
        return RabbitClient.connect(factory, login, this);
    }

    /** The whole broker goes with the test: nothing needs to be noted. */
    @Override
    public void onQueueDeclared(Login login, String queue) {}

    @Override
    public void onExchangeDeclared(Login login, String exchange) {}

    @Override
    protected void cleanUp() {
        end.run();
        broker.close();
    }
}
