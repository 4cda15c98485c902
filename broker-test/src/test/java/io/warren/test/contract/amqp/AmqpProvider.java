package io.warren.test.contract.amqp;

import io.warren.test.contract.Deployment;
import io.warren.test.contract.DeploymentProvider;

/** Warren in this JVM, on a clock of its own, through RabbitMQ's Java client and a socket. */
public final class AmqpProvider implements DeploymentProvider {

    @Override
    public String name() {
        return "amqp";
    }

    @Override
    public boolean isActive() {
        return true;
    }

    @Override
    public Deployment open() {
        return AmqpDeployment.overTcp();
    }
}
