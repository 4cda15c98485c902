package io.warren.test.contract.amqp;

import com.rabbitmq.client.ConnectionFactory;
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
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;

/** A broker and a server of its own for one test; clients come through sockets. */
final class AmqpDeployment extends Deployment implements DeclarationListener {

    private final ManualClock clock = new ManualClock();
    private final Broker broker = Broker.builder().clock(clock).start();
    private final AmqpServer server =
            AmqpServer.builder(broker).port(0).threads(1).start();

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
        return RabbitClient.connect(factory(), login, this);
    }

    private ConnectionFactory factory() {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(server.amqpUri());
        } catch (URISyntaxException | GeneralSecurityException malformed) {
            throw new IllegalStateException("uri=" + server.amqpUri(), malformed);
        }
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        factory.setSharedExecutor(new CallingThreadExecutor());
        return factory;
    }

    /** The whole broker goes with the test: nothing needs to be noted. */
    @Override
    public void onQueueDeclared(Login login, String queue) {}

    @Override
    public void onExchangeDeclared(Login login, String exchange) {}

    @Override
    protected void cleanUp() {
        server.close();
        broker.close();
    }
}
