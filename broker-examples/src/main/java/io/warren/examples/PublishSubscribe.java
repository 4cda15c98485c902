package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.ConsumeOptions;
import io.warren.core.ExchangeOptions;
import io.warren.core.QueueOptions;
import java.util.concurrent.CountDownLatch;

/** A fanout exchange gives a copy to every queue that is bound when the message is published. */
public final class PublishSubscribe {

    private PublishSubscribe() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            Channel publisher = connection.openChannel();
            publisher.exchangeDeclare(ExchangeOptions.fanout("news"));
            publisher.publish("news", "", "nobody hears this".getBytes(UTF_8));
            CountDownLatch radio = subscribe(connection, "radio");
            CountDownLatch paper = subscribe(connection, "paper");

            publisher.publish("news", "", "it rains".getBytes(UTF_8));

            radio.await();
            paper.await();
        }
    }

    private static CountDownLatch subscribe(Connection connection, String name) {
        Channel channel = connection.openChannel();
        String queue = channel.queueDeclare(QueueOptions.serverNamed()).name();
        channel.queueBind(queue, "news", "");
        CountDownLatch heard = new CountDownLatch(1);
        channel.consume(ConsumeOptions.of(queue).autoAck(), delivery -> {
            System.out.println(name + " hears: " + delivery.text());
            heard.countDown();
        });
        return heard;
    }
}
