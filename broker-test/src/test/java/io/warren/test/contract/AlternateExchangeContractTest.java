package io.warren.test.contract;

import static io.warren.test.contract.ExchangeSpec.direct;
import static io.warren.test.contract.ExchangeSpec.fanout;
import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

/** What becomes of a message that its exchange cannot route. */
@Row("A4")
@Case("AE-01")
final class AlternateExchangeContractTest {

    @Contract
    void shouldRouteByTheSameKeyWhenMessageGoesToAlternate(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("alternate"));
        channel.exchangeDeclare(direct("x").alternate("alternate"));
        channel.queueDeclare(queue("main"));
        channel.queueDeclare(queue("spare"));
        channel.queueBind("main", "x", "known");
        channel.queueBind("spare", "alternate", "unknown");

        channel.publish("x", "known", "1");
        channel.publish("x", "unknown", "2");
        channel.publish("x", "nowhere", "3");

        assertThat(channel.drain("main")).containsExactly("1");
        Delivery spare = channel.get("spare");
        assertThat(spare.text()).isEqualTo("2");
        assertThat(spare.exchange()).isEqualTo("x");
        assertThat(spare.routingKey()).isEqualTo("unknown");
        assertThat(channel.drain("spare")).isEmpty();
    }

    @Contract
    @Row("A11")
    void shouldNotReturnMandatoryMessageWhenAlternateRoutesIt(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(fanout("alternate"));
        channel.exchangeDeclare(direct("x").alternate("alternate"));
        channel.queueDeclare(queue("spare"));
        channel.queueBind("spare", "alternate", "");
        channel.confirmSelect();

        channel.publishMandatory("x", "k", "1");

        assertThat(channel.publisherEvents().awaitConfirms()).containsExactly(PublisherEvent.ack(1));
        assertThat(channel.drain("spare")).containsExactly("1");
    }

    @Contract
    @Row("A11")
    void shouldReturnMandatoryMessageWhenAlternateRoutesItNeither(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("alternate"));
        channel.exchangeDeclare(direct("x").alternate("alternate"));
        channel.confirmSelect();

        channel.publishMandatory("x", "k", "1");

        assertThat(channel.publisherEvents().awaitConfirms())
                .containsExactly(PublisherEvent.noRoute("x", "k", "1"), PublisherEvent.ack(1));
    }

    @Contract
    void shouldDropMessageWhenAlternateDoesNotExist(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x").alternate("later"));
        channel.queueDeclare(queue("spare"));

        channel.publish("x", "k", "1");
        channel.exchangeDeclare(fanout("later"));
        channel.queueBind("spare", "later", "");
        channel.publish("x", "k", "2");

        assertThat(channel.drain("spare")).containsExactly("2");
    }

    @Contract
    void shouldPassAlongChainWhenAlternatesHaveAlternates(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(fanout("third"));
        channel.exchangeDeclare(direct("second").alternate("third"));
        channel.exchangeDeclare(direct("first").alternate("second"));
        channel.queueDeclare(queue("q"));
        channel.queueBind("q", "third", "");

        channel.publish("first", "k", "1");

        assertThat(channel.drain("q")).containsExactly("1");
    }

    @Contract
    void shouldEndWhenAlternatesFormCycle(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x").alternate("y"));
        channel.exchangeDeclare(direct("y").alternate("x"));
        channel.confirmSelect();

        channel.publishMandatory("x", "k", "1");

        assertThat(channel.publisherEvents().awaitConfirms())
                .containsExactly(PublisherEvent.noRoute("x", "k", "1"), PublisherEvent.ack(1));
    }

    @Contract
    @Row("A3")
    void shouldUseAlternateOfBoundExchangeWhenThatOneCannotRoute(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(fanout("alternate"));
        channel.exchangeDeclare(direct("back").alternate("alternate"));
        channel.exchangeDeclare(fanout("front"));
        channel.queueDeclare(queue("spare"));
        channel.queueDeclare(queue("main"));
        channel.exchangeBind("back", "front", "");
        channel.queueBind("main", "front", "");
        channel.queueBind("spare", "alternate", "");

        channel.publish("front", "k", "1");

        assertThat(channel.drain("main")).containsExactly("1");
        assertThat(channel.drain("spare")).containsExactly("1");
    }
}
