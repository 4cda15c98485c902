package io.warren.test.contract;

import static io.warren.test.contract.ExchangeSpec.direct;
import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

/** Virtual hosts: namespaces that know nothing of each other. */
@Row("A1")
final class VhostContractTest {

    private static Client connectTo(Deployment broker, String vhost) {
        broker.administration().setPermissions(vhost, broker.login().user(), ".*", ".*", ".*");
        return broker.connect(
                new Login(vhost, broker.login().user(), broker.login().password()));
    }

    @Contract
    void shouldOfferRootVhost(Deployment broker) {
        var client = broker.connect(
                new Login("/", broker.login().user(), broker.login().password()));

        client.openChannel().exchangeDeclarePassive("amq.direct");

        assertThat(client.isOpen()).isTrue();
    }

    @Contract(needs = Capability.ADMINISTRATION)
    void shouldKeepNamesApartWhenVhostsUseTheSame(Deployment broker) {
        String other = broker.vhost() + "-2";
        broker.administration().createVhost(other);
        var here = broker.channel();
        var there = connectTo(broker, other).openChannel();
        here.exchangeDeclare(direct("x"));
        there.exchangeDeclare(direct("x"));
        here.queueDeclare(queue("q"));
        there.queueDeclare(queue("q").durable());
        here.queueBind("q", "x", "k");

        here.publish("x", "k", "here");
        there.publish("x", "k", "lost");
        there.publish("", "q", "there");

        assertThat(here.drain("q")).containsExactly("here");
        assertThat(there.drain("q")).containsExactly("there");
    }

    @Contract(needs = Capability.ADMINISTRATION)
    void shouldRemoveEverythingInItWhenVhostIsDeleted(Deployment broker) {
        String other = broker.vhost() + "-2";
        broker.administration().createVhost(other);
        var client = connectTo(broker, other);
        client.openChannel().queueDeclare(queue("q").durable());
        client.openChannel().exchangeDeclare(direct("x").durable());

        broker.administration().deleteVhost(other);
        Closure closure = client.awaitClosed();
        broker.administration().createVhost(other);
        var again = connectTo(broker, other);

        // RabbitMQ closes connections when the virtual host goes down and when it is deleted, whichever comes first.
        String forced = "CONNECTION_FORCED - vhost '" + other + "' is ";
        assertThat(closure).isIn(Closure.connection(320, forced + "deleted"), Closure.connection(320, forced + "down"));
        assertThat(again.openChannel().refused(it -> it.queueDeclarePassive("q")))
                .isEqualTo(Closure.channel(404, "NOT_FOUND - no queue 'q' in vhost '" + other + "'"));
        assertThat(again.openChannel().refused(it -> it.exchangeDeclarePassive("x")))
                .isEqualTo(Closure.channel(404, "NOT_FOUND - no exchange 'x' in vhost '" + other + "'"));
        assertThat(broker.client().isOpen()).isTrue();
    }

    @Contract(needs = Capability.ADMINISTRATION)
    void shouldOfferStandardExchangesWhenVhostIsNew(Deployment broker) {
        String other = broker.vhost() + "-2";
        broker.administration().createVhost(other);

        var channel = connectTo(broker, other).openChannel();

        for (String name : new String[] {"amq.direct", "amq.fanout", "amq.topic", "amq.headers", "amq.match"}) {
            channel.exchangeDeclarePassive(name);
        }
        assertThat(channel.isOpen()).isTrue();
    }
}
