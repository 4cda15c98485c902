package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.ConsumeOptions;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;
import java.util.concurrent.CountDownLatch;

/** A call and its answer: direct reply-to needs no queue for the answers, a correlation id tells whose they are. */
public final class Rpc {

    private Rpc() {}

    /** Where RabbitMQ and Warren send what is published to a caller. */
    private static final String REPLIES = "amq.rabbitmq.reply-to";

    public static void main(String[] arguments) throws InterruptedException {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            serve(connection.openChannel());
            Channel caller = connection.openChannel();
            CountDownLatch answered = new CountDownLatch(2);
            caller.consume(ConsumeOptions.of(REPLIES).autoAck(), delivery -> {
                System.out.println("fib(" + delivery.properties().correlationId() + ") = " + delivery.text());
                answered.countDown();
            });
            for (int n : new int[] {10, 30}) {
                Properties call = Properties.builder()
                        .replyTo(REPLIES)
                        .correlationId(Integer.toString(n))
                        .build();
                caller.publish("", "fibonacci", call, Integer.toString(n).getBytes(UTF_8));
            }
            answered.await();
        }
    }

    private static void serve(Channel channel) {
        channel.queueDeclare(QueueOptions.named("fibonacci"));
        channel.consume("fibonacci", delivery -> {
            long answer = fibonacci(Integer.parseInt(delivery.text()));
            Properties call = delivery.properties();
            Properties reply =
                    Properties.builder().correlationId(call.correlationId()).build();
            channel.publish("", call.replyTo(), reply, Long.toString(answer).getBytes(UTF_8));
            delivery.ack();
        });
    }

    private static long fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }
}
