package io.warren.benchmarks;

import com.github.fridujo.rabbitmq.mock.MockConnectionFactory;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import java.io.IOException;

/** rabbitmq-mock, behind the interfaces of RabbitMQ's Java client. */
final class MockPipe implements Pipe {

    private static final String EXCHANGE = "load";

    private final Connection connection;
    private final Channel publisher;
    private final Setup setup;
    private final String exchange;

    private MockPipe(Setup setup, Listener listener) throws IOException {
        if (setup.acknowledged()) {
            throw new IllegalArgumentException("setup=" + setup + " asks for confirms, which mean nothing here");
        }
        this.setup = setup;
        this.exchange = setup.exchange() == Exchange.DEFAULT ? "" : EXCHANGE;
        this.connection = new MockConnectionFactory().newConnection();
        this.publisher = connection.createChannel();
        declare();
        for (int queue = 0; setup.consumed() && queue < setup.queues(); queue++) {
            consume(connection.createChannel(), queue, listener);
        }
    }

    static Factory factory() {
        return MockPipe::new;
    }

    private static String nameOf(int queue) {
        return "load-" + queue;
    }

    private void declare() throws IOException {
        if (setup.exchange() != Exchange.DEFAULT) {
            publisher.exchangeDeclare(EXCHANGE, setup.exchange() == Exchange.FANOUT ? "fanout" : "topic");
        }
        for (int queue = 0; queue < setup.queues(); queue++) {
            publisher.queueDeclare(nameOf(queue), false, false, false, null);
            if (setup.exchange() == Exchange.FANOUT) {
                publisher.queueBind(nameOf(queue), EXCHANGE, "");
            }
        }
    }

    private static void consume(Channel channel, int queue, Listener listener) throws IOException {
        channel.basicConsume(nameOf(queue), true, new DefaultConsumer(channel) {
            @Override
            public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
                listener.onDelivered(queue, body.length);
            }
        });
    }

    @Override
    public void publish(String routingKey, byte[] body) throws IOException {
        String key = setup.exchange() == Exchange.DEFAULT ? nameOf(0) : routingKey;
        // The mock keeps the array it is given: the copy is made here, as the others make theirs.
        publisher.basicPublish(exchange, key, null, body.clone());
    }

    @Override
    public void bind(int queue, String pattern) throws IOException {
        publisher.queueBind(nameOf(queue), EXCHANGE, pattern);
    }

    @Override
    public long depth() throws IOException {
        return publisher.messageCount(nameOf(0));
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
