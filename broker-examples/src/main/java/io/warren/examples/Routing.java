package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.ExchangeOptions;
import io.warren.core.QueueOptions;

/** A direct exchange sends each message to the queues that are bound with exactly its key. */
public final class Routing {

    private Routing() {}

    public static void main(String[] arguments) {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();
            channel.exchangeDeclare(ExchangeOptions.direct("levels"));
            channel.queueDeclare(QueueOptions.named("pager"));
            channel.queueDeclare(QueueOptions.named("disk"));
            channel.queueBind("pager", "levels", "error");
            channel.queueBind("disk", "levels", "error");
            channel.queueBind("disk", "levels", "info");

            channel.publish("levels", "info", "started".getBytes(UTF_8));
            channel.publish("levels", "error", "on fire".getBytes(UTF_8));
            channel.publish("levels", "debug", "nobody asked".getBytes(UTF_8));

            for (String queue : new String[] {"pager", "disk"}) {
                System.out.println(
                        queue + " has " + broker.vhost("/").queue(queue).ready());
            }
        }
    }
}
