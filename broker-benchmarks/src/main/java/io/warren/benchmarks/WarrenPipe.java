package io.warren.benchmarks;

import io.warren.core.Broker;
import io.warren.core.BrokerBuilder;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.ConsumeOptions;
import io.warren.core.Delivery;
import io.warren.core.ExchangeOptions;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;
import java.util.function.UnaryOperator;

/** Warren through its own API: publisher and consumers on a connection and channels of their own. */
final class WarrenPipe implements Pipe {

    private static final String EXCHANGE = "load";

    /** On which threads callbacks run. */
    enum Callbacks {
        /** The broker's own threads: what a user gets who says nothing. */
        DEFAULT,
        /** The thread that drains the mailbox: no hand-over. */
        DRAIN_THREAD
    }

    private final Broker broker;
    private final Channel publisher;
    private final Setup setup;
    private final String exchange;

    private WarrenPipe(Broker broker, Callbacks callbacks, Setup setup, Listener listener) {
        this.broker = broker;
        this.setup = setup;
        this.exchange = setup.exchange() == Exchange.DEFAULT ? "" : EXCHANGE;
        this.publisher = open(broker.connect(), callbacks);
        declare();
        if (setup.acknowledged()) {
            publisher.confirmSelect();
            publisher.onConfirm((sequence, confirmed) -> listener.onConfirmed());
        }
        Connection consumers = broker.connect();
        for (int queue = 0; setup.consumed() && queue < setup.queues(); queue++) {
            consume(open(consumers, callbacks), queue, listener);
        }
    }

    static Factory with(Callbacks callbacks, UnaryOperator<BrokerBuilder> settings) {
        return (setup, listener) ->
                new WarrenPipe(settings.apply(Broker.builder()).start(), callbacks, setup, listener);
    }

    static Factory with(Callbacks callbacks) {
        return with(callbacks, UnaryOperator.identity());
    }

    private static Channel open(Connection connection, Callbacks callbacks) {
        return switch (callbacks) {
            case DEFAULT -> connection.openChannel();
            case DRAIN_THREAD -> connection.openChannel(Runnable::run);
        };
    }

    private static String nameOf(int queue) {
        return "load-" + queue;
    }

    private void declare() {
        switch (setup.exchange()) {
            case DEFAULT -> {}
            case FANOUT -> publisher.exchangeDeclare(ExchangeOptions.fanout(EXCHANGE));
            case TOPIC -> publisher.exchangeDeclare(ExchangeOptions.topic(EXCHANGE));
        }
        for (int queue = 0; queue < setup.queues(); queue++) {
            publisher.queueDeclare(QueueOptions.named(nameOf(queue)));
            if (setup.exchange() == Exchange.FANOUT) {
                publisher.queueBind(nameOf(queue), EXCHANGE, "");
            }
        }
    }

    private void consume(Channel channel, int queue, Listener listener) {
        if (setup.acknowledged()) {
            channel.qos(Setup.PREFETCH);
            channel.consume(ConsumeOptions.of(nameOf(queue)), delivery -> {
                delivery.ack();
                deliver(queue, delivery, listener);
            });
        } else {
            channel.consume(ConsumeOptions.of(nameOf(queue)).autoAck(), delivery -> deliver(queue, delivery, listener));
        }
    }

    private static void deliver(int queue, Delivery delivery, Listener listener) {
        listener.onDelivered(queue, delivery.bodyBuffer().remaining());
    }

    @Override
    public void publish(String routingKey, byte[] body) {
        String key = setup.exchange() == Exchange.DEFAULT ? nameOf(0) : routingKey;
        publisher.publish(exchange, key, Properties.NONE, body);
    }

    @Override
    public void bind(int queue, String pattern) {
        publisher.queueBind(nameOf(queue), EXCHANGE, pattern);
    }

    @Override
    public long depth() {
        return broker.vhost("/").queue(nameOf(0)).ready();
    }

    @Override
    public void close() {
        broker.close();
    }
}
