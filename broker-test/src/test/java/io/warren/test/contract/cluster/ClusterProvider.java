package io.warren.test.contract.cluster;

import io.warren.test.Cluster;
import io.warren.test.contract.Deployment;
import io.warren.test.contract.DeploymentProvider;
import io.warren.test.contract.invm.InVmDeployment;

/** Two nodes in this JVM: clients are at b, and every queue that is not exclusive lives at a. */
public final class ClusterProvider implements DeploymentProvider {

    @Override
    public String name() {
        return "cluster";
    }

    @Override
    public boolean isActive() {
        return true;
    }

    @Override
    public Deployment open() {
        Cluster cluster = Cluster.inMemoryAsBytes(2, node -> node.home(definition -> "a"));
        return new InVmDeployment(cluster.broker("b"), cluster::advance, cluster::close);
    }
}
