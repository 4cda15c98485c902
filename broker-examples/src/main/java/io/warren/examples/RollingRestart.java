package io.warren.examples;

import io.warren.core.Connection;
import io.warren.core.QueueOptions;
import io.warren.examples.cluster.LocalCluster;
import io.warren.examples.cluster.OrderClient;
import io.warren.mirroring.metadata.MirrorStatus;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Every node of three is restarted while a client streams; each copy comes back with what it had, and is in sync soon. */
public final class RollingRestart {
    private static final int CONFIRMS = 500;

    private RollingRestart() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> nodes = List.of("a", "b", "c");
        try (LocalCluster cluster = new LocalCluster("a", "b", "c")) {
            cluster.mirror(Map.of("ha-mode", "all", "ha-sync-mode", "automatic"));
            try (Connection connection = cluster.node("a").broker().connect()) {
                connection.openChannel().queueDeclare(QueueOptions.durable(OrderClient.QUEUE));
            }
            cluster.awaitInSync(2);
            try (OrderClient client = new OrderClient(cluster)) {
                client.tally().awaitConfirms(CONFIRMS);
                for (String node : nodes) {
                    restart(cluster, client, node);
                }
                System.out.println(client.end());
            }
        }
    }

    private static void restart(LocalCluster cluster, OrderClient client, String node)
            throws IOException, InterruptedException {
        cluster.stop(node);
        client.tally().awaitConfirms(CONFIRMS);
        long startNs = System.nanoTime();
        cluster.start(node);
        MirrorStatus copies = cluster.awaitInSync(2);
        System.out.printf(
                "%s is back, and all copies are in sync %d ms after its start; master %s%n",
                node, (System.nanoTime() - startNs) / 1_000_000, copies.master());
    }
}
