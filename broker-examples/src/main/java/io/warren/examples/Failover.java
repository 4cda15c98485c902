package io.warren.examples;

import io.warren.core.Connection;
import io.warren.core.QueueOptions;
import io.warren.examples.cluster.LocalCluster;
import io.warren.examples.cluster.OrderClient;
import io.warren.mirroring.metadata.MirrorStatus;
import java.io.IOException;
import java.util.Map;

/** Three nodes with a mirrored queue; the master is killed while a client streams, and nothing confirmed is missing. */
public final class Failover {
    private static final int CONFIRMS = 1_000;

    private Failover() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (LocalCluster cluster = new LocalCluster("a", "b", "c")) {
            cluster.mirror(Map.of("ha-mode", "all", "ha-sync-mode", "automatic"));
            try (Connection connection = cluster.node("a").broker().connect()) {
                connection.openChannel().queueDeclare(QueueOptions.durable(OrderClient.QUEUE));
            }
            print(cluster.awaitInSync(2));
            try (OrderClient client = new OrderClient(cluster)) {
                client.tally().awaitConfirms(CONFIRMS);
                System.out.println("a is killed, while a client of c publishes");
                cluster.kill("a");
                client.tally().awaitConfirms(CONFIRMS);
                print(cluster.awaitInSync(1));
                System.out.println(client.end());
            }
        }
    }

    private static void print(MirrorStatus copies) {
        System.out.println("master " + copies.master() + ", in sync " + String.join(" ", copies.inSync()));
    }
}
