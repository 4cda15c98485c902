package io.warren.test.contract.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import io.warren.test.contract.Administration;
import io.warren.test.contract.Capability;
import io.warren.test.contract.Client;
import io.warren.test.contract.Deployment;
import io.warren.test.contract.Login;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/** One test's view of the real RabbitMQ: a vhost shared with other tests, cleaned of what this one declared. */
final class RabbitDeployment extends Deployment implements DeclarationListener {
    /** RabbitMQ's timers count whole milliseconds and fire late rather than early. */
    private static final long SLACK_MILLIS = 60;

    private final ConnectionFactory factory;
    private final RabbitAdministration administration;
    private final Set<String> queues = new LinkedHashSet<>();
    private final Set<String> exchanges = new LinkedHashSet<>();

    RabbitDeployment(ConnectionFactory factory, RabbitControl control) {
        this.factory = factory;
        this.administration = control == null ? null : new RabbitAdministration(control, factory.getVirtualHost());
    }

    @Override
    public String vhost() {
        return factory.getVirtualHost();
    }

    @Override
    public Login login() {
        return new Login(factory.getVirtualHost(), factory.getUsername(), factory.getPassword());
    }

    @Override
    public boolean offers(Capability capability) {
        return switch (capability) {
            case ADMINISTRATION, MEMORY_ALARM -> administration != null;
            case DEDUPLICATION -> false;
        };
    }

    @Override
    public Administration administration() {
        return administration;
    }

    @Override
    public void advance(Duration duration) {
        try {
            Thread.sleep(duration.toMillis() + SLACK_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while time passed", interrupted);
        }
    }

    @Override
    protected Client open(Login login) {
        return RabbitClient.connect(factory, login, this);
    }

    @Override
    public void onQueueDeclared(Login login, String queue) {
        if (login.vhost().equals(vhost())) {
            queues.add(queue);
        }
    }

    @Override
    public void onExchangeDeclared(Login login, String exchange) {
        if (login.vhost().equals(vhost()) && !exchange.startsWith("amq.")) {
            exchanges.add(exchange);
        }
    }

    @Override
    protected void cleanUp() {
        if (administration != null) {
            administration.undoAll();
        }
        if (queues.isEmpty() && exchanges.isEmpty()) {
            return;
        }
        try (Client client = open(login())) {
            var channel = client.openChannel();
            queues.forEach(channel::queueDelete);
            exchanges.forEach(channel::exchangeDelete);
        }
    }
}
