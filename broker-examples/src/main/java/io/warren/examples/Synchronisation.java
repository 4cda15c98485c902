package io.warren.examples;

import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;
import io.warren.examples.cluster.LocalCluster;
import io.warren.mirroring.metadata.MirrorStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** A copy that comes later is given a backlog because somebody asks for it, and publishers go on meanwhile. */
public final class Synchronisation {
    private static final int BACKLOG = 20_000;
    private static final int MEANWHILE = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();

    private Synchronisation() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (LocalCluster cluster = new LocalCluster("a", "b")) {
            cluster.mirror(Map.of("ha-mode", "all", "ha-sync-mode", "manual"));
            try (Connection connection = cluster.node("a").broker().connect()) {
                Channel channel = connection.openChannel();
                channel.queueDeclare(QueueOptions.durable("orders"));
                channel.confirmSelect();
                print(BACKLOG + " orders confirmed", cluster.awaitInSync(1), publish(channel, BACKLOG));
                cluster.start("c");
                print("c joins", cluster.await(copies -> copies.slaves().contains("c")), true);

                cluster.node("a").synchronise("/", "orders");
                System.out.println("synchronise: c is given what it lacks");
                boolean isConfirmed = publish(channel, MEANWHILE);
                print(MEANWHILE + " orders more confirmed", cluster.awaitInSync(2), isConfirmed);
                moveToLast(cluster);
            }
        }
    }

    private static boolean publish(Channel channel, int count) {
        for (int i = 0; i < count; i++) {
            channel.publish("", "orders", PERSISTENT, new byte[100]);
        }
        return channel.waitForConfirms(PATIENCE);
    }

    private static void print(String what, MirrorStatus copies, boolean isConfirmed) {
        System.out.println((isConfirmed ? "" : "NOT ") + what + ": master " + copies.master() + ", slaves "
                + String.join(" ", copies.slaves()) + ", in sync " + String.join(" ", copies.inSync()));
    }

    private static void moveToLast(LocalCluster cluster) throws InterruptedException {
        cluster.node("a").moveMaster("/", "orders", "c");
        cluster.await(copies -> "c".equals(copies.master()));
        try (Connection connection = cluster.node("c").broker().connect()) {
            System.out.println("moved to c, which has "
                    + connection.openChannel().queueDeclarePassive("orders").messageCount());
        }
    }
}
