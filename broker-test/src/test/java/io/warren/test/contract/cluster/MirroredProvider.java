package io.warren.test.contract.cluster;

import io.warren.core.message.FieldTable;
import io.warren.test.Cluster;
import io.warren.test.contract.Deployment;
import io.warren.test.contract.DeploymentProvider;
import io.warren.test.contract.Policy;
import io.warren.test.contract.invm.InVmDeployment;
import java.util.HashMap;
import java.util.Map;

/** Three nodes in this JVM, with a copy of every queue at each that is not exclusive: clients are at b, masters at a. */
public final class MirroredProvider implements DeploymentProvider {

    private static final Map<String, Object> MIRRORED = Map.of("ha-mode", "all");

    @Override
    public String name() {
        return "mirrored";
    }

    @Override
    public boolean isActive() {
        return true;
    }

    @Override
    public Deployment open() {
        Cluster cluster = Cluster.inMemoryAsBytes(3, node -> node.home(definition -> "a"));
        cluster.broker("b")
                .administration()
                .setPolicy(
                        "/",
                        new io.warren.core.metadata.Policy(
                                "mirrored",
                                ".*",
                                io.warren.core.metadata.Policy.AppliesTo.QUEUES,
                                -1,
                                FieldTable.of(MIRRORED)));
        return new InVmDeployment(cluster.broker("b"), cluster::advance, cluster::close, MirroredProvider::mirrored);
    }

    /** Of the policies that match a queue one applies: whatever else it asks, it mirrors. */
    private static Policy mirrored(Policy policy) {
        boolean isAboutMirroring = policy.definition().keySet().stream().anyMatch(key -> key.startsWith("ha-"));
        if (policy.applyTo().equals("exchanges") || isAboutMirroring) {
            return policy;
        }
        Map<String, Object> definition = new HashMap<>(policy.definition());
        MIRRORED.forEach(definition::putIfAbsent);
        return new Policy(policy.name(), policy.pattern(), policy.applyTo(), policy.priority(), definition);
    }
}
