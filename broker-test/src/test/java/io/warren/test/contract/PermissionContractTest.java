package io.warren.test.contract;

import static io.warren.test.contract.ExchangeSpec.direct;
import static io.warren.test.contract.ExchangeSpec.topic;
import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

/** Users, what they may configure, write and read, and whom they may claim to be. */
@Row("A14")
final class PermissionContractTest {
    private static final String PASSWORD = "secret";

    private static Client userWith(Deployment broker, String configure, String write, String read) {
        broker.administration().createUser("alice", PASSWORD);
        broker.administration().setPermissions(broker.vhost(), "alice", configure, write, read);
        return broker.connect(login(broker));
    }

    private static Login login(Deployment broker) {
        return new Login(broker.vhost(), "alice", PASSWORD);
    }

    private static Closure refused(Deployment broker, String kind, String name) {
        return Closure.channel(
                403,
                "ACCESS_REFUSED - access to " + kind + " '" + name + "' in vhost '" + broker.vhost()
                        + "' refused for user 'alice'");
    }

    @Contract(needs = Capability.ADMINISTRATION)
    void shouldRefuseConnectionWhenUserIsUnknownOrHasNoPermissions(Deployment broker) {
        Closure unknown = ReplyCodeContractTest.refusedLogin(broker, login(broker));
        broker.administration().createUser("alice", PASSWORD);
        Closure noPermissions = ReplyCodeContractTest.refusedLogin(broker, login(broker));

        assertThat(unknown)
                .isEqualTo(Closure.connection(
                        403,
                        "ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. "
                                + "For details see the broker logfile."));
        assertThat(noPermissions)
                .isEqualTo(Closure.connection(
                        530, "NOT_ALLOWED - access to vhost '" + broker.vhost() + "' refused for user 'alice'"));
    }

    @Contract(needs = Capability.ADMINISTRATION)
    void shouldNeedConfigureWhenDeclaringOrDeleting(Deployment broker) {
        var alice = userWith(broker, "^mine", ".*", ".*");
        broker.channel().queueDeclare(queue("other"));
        broker.channel().exchangeDeclare(direct("x"));

        alice.openChannel().queueDeclare(queue("mine-q"));
        alice.openChannel().exchangeDeclare(direct("mine-x"));

        assertThat(alice.openChannel().refused(it -> it.queueDeclare(queue("new"))))
                .isEqualTo(refused(broker, "queue", "new"));
        assertThat(alice.openChannel().refused(it -> it.queueDelete("other")))
                .isEqualTo(refused(broker, "queue", "other"));
        assertThat(alice.openChannel().refused(it -> it.exchangeDeclare(direct("new"))))
                .isEqualTo(refused(broker, "exchange", "new"));
        assertThat(alice.openChannel().refused(it -> it.exchangeDelete("x")))
                .isEqualTo(refused(broker, "exchange", "x"));
        assertThat(alice.openChannel().queueDeclarePassive("other").name()).isEqualTo("other");
        alice.openChannel().queueDelete("mine-q");
        alice.openChannel().exchangeDelete("mine-x");
    }

    @Contract(needs = Capability.ADMINISTRATION)
    void shouldNeedWriteWhenPublishing(Deployment broker) {
        var alice = userWith(broker, ".*", "^open$", ".*");
        broker.channel().exchangeDeclare(direct("open"));
        broker.channel().exchangeDeclare(direct("closed"));

        alice.openChannel().publish("open", "k", "1");

        assertThat(alice.openChannel().refused(it -> it.publish("closed", "k", "1")))
                .isEqualTo(refused(broker, "exchange", "closed"));
        assertThat(alice.openChannel().refused(it -> it.publish("", "k", "1")))
                .isEqualTo(refused(broker, "exchange", "amq.default"));
    }

    @Contract(needs = Capability.ADMINISTRATION)
    void shouldNeedReadWhenConsumingFetchingOrPurging(Deployment broker) {
        var alice = userWith(broker, ".*", ".*", "^open$");
        broker.channel().queueDeclare(queue("open"));
        broker.channel().queueDeclare(queue("closed"));

        alice.openChannel().consume("open");
        alice.openChannel().get("open", true);

        assertThat(alice.openChannel().refused(it -> it.consume("closed")))
                .isEqualTo(refused(broker, "queue", "closed"));
        assertThat(alice.openChannel().refused(it -> it.get("closed", true)))
                .isEqualTo(refused(broker, "queue", "closed"));
        assertThat(alice.openChannel().refused(it -> it.queuePurge("closed")))
                .isEqualTo(refused(broker, "queue", "closed"));
    }

    @Contract(needs = Capability.ADMINISTRATION)
    @Row("A3")
    void shouldNeedWriteOnDestinationAndReadOnSourceWhenBinding(Deployment broker) {
        var alice = userWith(broker, "^$", "^to-", "^from-");
        var owner = broker.channel();
        owner.queueDeclare(queue("to-q"));
        owner.queueDeclare(queue("other-q"));
        owner.exchangeDeclare(direct("from-x"));
        owner.exchangeDeclare(direct("to-x"));

        alice.openChannel().queueBind("to-q", "from-x", "k");
        alice.openChannel().exchangeBind("to-x", "from-x", "k");
        alice.openChannel().queueUnbind("to-q", "from-x", "k");

        assertThat(alice.openChannel().refused(it -> it.queueBind("other-q", "from-x", "k")))
                .isEqualTo(refused(broker, "queue", "other-q"));
        assertThat(alice.openChannel().refused(it -> it.queueBind("to-q", "to-x", "k")))
                .isEqualTo(refused(broker, "exchange", "to-x"));
        assertThat(alice.openChannel().refused(it -> it.exchangeBind("from-x", "to-x", "k")))
                .isEqualTo(refused(broker, "exchange", "from-x"));
    }

    @Contract(needs = Capability.ADMINISTRATION)
    @Row("B3")
    void shouldNeedReadOnQueueAndWriteOnExchangeWhenDeclaringDeadLetters(Deployment broker) {
        var alice = userWith(broker, ".*", "^open-", "^(open-|amq.default)");

        alice.openChannel().queueDeclare(queue("open-q").deadLetterExchange("open-dlx"));

        assertThat(alice.openChannel()
                        .refused(it -> it.queueDeclare(queue("open-2").deadLetterExchange("closed"))))
                .isEqualTo(refused(broker, "exchange", "closed"));
        assertThat(alice.openChannel()
                        .refused(it -> it.queueDeclare(queue("closed").deadLetterExchange("open-dlx"))))
                .isEqualTo(refused(broker, "queue", "closed"));
    }

    @Contract(needs = Capability.ADMINISTRATION)
    @Row("A4")
    void shouldNeedReadOnExchangeAndWriteOnAlternateWhenDeclaringIt(Deployment broker) {
        var alice = userWith(broker, ".*", "^open-", "^open-");

        alice.openChannel().exchangeDeclare(direct("open-x").alternate("open-ae"));

        assertThat(alice.openChannel()
                        .refused(it -> it.exchangeDeclare(direct("open-2").alternate("closed"))))
                .isEqualTo(refused(broker, "exchange", "closed"));
        assertThat(alice.openChannel()
                        .refused(it -> it.exchangeDeclare(direct("closed").alternate("open-ae"))))
                .isEqualTo(refused(broker, "exchange", "closed"));
    }

    @Contract(needs = Capability.ADMINISTRATION)
    void shouldCheckRoutingKeyWhenTopicPermissionIsSet(Deployment broker) {
        var alice = userWith(broker, ".*", ".*", ".*");
        broker.channel().exchangeDeclare(topic("t"));
        broker.channel().queueDeclare(queue("q"));
        broker.administration().setTopicPermissions(broker.vhost(), "alice", "t", "^{username}\\.", "^read\\.");

        var channel = alice.openChannel();
        channel.queueBind("q", "t", "read.#");
        channel.publish("t", "alice.news", "1");
        channel.publish("amq.topic", "anything", "2");
        channel.qos(0);

        assertThat(channel.isOpen()).isTrue();
        assertThat(alice.openChannel().refused(it -> it.publish("t", "bob.news", "1")))
                .isEqualTo(Closure.channel(
                        403,
                        "ACCESS_REFUSED - access to topic 'bob.news' in exchange 't' in vhost '" + broker.vhost()
                                + "' refused for user 'alice'"));
        assertThat(alice.openChannel().refused(it -> it.queueBind("q", "t", "write.#")))
                .isEqualTo(Closure.channel(
                        403,
                        "ACCESS_REFUSED - access to topic 'write.#' in exchange 't' in vhost '" + broker.vhost()
                                + "' refused for user 'alice'"));
    }

    @Contract
    void shouldAcceptUserIdWhenItIsTheUsersOwn(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));

        channel.publish("", "q", MessageProperties.none().userId(broker.login().user()), "1");

        assertThat(channel.get("q").properties().userId())
                .isEqualTo(broker.login().user());
    }

    @Contract
    void shouldCloseChannelWhenUserIdIsAnothers(Deployment broker) {
        Closure closure = broker.channel()
                .refused(it -> it.publish("", "q", MessageProperties.none().userId("bob"), "1"));

        assertThat(closure)
                .isEqualTo(Closure.channel(
                        406,
                        "PRECONDITION_FAILED - user_id property set to 'bob' but authenticated user was '"
                                + broker.login().user() + "'"));
    }

    @Contract(needs = Capability.ADMINISTRATION)
    void shouldAcceptAnyUserIdWhenUserIsImpersonator(Deployment broker) {
        broker.administration().createUser("alice", PASSWORD, "impersonator");
        broker.administration().setPermissions(broker.vhost(), "alice", ".*", ".*", ".*");
        var channel = broker.connect(login(broker)).openChannel();
        channel.queueDeclare(queue("q"));

        channel.publish("", "q", MessageProperties.none().userId("bob"), "1");

        assertThat(channel.get("q").properties().userId()).isEqualTo("bob");
    }

    @Contract(needs = Capability.ADMINISTRATION)
    void shouldCloseConnectionsWhenUserIsDeleted(Deployment broker) {
        var alice = userWith(broker, ".*", ".*", ".*");

        broker.administration().deleteUser("alice");

        assertThat(alice.awaitClosed())
                .isEqualTo(Closure.connection(320, "CONNECTION_FORCED - user 'alice' is deleted"));
    }

    @Contract(needs = Capability.ADMINISTRATION)
    void shouldCheckNothingWhenDeclarationIsPassive(Deployment broker) {
        var alice = userWith(broker, "^$", "^$", "^$");
        broker.channel().queueDeclare(queue("q"));
        broker.channel().exchangeDeclare(direct("x"));
        var channel = alice.openChannel();

        channel.queueDeclarePassive("q");
        channel.exchangeDeclarePassive("x");

        assertThat(channel.isOpen()).isTrue();
    }
}
