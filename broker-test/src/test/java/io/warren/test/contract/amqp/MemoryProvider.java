package io.warren.test.contract.amqp;

import io.warren.test.contract.Deployment;
import io.warren.test.contract.DeploymentProvider;

/** Warren in this JVM, on a clock of its own, through RabbitMQ's Java client and no socket. */
public final class MemoryProvider implements DeploymentProvider {

    @Override
    public String name() {
        return "amqp-memory";
    }

    @Override
    public boolean isActive() {
        return true;
    }

    @Override
    public Deployment open() {
        return AmqpDeployment.throughMemory();
    }
}
