package io.warren.test.contract;

import static io.warren.test.contract.ExchangeSpec.direct;
import static io.warren.test.contract.ExchangeSpec.fanout;
import static io.warren.test.contract.ExchangeSpec.topic;
import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

/** Bindings of queues and of exchanges, and the default exchange that has no others than its own. */
@Row("A3")
final class BindingContractTest {

    @Contract
    @Case("EE-01")
    void shouldDeliverOneCopyWhenSeveralBindingsMatch(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(topic("x"));
        channel.queueDeclare(queue("q"));
        channel.queueBind("q", "x", "a.*");
        channel.queueBind("q", "x", "a.*");
        channel.queueBind("q", "x", "#");
        channel.queueBind("q", "x", "a.*", Map.of("n", 1));

        channel.publish("x", "a.b", "1");

        assertThat(channel.drain("q")).containsExactly("1");
    }

    @Contract
    @Case("EE-01")
    void shouldRemoveBindingAtOnceWhenItWasMadeTwice(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x"));
        channel.queueDeclare(queue("q"));
        channel.queueBind("q", "x", "k");
        channel.queueBind("q", "x", "k");

        channel.queueUnbind("q", "x", "k");
        channel.publish("x", "k", "1");

        assertThat(channel.drain("q")).isEmpty();
    }

    @Contract
    void shouldTellBindingsApartWhenOnlyTheirArgumentsDiffer(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x"));
        channel.queueDeclare(queue("q"));
        channel.queueBind("q", "x", "k", Map.of("n", 1));
        channel.queueBind("q", "x", "k", Map.of("n", 2));

        channel.queueUnbind("q", "x", "k", Map.of("n", 1));
        channel.publish("x", "k", "1");

        assertThat(channel.drain("q")).containsExactly("1");
    }

    @Contract
    @Case("EE-01")
    void shouldDeliverOneCopyWhenExchangesFormDiamond(Deployment broker) {
        var channel = broker.channel();
        for (String name : new String[] {"top", "left", "right", "bottom"}) {
            channel.exchangeDeclare(fanout(name));
        }
        channel.queueDeclare(queue("q"));
        channel.exchangeBind("left", "top", "");
        channel.exchangeBind("right", "top", "");
        channel.exchangeBind("bottom", "left", "");
        channel.exchangeBind("bottom", "right", "");
        channel.queueBind("q", "bottom", "");
        channel.queueBind("q", "left", "");

        channel.publish("top", "", "1");

        assertThat(channel.drain("q")).containsExactly("1");
    }

    @Contract
    @Case("EE-01")
    void shouldDeliverOneCopyWhenExchangesFormCycle(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(fanout("x"));
        channel.exchangeDeclare(fanout("y"));
        channel.queueDeclare(queue("of-x"));
        channel.queueDeclare(queue("of-y"));
        channel.exchangeBind("y", "x", "");
        channel.exchangeBind("x", "y", "");
        channel.exchangeBind("x", "x", "");
        channel.queueBind("of-x", "x", "");
        channel.queueBind("of-y", "y", "");

        channel.publish("x", "", "1");

        assertThat(channel.drain("of-x")).containsExactly("1");
        assertThat(channel.drain("of-y")).containsExactly("1");
    }

    @Contract
    void shouldMatchByEachExchangesTypeWhenTheyAreBound(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(topic("front"));
        channel.exchangeDeclare(direct("back"));
        channel.queueDeclare(queue("q"));
        channel.exchangeBind("back", "front", "a.#");
        channel.queueBind("q", "back", "a.b");

        channel.publish("front", "a.b", "1");
        channel.publish("front", "a.c", "2");
        channel.publish("front", "b", "3");

        Delivery delivery = channel.get("q");
        assertThat(delivery.text()).isEqualTo("1");
        assertThat(delivery.exchange()).isEqualTo("front");
        assertThat(delivery.routingKey()).isEqualTo("a.b");
        assertThat(channel.drain("q")).isEmpty();
    }

    @Contract
    void shouldRouteNothingWhenExchangeWasUnbound(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("front"));
        channel.exchangeDeclare(direct("back"));
        channel.queueDeclare(queue("q"));
        channel.exchangeBind("back", "front", "k");
        channel.queueBind("q", "back", "k");

        channel.exchangeUnbind("back", "front", "k");
        channel.publish("front", "k", "1");

        assertThat(channel.drain("q")).isEmpty();
    }

    @Contract
    void shouldForgetBindingWhenDestinationExchangeIsDeleted(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("front"));
        channel.exchangeDeclare(direct("back"));
        channel.queueDeclare(queue("q"));
        channel.exchangeBind("back", "front", "k");

        channel.exchangeDelete("back");
        channel.exchangeDeclare(direct("back"));
        channel.queueBind("q", "back", "k");
        channel.publish("front", "k", "1");

        assertThat(channel.drain("q")).isEmpty();
    }

    @Contract
    @Case("RD-03")
    void shouldAnswerOkWhenBindingToRemoveIsMissing(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x"));
        channel.exchangeDeclare(direct("y"));
        channel.queueDeclare(queue("q"));

        channel.queueUnbind("q", "x", "nope");
        channel.exchangeUnbind("y", "x", "nope");

        assertThat(channel.isOpen()).isTrue();
    }

    @Contract
    @Case("RD-03")
    void shouldRefuseBindingWhenOneEndIsMissing(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x"));
        channel.queueDeclare(queue("q"));

        Closure queueMissing = broker.channel().refused(it -> it.queueBind("nope", "x", "k"));
        Closure sourceMissing = broker.channel().refused(it -> it.queueBind("q", "nope", "k"));
        Closure destinationMissing = broker.channel().refused(it -> it.exchangeBind("nope", "x", "k"));

        assertThat(queueMissing)
                .isEqualTo(Closure.channel(404, "NOT_FOUND - no queue 'nope' in vhost '" + broker.vhost() + "'"));
        assertThat(sourceMissing)
                .isEqualTo(Closure.channel(404, "NOT_FOUND - no exchange 'nope' in vhost '" + broker.vhost() + "'"));
        assertThat(destinationMissing)
                .isEqualTo(Closure.channel(404, "NOT_FOUND - no exchange 'nope' in vhost '" + broker.vhost() + "'"));
    }

    @Contract
    void shouldBindLastDeclaredQueueWhenNameIsEmpty(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x"));
        String name = channel.queueDeclare(QueueSpec.serverNamed()).name();

        channel.queueBind("", "x", "k");
        channel.publish("x", "k", "1");

        assertThat(channel.drain(name)).containsExactly("1");
    }

    @Contract
    @Case("DE-01")
    @Row("A2")
    void shouldReachQueueByItsNameWhenPublishedToDefaultExchange(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));

        channel.publish("", "q", "1");

        Delivery delivery = channel.get("q");
        assertThat(delivery.text()).isEqualTo("1");
        assertThat(delivery.exchange()).isEmpty();
        assertThat(delivery.routingKey()).isEqualTo("q");
    }

    @Contract
    @Case("DE-01")
    @Row("A2")
    void shouldTreatMessageAsUnroutableWhenDefaultExchangeHasNoSuchQueue(Deployment broker) {
        var channel = broker.channel();
        channel.confirmSelect();

        channel.publishMandatory("", "nope", "1");

        assertThat(channel.publisherEvents().awaitConfirms())
                .containsExactly(PublisherEvent.noRoute("", "nope", "1"), PublisherEvent.ack(1));
        assertThat(channel.isOpen()).isTrue();
    }

    @Contract
    @Case("DE-01")
    @Row("A2")
    void shouldRefuseAnyChangeWhenExchangeIsDefault(Deployment broker) {
        broker.channel().queueDeclare(queue("q"));
        broker.channel().exchangeDeclare(direct("x"));
        var refusal = Closure.channel(403, "ACCESS_REFUSED - operation not permitted on the default exchange");

        assertThat(broker.channel().refused(it -> it.queueBind("q", "", "k"))).isEqualTo(refusal);
        assertThat(broker.channel().refused(it -> it.queueUnbind("q", "", "q"))).isEqualTo(refusal);
        assertThat(broker.channel().refused(it -> it.exchangeBind("x", "", "k")))
                .isEqualTo(refusal);
        assertThat(broker.channel().refused(it -> it.exchangeBind("", "x", "k")))
                .isEqualTo(refusal);
        assertThat(broker.channel().refused(it -> it.exchangeUnbind("x", "", "k")))
                .isEqualTo(refusal);
        assertThat(broker.channel().refused(it -> it.exchangeDelete(""))).isEqualTo(refusal);
        assertThat(broker.channel().refused(it -> it.exchangeDeclare(direct("").durable())))
                .isEqualTo(refusal);
    }

    @Contract
    void shouldTellBindingsApartWhenTypesOfTheirArgumentsDiffer(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x"));
        channel.queueDeclare(queue("q"));
        channel.queueBind("q", "x", "k", Map.of("n", 1));

        channel.queueUnbind("q", "x", "k", Map.of("n", 1L));
        channel.publish("x", "k", "1");

        assertThat(channel.drain("q")).containsExactly("1");
    }

    @Contract
    @Case("HD-01")
    void shouldMatchByArgumentsWhenExchangeIsBoundToHeadersExchange(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(ExchangeSpec.headers("front"));
        channel.exchangeDeclare(fanout("back"));
        channel.queueDeclare(queue("q"));
        channel.exchangeBind("back", "front", "", Map.of("kind", "news"));
        channel.queueBind("q", "back", "");

        channel.publish("front", "", MessageProperties.none().header("kind", "news"), "1");
        channel.publish("front", "", MessageProperties.none().header("kind", "ads"), "2");

        assertThat(channel.drain("q")).containsExactly("1");
    }
}
