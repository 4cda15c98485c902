package io.warren.test.contract;

import static io.warren.test.contract.ExchangeSpec.direct;
import static io.warren.test.contract.ExchangeSpec.topic;
import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Further routing keys that the sender puts into the headers CC and BCC. */
@Row("A13")
final class SenderSelectedContractTest {

    private static ClientChannel withQueues(Deployment broker, String... names) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x"));
        for (String name : names) {
            channel.queueDeclare(queue(name));
            channel.queueBind(name, "x", name);
        }
        return channel;
    }

    @Contract
    void shouldRouteByFurtherKeysWhenHeadersNameThem(Deployment broker) {
        var channel = withQueues(broker, "a", "b", "c", "d");
        var properties = MessageProperties.none().header("CC", List.of("b")).header("BCC", List.of("c"));

        channel.publish("x", "a", properties, "1");

        for (String name : new String[] {"a", "b", "c"}) {
            Delivery delivery = channel.get(name);
            assertThat(delivery.routingKey()).isEqualTo("a");
            assertThat(delivery.properties().headers()).containsOnlyKeys("CC");
        }
        assertThat(channel.drain("d")).isEmpty();
    }

    @Contract
    void shouldRouteThroughDefaultExchangeWhenHeadersNameQueues(Deployment broker) {
        var channel = withQueues(broker, "a", "b");

        channel.publish("", "nowhere", MessageProperties.none().header("CC", List.of("a", "b")), "1");

        assertThat(channel.drain("a")).containsExactly("1");
        assertThat(channel.drain("b")).containsExactly("1");
    }

    @Contract
    void shouldDeliverOneCopyWhenSeveralKeysMatch(Deployment broker) {
        var channel = withQueues(broker, "a");
        channel.exchangeDeclare(topic("t"));
        channel.queueBind("a", "t", "#");

        channel.publish("t", "k", MessageProperties.none().header("CC", List.of("k", "l")), "1");

        assertThat(channel.drain("a")).containsExactly("1");
    }

    @Contract
    @Row("A11")
    void shouldNotReturnWhenFurtherKeyIsRoutable(Deployment broker) {
        var channel = withQueues(broker, "a");
        channel.confirmSelect();

        channel.publish("x", "nowhere", true, MessageProperties.none().header("CC", List.of("a")), new byte[0]);

        assertThat(channel.publisherEvents().awaitConfirms()).containsExactly(PublisherEvent.ack(1));
    }

    @Contract
    @Row("A6")
    void shouldCloseChannelWhenHeaderIsNoArray(Deployment broker) {
        Closure cc = broker.channel()
                .refused(it ->
                        it.publish("amq.direct", "k", MessageProperties.none().header("CC", "b"), "1"));
        Closure bcc = broker.channel()
                .refused(it ->
                        it.publish("amq.direct", "k", MessageProperties.none().header("BCC", 5), "1"));

        assertThat(cc)
                .isEqualTo(Closure.channel(
                        406, "PRECONDITION_FAILED - invalid message: {unacceptable_type_in_header,\"CC\",longstr}"));
        assertThat(bcc)
                .isEqualTo(Closure.channel(
                        406, "PRECONDITION_FAILED - invalid message: {unacceptable_type_in_header,\"BCC\",signedint}"));
    }
}
