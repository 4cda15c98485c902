package io.warren.test.contract.invm;

import io.warren.test.contract.Deployment;
import io.warren.test.contract.DeploymentProvider;

/** Warren in this JVM, on a clock of its own, with the threads it has by default. */
public final class InVmProvider implements DeploymentProvider {

    @Override
    public String name() {
        return "in-vm";
    }

    @Override
    public boolean isActive() {
        return true;
    }

    @Override
    public Deployment open() {
        return new InVmDeployment();
    }
}
