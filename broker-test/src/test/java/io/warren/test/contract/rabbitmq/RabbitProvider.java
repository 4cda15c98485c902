package io.warren.test.contract.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.warren.test.contract.Deployment;
import io.warren.test.contract.DeploymentProvider;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.UUID;
import java.util.concurrent.ExecutorService;

/** RabbitMQ at an address that was given. */
public final class RabbitProvider implements DeploymentProvider {
    private final String address;
    private final RabbitControl control;
    /** Short, so that it does not push reply texts over their limit. */
    private final String runVhost = "c-" + UUID.randomUUID().toString().substring(0, 8);

    private final ExecutorService recording = new CallingThreadExecutor();
    private boolean vhostMade;
    private String name;

    public RabbitProvider() {
        address = System.getProperty("warren.rabbitmq", System.getenv("WARREN_RABBITMQ"));
        String command = System.getProperty("warren.rabbitmqctl", System.getenv("WARREN_RABBITMQCTL"));
        control = command == null ? null : new RabbitControl(command);
    }

    @Override
    public boolean isActive() {
        return address != null && !address.isBlank();
    }

    @Override
    public boolean isReference() {
        return true;
    }

    @Override
    public String name() {
        if (name == null) {
            name = "rabbitmq-" + serverVersion();
        }
        return name;
    }

    private String serverVersion() {
        try (Connection connection = factory().newConnection()) {
            return connection.getServerProperties().get("version").toString();
        } catch (Exception unreachable) {
            throw new IllegalStateException("no RabbitMQ at address=" + address, unreachable);
        }
    }

    @Override
    public Deployment open() {
        if (control != null && !vhostMade) {
            vhostMade = true;
            control.run("add_vhost", runVhost);
            control.run("set_permissions", "-p", runVhost, factory().getUsername(), ".*", ".*", ".*");
        }
        ConnectionFactory factory = factory();
        if (control != null) {
            factory.setVirtualHost(runVhost);
        }
        return new RabbitDeployment(factory, control);
    }

    private ConnectionFactory factory() {
        var factory = new ConnectionFactory();
        try {
            factory.setUri(new URI(address));
        } catch (URISyntaxException | GeneralSecurityException malformed) {
            throw new IllegalStateException("address=" + address, malformed);
        }
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        factory.setSharedExecutor(recording);
        return factory;
    }

    @Override
    public void close() {
        if (vhostMade) {
            control.run("delete_vhost", runVhost);
        }
    }
}
