package io.warren.test.contract;

import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

/** What an error of a channel, or of a connection, takes with it. */
@Row("A6")
final class ChannelContractTest {

    @Contract
    void shouldKeepOtherChannelsWhenOneIsClosedByAnError(Deployment broker) {
        var client = broker.connect();
        var failing = client.openChannel();
        var other = client.openChannel();
        other.queueDeclare(queue("q").exclusive());
        var consumer = other.consume(ConsumeSpec.from("q").noAck());

        Closure closure = failing.refused(it -> it.queueDeclarePassive("nope"));
        other.publish("", "q", "1");

        assertThat(closure.scope()).isEqualTo(Closure.Scope.CHANNEL);
        assertThat(consumer.next().text()).isEqualTo("1");
        assertThat(client.isOpen()).isTrue();
    }

    @Contract
    void shouldCloseEveryChannelWhenErrorIsOfConnection(Deployment broker) {
        var client = broker.connect();
        var failing = client.openChannel();
        var other = client.openChannel();

        Closure closure = failing.refused(it -> it.exchangeDeclare(ExchangeSpec.exchange("x", "zz")));

        assertThat(closure.scope()).isEqualTo(Closure.Scope.CONNECTION);
        assertThat(other.awaitClosed()).isEqualTo(closure);
        assertThat(client.awaitClosed()).isEqualTo(closure);
        assertThat(other.isOpen()).isFalse();
    }

    @Contract
    void shouldLeaveOtherConnectionsAloneWhenOneIsClosedByAnError(Deployment broker) {
        var other = broker.channel();

        broker.connect().openChannel().refused(it -> it.recover(false));
        other.queueDeclare(queue("q"));

        assertThat(other.isOpen()).isTrue();
    }

    @Contract
    void shouldStopConsumersWhenChannelCloses(Deployment broker) {
        var channel = broker.channel();
        var other = broker.channel();
        channel.queueDeclare(queue("q"));
        var consumer = channel.consume("q");

        channel.close();
        broker.send("q", "1");

        assertThat(other.queueDeclarePassive("q")).isEqualTo(new QueueStatus("q", 1, 0));
        assertThat(consumer.pending()).isEmpty();
        assertThat(consumer.isCancelled()).isFalse();
    }

    @Contract
    void shouldNumberDeliveriesAnewWhenChannelIsNew(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        broker.send("q", "1", "2");
        channel.get("q");
        channel.close();

        Delivery delivery = broker.channel().get("q");

        assertThat(delivery.tag()).isEqualTo(1);
    }

    @Contract
    void shouldStopConsumersWhenConnectionCloses(Deployment broker) {
        broker.channel().queueDeclare(queue("q"));
        var client = broker.connect();
        client.openChannel().consume("q");
        client.openChannel().consume("q");

        client.close();

        assertThat(broker.channel().queueDeclarePassive("q").consumers()).isZero();
        assertThat(client.isOpen()).isFalse();
    }

    @Contract
    void shouldDoNothingWhenClosedAgain(Deployment broker) {
        var client = broker.connect();
        var channel = client.openChannel();

        channel.close();
        channel.close();
        client.close();
        client.close();

        assertThat(channel.isOpen()).isFalse();
        assertThat(client.isOpen()).isFalse();
    }
}
