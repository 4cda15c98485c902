package io.warren.test.contract;

import static io.warren.test.contract.ExchangeSpec.direct;
import static io.warren.test.contract.ExchangeSpec.exchange;
import static io.warren.test.contract.ExchangeSpec.fanout;
import static io.warren.test.contract.ExchangeSpec.topic;
import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Map;

/** How exchanges come, go and route by their type. */
@Row("A2")
final class ExchangeContractTest {

    @Contract
    void shouldRouteByEqualKeyWhenExchangeIsDirect(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x"));
        channel.queueDeclare(queue("red"));
        channel.queueDeclare(queue("blue"));
        channel.queueBind("red", "x", "red");
        channel.queueBind("blue", "x", "blue");
        channel.queueBind("blue", "x", "red");

        channel.publish("x", "red", "1");
        channel.publish("x", "blue", "2");
        channel.publish("x", "re", "3");

        assertThat(channel.drain("red")).containsExactly("1");
        assertThat(channel.drain("blue")).containsExactly("1", "2");
    }

    @Contract
    void shouldIgnoreKeyWhenExchangeIsFanout(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(fanout("x"));
        channel.queueDeclare(queue("a"));
        channel.queueDeclare(queue("b"));
        channel.queueBind("a", "x", "k");
        channel.queueBind("b", "x", "");

        channel.publish("x", "other", "1");

        assertThat(channel.drain("a")).containsExactly("1");
        assertThat(channel.drain("b")).containsExactly("1");
    }

    @Contract
    void shouldOfferStandardExchangesWhenVhostIsNew(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        for (String name : new String[] {"amq.direct", "amq.fanout", "amq.topic", "amq.headers", "amq.match"}) {
            channel.queueBind("q", name, "k");

            channel.publish(name, "k", name);

            assertThat(channel.drain("q")).as(name).containsExactly(name);
        }
        assertThatCode(() -> channel.exchangeDeclarePassive("amq.rabbitmq.trace"))
                .doesNotThrowAnyException();
    }

    @Contract
    void shouldMatchByTypeWhenExchangeIsStandardTopic(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        channel.queueBind("q", "amq.topic", "a.*");
        channel.queueBind("q", "amq.direct", "a.*");

        channel.publish("amq.topic", "a.b", "topic");
        channel.publish("amq.direct", "a.b", "direct");

        assertThat(channel.drain("q")).containsExactly("topic");
    }

    @Contract
    void shouldAcceptDeclarationOfStandardExchangeWhenItIsEquivalent(Deployment broker) {
        var channel = broker.channel();

        channel.exchangeDeclare(direct("amq.direct").durable());

        assertThat(channel.isOpen()).isTrue();
    }

    @Contract
    void shouldProtectStandardExchangeWhenDeletionIsAsked(Deployment broker) {
        var channel = broker.channel();

        Closure refusal = channel.refused(it -> it.exchangeDelete("amq.topic"));

        assertThat(refusal)
                .isEqualTo(Closure.channel(
                        403,
                        "ACCESS_REFUSED - deletion of system exchange 'amq.topic' in vhost '" + broker.vhost()
                                + "' not allowed"));
    }

    @Contract
    void shouldKeepExchangeWhenDeclaredAgainAlike(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(topic("x").durable().autoDelete().argument("x-own", "v"));
        channel.queueDeclare(queue("q"));
        channel.queueBind("q", "x", "#");

        channel.exchangeDeclare(topic("x").durable().autoDelete().argument("x-own", "v"));

        channel.publish("x", "k", "1");
        assertThat(channel.drain("q")).containsExactly("1");
    }

    @Contract
    void shouldRefuseDeclarationWhenFlagDiffers(Deployment broker) {
        broker.channel().exchangeDeclare(direct("x"));

        Closure durable =
                broker.channel().refused(it -> it.exchangeDeclare(direct("x").durable()));
        Closure autoDelete =
                broker.channel().refused(it -> it.exchangeDeclare(direct("x").autoDelete()));
        Closure internal =
                broker.channel().refused(it -> it.exchangeDeclare(direct("x").internal()));

        assertThat(durable).isEqualTo(inequivalent(broker, "durable", "received 'true' but current is 'false'"));
        assertThat(autoDelete).isEqualTo(inequivalent(broker, "auto_delete", "received 'true' but current is 'false'"));
        assertThat(internal).isEqualTo(inequivalent(broker, "internal", "received 'true' but current is 'false'"));
    }

    @Contract
    void shouldRefuseDeclarationWhenAlternateExchangeDiffers(Deployment broker) {
        broker.channel().exchangeDeclare(direct("x").alternate("one"));

        Closure other =
                broker.channel().refused(it -> it.exchangeDeclare(direct("x").alternate("two")));
        Closure none = broker.channel().refused(it -> it.exchangeDeclare(direct("x")));

        assertThat(other).isEqualTo(inequivalent(broker, "alternate-exchange", "received 'two' but current is 'one'"));
        assertThat(none)
                .isEqualTo(inequivalent(
                        broker,
                        "alternate-exchange",
                        "received none but current is the value 'one' of type 'longstr'"));
    }

    private static Closure inequivalent(Deployment broker, String argument, String difference) {
        return Closure.channel(
                406,
                "PRECONDITION_FAILED - inequivalent arg '" + argument + "' for exchange 'x' in vhost '" + broker.vhost()
                        + "': " + difference);
    }

    @Contract
    void shouldIgnoreUnknownArgumentWhenExchangeIsDeclaredAgain(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x").argument("x-own", 1));

        channel.exchangeDeclare(direct("x").argument("x-own", 2));

        assertThat(channel.isOpen()).isTrue();
    }

    @Contract
    void shouldForgetBindingsWhenExchangeIsDeletedAndDeclaredAgain(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x"));
        channel.queueDeclare(queue("q"));
        channel.queueBind("q", "x", "k");

        channel.exchangeDelete("x");
        channel.exchangeDeclare(direct("x"));
        channel.publish("x", "k", "1");

        assertThat(channel.drain("q")).isEmpty();
    }

    @Contract
    void shouldRefuseDeletionIfUnusedWhenExchangeIsSource(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x"));
        channel.exchangeDeclare(direct("to"));
        channel.exchangeBind("to", "x", "k");

        Closure refusal = channel.refused(it -> it.exchangeDelete("x", true));
        var again = broker.channel();
        again.exchangeDelete("to", true);
        again.exchangeDelete("x", true);

        assertThat(refusal)
                .isEqualTo(Closure.channel(
                        406, "PRECONDITION_FAILED - exchange 'x' in vhost '" + broker.vhost() + "' in use"));
        assertThat(again.isOpen()).isTrue();
    }

    @Contract
    @Case("EX-03")
    void shouldDeleteAutoDeleteExchangeWhenLastBindingFromItGoes(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x").autoDelete());
        channel.queueDeclare(queue("q"));
        channel.queueBind("q", "x", "1");
        channel.queueBind("q", "x", "2");

        channel.queueUnbind("q", "x", "1");
        channel.exchangeDeclarePassive("x");
        channel.queueUnbind("q", "x", "2");

        assertThat(channel.refused(it -> it.exchangeDeclarePassive("x"))).isEqualTo(noExchange(broker, "x"));
    }

    @Contract
    @Case("EX-03")
    void shouldDeleteAutoDeleteExchangeWhenBoundQueueIsDeleted(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x").autoDelete());
        channel.queueDeclare(queue("q"));
        channel.queueBind("q", "x", "k");

        channel.queueDelete("q");

        assertThat(channel.refused(it -> it.exchangeDeclarePassive("x"))).isEqualTo(noExchange(broker, "x"));
    }

    @Contract
    @Case("EX-03")
    void shouldKeepAutoDeleteExchangeWhenItNeverHadBinding(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x").autoDelete());
        channel.queueDeclare(queue("q"));

        channel.queueUnbind("q", "x", "k");
        channel.queueDelete("q");

        assertThatCode(() -> channel.exchangeDeclarePassive("x")).doesNotThrowAnyException();
    }

    @Contract
    @Case("EX-03")
    void shouldNotCountBindingsToItWhenExchangeIsAutoDelete(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("source"));
        channel.exchangeDeclare(direct("x").autoDelete());
        channel.exchangeDeclare(direct("other").alternate("x"));
        channel.queueDeclare(queue("q"));
        channel.exchangeBind("x", "source", "k");

        channel.exchangeUnbind("x", "source", "k");
        channel.exchangeDelete("other");
        channel.exchangeDeclarePassive("x");
        channel.exchangeBind("x", "source", "k");
        channel.queueBind("q", "x", "k");
        channel.queueUnbind("q", "x", "k");

        assertThat(channel.refused(it -> it.exchangeDeclarePassive("x"))).isEqualTo(noExchange(broker, "x"));
    }

    @Contract
    @Row("A3")
    void shouldDeleteChainOfAutoDeleteExchangesWhenItsEndGoes(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("first").autoDelete());
        channel.exchangeDeclare(direct("second").autoDelete());
        channel.queueDeclare(queue("q"));
        channel.exchangeBind("second", "first", "k");
        channel.queueBind("q", "second", "k");

        channel.queueDelete("q");

        assertThat(channel.refused(it -> it.exchangeDeclarePassive("second"))).isEqualTo(noExchange(broker, "second"));
        assertThat(broker.channel().refused(it -> it.exchangeDeclarePassive("first")))
                .isEqualTo(noExchange(broker, "first"));
    }

    private static Closure noExchange(Deployment broker, String name) {
        return Closure.channel(404, "NOT_FOUND - no exchange '" + name + "' in vhost '" + broker.vhost() + "'");
    }

    @Contract
    @Case("DE-01")
    void shouldTakeMessagesOnlyFromExchangesWhenExchangeIsInternal(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("front"));
        channel.exchangeDeclare(direct("x").internal());
        channel.queueDeclare(queue("q"));
        channel.exchangeBind("x", "front", "k");
        channel.queueBind("q", "x", "k");

        channel.publish("front", "k", "1");
        Closure refusal = channel.refused(it -> it.publish("x", "k", "2"));

        assertThat(refusal)
                .isEqualTo(Closure.channel(
                        403,
                        "ACCESS_REFUSED - cannot publish to internal exchange 'x' in vhost '" + broker.vhost() + "'"));
        assertThat(broker.channel().drain("q")).containsExactly("1");
    }

    @Contract
    void shouldStripLineEndsWhenNameContainsThem(Deployment broker) {
        var channel = broker.channel();

        channel.exchangeDeclare(direct("ex\r\nchange"));
        channel.queueDeclare(queue("qu\neue"));

        assertThatCode(() -> channel.exchangeDeclarePassive("exchange")).doesNotThrowAnyException();
        assertThat(channel.queueDeclarePassive("queue").name()).isEqualTo("queue");
        channel.exchangeDelete("exchange");
        channel.queueDelete("queue");
    }

    @Contract
    @Row("A6")
    void shouldCloseConnectionWhenExchangeTypeIsUnknown(Deployment broker) {
        var channel = broker.channel();

        Closure refusal = channel.refused(it -> it.exchangeDeclare(exchange("x", "zz")));

        assertThat(refusal).isEqualTo(Closure.connection(503, "COMMAND_INVALID - unknown exchange type 'zz'"));
    }

    @Contract
    void shouldRouteNothingWhenBindingWasRemoved(Deployment broker) {
        var channel = broker.channel();
        channel.exchangeDeclare(direct("x"));
        channel.queueDeclare(queue("q"));
        channel.queueBind("q", "x", "k", Map.of("a", 1));

        channel.queueUnbind("q", "x", "k", Map.of("a", 2));
        channel.publish("x", "k", "1");
        channel.queueUnbind("q", "x", "k", Map.of("a", 1));
        channel.publish("x", "k", "2");

        assertThat(channel.drain("q")).containsExactly("1");
    }
}
