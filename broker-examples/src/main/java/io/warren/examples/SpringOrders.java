package io.warren.examples;

import io.warren.amqp.memory.MemoryConnectionFactory;
import io.warren.core.Broker;
import io.warren.examples.spring.SpringConfiguration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.amqp.core.ReturnedMessage;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Spring AMQP through memory: what becomes of a publish, and a listener whose failures end in a dead-letter queue. */
public final class SpringOrders {

    private final CountDownLatch handled = new CountDownLatch(2);

    public static void main(String[] arguments) throws Exception {
        try (Broker broker = Broker.start();
                AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            MemoryConnectionFactory client = new MemoryConnectionFactory(broker);
            // Spring recovers connections in its own way.
            client.setAutomaticRecoveryEnabled(false);
            context.registerBean(MemoryConnectionFactory.class, () -> client);
            context.register(SpringConfiguration.class, SpringOrders.class);
            context.refresh();
            RabbitTemplate template = context.getBean(RabbitTemplate.class);

            publish(template, "nowhere", "orders", "no exchange");
            publish(template, "shop", "nobody", "no queue");
            publish(template, "shop", "orders", "two books");
            publish(template, "shop", "orders", "minus one book");
            context.getBean(SpringOrders.class).handled.await();
        }
    }

    /** Correlated: the answer to this very message, and the message itself if it came back. */
    private static void publish(RabbitTemplate template, String exchange, String key, String order) throws Exception {
        CorrelationData correlation = new CorrelationData(order);
        template.convertAndSend(exchange, key, order, correlation);
        CorrelationData.Confirm confirm = correlation.getFuture().get(10, TimeUnit.SECONDS);
        ReturnedMessage returned = correlation.getReturned();
        // What Spring gives as reason depends on how fast the channel that was refused is noticed to be closed.
        System.out.println(order + ": " + (confirm.ack() ? "confirmed" : "refused")
                + (returned == null ? "" : ", but returned: " + returned.getReplyText()));
    }

    @RabbitListener(queues = "orders")
    void onOrder(String order) {
        if (order.startsWith("minus")) {
            System.out.println("  cannot deliver " + order);
            throw new IllegalArgumentException("cannot deliver " + order);
        }
        System.out.println("  delivered " + order);
        handled.countDown();
    }

    @RabbitListener(queues = "orders.dead")
    void onDeadOrder(String order) {
        System.out.println("  given up: " + order);
        handled.countDown();
    }
}
