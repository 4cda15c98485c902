package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;
import java.util.concurrent.CountDownLatch;

/** A mandatory message that no queue takes comes back, before its confirm. */
public final class Returns {

    private Returns() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();
            channel.queueDeclare(QueueOptions.named("orders"));
            channel.confirmSelect();
            CountDownLatch confirmed = new CountDownLatch(2);
            channel.onReturn(returned -> System.out.println("returned: " + new String(returned.body(), UTF_8) + ", "
                    + returned.replyCode() + " " + returned.replyText()));
            channel.onConfirm((sequence, isConfirmed) -> {
                System.out.println("confirmed: publish " + sequence);
                confirmed.countDown();
            });

            channel.publish("", "orders", true, Properties.NONE, "one book".getBytes(UTF_8));
            channel.publish("", "no such queue", true, Properties.NONE, "one map".getBytes(UTF_8));

            confirmed.await();
        }
    }
}
