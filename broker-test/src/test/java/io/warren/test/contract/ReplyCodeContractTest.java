package io.warren.test.contract;

import static io.warren.test.contract.ExchangeSpec.direct;
import static io.warren.test.contract.ExchangeSpec.exchange;
import static io.warren.test.contract.ExchangeSpec.headers;
import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Scope, code and text of every refusal that needs no bytes of one's own; clients match on these texts. */
@Row("A6")
final class ReplyCodeContractTest {
    private static final String GENERATED = "amq\\.gen-[A-Za-z0-9_-]{22}";

    /** On a connection of its own, so that one that is closed does not disturb what the test prepared. */
    private static Closure refusal(Deployment broker, Consumer<ClientChannel> verb) {
        return broker.connect().openChannel().refused(verb);
    }

    /** The text names the vhost as $V. */
    private static Closure channelError(Deployment broker, int code, String text) {
        return Closure.channel(code, text.replace("$V", "vhost '" + broker.vhost() + "'"));
    }

    private static void assertAccepted(Deployment broker, Consumer<ClientChannel> verb) {
        var channel = broker.channel();
        verb.accept(channel);
        channel.queueDeclare(QueueSpec.serverNamed());
        assertThat(channel.isOpen()).isTrue();
    }

    /** An argument that the declaration of a server-named queue must refuse. */
    private static void assertRefusedArgument(Deployment broker, String argument, Object value, String detail) {
        Closure refusal =
                refusal(broker, it -> it.queueDeclare(QueueSpec.serverNamed().argument(argument, value)));

        assertThat(refusal.scope()).isEqualTo(Closure.Scope.CHANNEL);
        assertThat(refusal.code()).isEqualTo(406);
        assertThat(refusal.text())
                .matches("PRECONDITION_FAILED - invalid arg '" + argument + "' for queue '" + GENERATED + "' in vhost '"
                        + Pattern.quote(broker.vhost()) + "': " + Pattern.quote(detail));
    }

    @Contract
    @Row("A5")
    void shouldRefusePassiveDeclarationWhenQueueIsMissing(Deployment broker) {
        assertThat(refusal(broker, it -> it.queueDeclarePassive("nope")))
                .isEqualTo(channelError(broker, 404, "NOT_FOUND - no queue 'nope' in $V"));
    }

    @Contract
    @Row("A2")
    void shouldRefusePassiveDeclarationWhenExchangeIsMissing(Deployment broker) {
        assertThat(refusal(broker, it -> it.exchangeDeclarePassive("nope")))
                .isEqualTo(channelError(broker, 404, "NOT_FOUND - no exchange 'nope' in $V"));
    }

    @Contract
    @Row("A5")
    void shouldRefuseDeclarationWhenQueueIsDurable(Deployment broker) {
        broker.channel().queueDeclare(queue("q").durable());

        assertThat(refusal(broker, it -> it.queueDeclare(queue("q"))))
                .isEqualTo(channelError(
                        broker,
                        406,
                        "PRECONDITION_FAILED - inequivalent arg 'durable' for queue 'q' in $V: "
                                + "received 'false' but current is 'true'"));
    }

    @Contract
    @Row("A5")
    void shouldRefuseDeclarationWhenQueueIsNotAutoDelete(Deployment broker) {
        broker.channel().queueDeclare(queue("q").durable());

        assertThat(refusal(broker, it -> it.queueDeclare(queue("q").durable().autoDelete())))
                .isEqualTo(channelError(
                        broker,
                        406,
                        "PRECONDITION_FAILED - inequivalent arg 'auto_delete' for queue 'q' in $V: "
                                + "received 'true' but current is 'false'"));
    }

    @Contract
    @Row("A5")
    void shouldRefuseDeclarationWhenQueueHasNoTimeToLive(Deployment broker) {
        broker.channel().queueDeclare(queue("q"));

        assertThat(refusal(broker, it -> it.queueDeclare(queue("q").messageTtl(5))))
                .isEqualTo(channelError(
                        broker,
                        406,
                        "PRECONDITION_FAILED - inequivalent arg 'x-message-ttl' for queue 'q' in $V: "
                                + "received the value '5' of type 'signedint' but current is none"));
    }

    @Contract
    @Row("A2")
    void shouldRefuseDeclarationWhenExchangeHasOtherType(Deployment broker) {
        broker.channel().exchangeDeclare(direct("x"));

        assertThat(refusal(broker, it -> it.exchangeDeclare(exchange("x", "topic"))))
                .isEqualTo(channelError(
                        broker,
                        406,
                        "PRECONDITION_FAILED - inequivalent arg 'type' for exchange 'x' in $V: "
                                + "received 'topic' but current is 'direct'"));
    }

    @Contract
    @Row("A2")
    void shouldCloseConnectionWhenExchangeTypeIsUnknown(Deployment broker) {
        assertThat(refusal(broker, it -> it.exchangeDeclare(exchange("x", "zz"))))
                .isEqualTo(Closure.connection(503, "COMMAND_INVALID - unknown exchange type 'zz'"));
    }

    @Contract
    @Row("A5")
    void shouldRefuseReservedNames(Deployment broker) {
        assertThat(refusal(broker, it -> it.queueDeclare(queue("amq.foo"))))
                .isEqualTo(
                        Closure.channel(403, "ACCESS_REFUSED - queue name 'amq.foo' contains reserved prefix 'amq.*'"));
        assertThat(refusal(broker, it -> it.exchangeDeclare(direct("amq.foo"))))
                .isEqualTo(Closure.channel(
                        403, "ACCESS_REFUSED - exchange name 'amq.foo' contains reserved prefix 'amq.*'"));
    }

    @Contract
    @Row("A2")
    void shouldRefuseDeletionOfStandardExchange(Deployment broker) {
        assertThat(refusal(broker, it -> it.exchangeDelete("amq.direct")))
                .isEqualTo(channelError(
                        broker, 403, "ACCESS_REFUSED - deletion of system exchange 'amq.direct' in $V not allowed"));
    }

    @Contract
    @Row("A2")
    void shouldRefuseChangesOfDefaultExchange(Deployment broker) {
        broker.channel().queueDeclare(queue("q"));
        var refused = Closure.channel(403, "ACCESS_REFUSED - operation not permitted on the default exchange");

        assertThat(refusal(broker, it -> it.exchangeDeclare(direct("")))).isEqualTo(refused);
        assertThat(refusal(broker, it -> it.queueBind("q", "", "k"))).isEqualTo(refused);
        assertThat(refusal(broker, it -> it.queueUnbind("q", "", "q"))).isEqualTo(refused);
    }

    @Contract
    @Row("A3")
    void shouldRefuseBindingWhenEndIsMissing(Deployment broker) {
        broker.channel().queueDeclare(queue("q"));
        broker.channel().exchangeDeclare(direct("x"));

        assertThat(refusal(broker, it -> it.queueBind("nope", "x", "k")))
                .isEqualTo(channelError(broker, 404, "NOT_FOUND - no queue 'nope' in $V"));
        assertThat(refusal(broker, it -> it.queueBind("q", "nope", "k")))
                .isEqualTo(channelError(broker, 404, "NOT_FOUND - no exchange 'nope' in $V"));
        assertThat(refusal(broker, it -> it.exchangeBind("x", "nope", "k")))
                .isEqualTo(channelError(broker, 404, "NOT_FOUND - no exchange 'nope' in $V"));
    }

    @Contract
    @Row("A3")
    void shouldAcceptRemovalsOfWhatIsMissing(Deployment broker) {
        broker.channel().queueDeclare(queue("q"));

        assertAccepted(broker, it -> it.queueUnbind("q", "amq.direct", "nope"));
        assertAccepted(broker, it -> it.queueDelete("nope"));
        assertAccepted(broker, it -> it.exchangeDelete("nope"));
        assertAccepted(broker, it -> it.cancel("nope"));
    }

    @Contract
    @Row("A5")
    void shouldRefusePurgeGetAndConsumeWhenQueueIsMissing(Deployment broker) {
        var refused = channelError(broker, 404, "NOT_FOUND - no queue 'nope' in $V");

        assertThat(refusal(broker, it -> it.queuePurge("nope"))).isEqualTo(refused);
        assertThat(refusal(broker, it -> it.get("nope", true))).isEqualTo(refused);
        assertThat(refusal(broker, it -> it.consume("nope"))).isEqualTo(refused);
    }

    @Contract
    @Row("A5")
    void shouldRefuseDeletionWhenConditionFails(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("full"));
        channel.queueDeclare(queue("busy"));
        channel.exchangeDeclare(direct("x"));
        channel.queueBind("busy", "x", "k");
        channel.consume("busy");
        broker.send("full", "1");

        assertThat(refusal(broker, it -> it.queueDelete("full", false, true)))
                .isEqualTo(channelError(broker, 406, "PRECONDITION_FAILED - queue 'full' in $V not empty"));
        assertThat(refusal(broker, it -> it.queueDelete("busy", true, false)))
                .isEqualTo(channelError(broker, 406, "PRECONDITION_FAILED - queue 'busy' in $V in use"));
        assertThat(refusal(broker, it -> it.exchangeDelete("x", true)))
                .isEqualTo(channelError(broker, 406, "PRECONDITION_FAILED - exchange 'x' in $V in use"));
    }

    @Contract
    @Row("A9")
    void shouldRefuseConsumerWhenQueueIsInExclusiveUse(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("alone"));
        channel.queueDeclare(queue("shared"));
        channel.consume(ConsumeSpec.from("alone").exclusive());
        channel.consume("shared");

        assertThat(refusal(broker, it -> it.consume("alone")))
                .isEqualTo(channelError(broker, 403, "ACCESS_REFUSED - queue 'alone' in $V in exclusive use"));
        assertThat(refusal(broker, it -> it.consume(ConsumeSpec.from("shared").exclusive())))
                .isEqualTo(channelError(broker, 403, "ACCESS_REFUSED - queue 'shared' in $V in exclusive use"));
    }

    @Contract
    @Row("A7")
    void shouldCloseConnectionWhenConsumerTagIsUsedTwice(Deployment broker) {
        broker.channel().queueDeclare(queue("q"));

        assertThat(refusal(broker, it -> {
                    it.consume(ConsumeSpec.from("q").tag("dup"));
                    it.consume(ConsumeSpec.from("q").tag("dup"));
                }))
                .isEqualTo(Closure.connection(530, "NOT_ALLOWED - attempt to reuse consumer tag 'dup'"));
    }

    @Contract
    @Row("A5")
    void shouldRefuseOthersWhenQueueIsExclusive(Deployment broker) {
        broker.channel().queueDeclare(queue("q").exclusive());
        var refused = channelError(
                broker,
                405,
                "RESOURCE_LOCKED - cannot obtain exclusive access to locked queue 'q' in $V. It could be originally "
                        + "declared on another connection or the exclusive property value does not match that of the "
                        + "original declaration.");

        assertThat(refusal(broker, it -> it.queueDeclare(queue("q").exclusive())))
                .isEqualTo(refused);
        assertThat(refusal(broker, it -> it.get("q", true))).isEqualTo(refused);
    }

    @Contract
    @Row("A11")
    void shouldRefusePublishWhenExchangeIsMissingOrInternal(Deployment broker) {
        broker.channel().exchangeDeclare(direct("inside").internal());

        assertThat(refusal(broker, it -> it.publish("nope", "k", "1")))
                .isEqualTo(channelError(broker, 404, "NOT_FOUND - no exchange 'nope' in $V"));
        assertThat(refusal(broker, it -> it.publish("inside", "k", "1")))
                .isEqualTo(channelError(
                        broker, 403, "ACCESS_REFUSED - cannot publish to internal exchange 'inside' in $V"));
    }

    @Contract
    @Row("A14")
    void shouldRefusePublishWhenUserIdIsWrong(Deployment broker) {
        assertThat(refusal(
                        broker,
                        it -> it.publish("", "q", MessageProperties.none().userId("bob"), "1")))
                .isEqualTo(Closure.channel(
                        406,
                        "PRECONDITION_FAILED - user_id property set to 'bob' but authenticated user was '"
                                + broker.login().user() + "'"));
    }

    @Contract
    @Row("B1")
    void shouldRefusePublishWhenExpirationIsInvalid(Deployment broker) {
        assertThat(refusal(
                        broker,
                        it -> it.publish("", "q", MessageProperties.none().expiration("abc"), "1")))
                .isEqualTo(Closure.channel(406, "PRECONDITION_FAILED - invalid expiration 'abc': no_integer"));
        assertThat(refusal(
                        broker,
                        it -> it.publish("", "q", MessageProperties.none().expiration("-1"), "1")))
                .isEqualTo(Closure.channel(406, "PRECONDITION_FAILED - invalid expiration '-1': {value_negative,-1}"));
    }

    @Contract
    @Row("A13")
    void shouldRefusePublishWhenFurtherKeysAreNoArray(Deployment broker) {
        assertThat(refusal(
                        broker,
                        it -> it.publish("", "q", MessageProperties.none().header("CC", "k"), "1")))
                .isEqualTo(Closure.channel(
                        406, "PRECONDITION_FAILED - invalid message: {unacceptable_type_in_header,\"CC\",longstr}"));
    }

    @Contract
    @Row("A11")
    void shouldCloseConnectionWhenPublishIsImmediate(Deployment broker) {
        assertThat(refusal(broker, it -> it.publishImmediate("", "q", new byte[0])))
                .isEqualTo(Closure.connection(540, "NOT_IMPLEMENTED - immediate=true"));
    }

    @Contract
    void shouldCloseConnectionWhenMethodIsNotImplemented(Deployment broker) {
        assertThat(refusal(broker, it -> it.recover(false)))
                .isEqualTo(Closure.connection(540, "NOT_IMPLEMENTED - requeue=false"));
        assertThat(refusal(broker, it -> it.qos(1, 0, false)))
                .isEqualTo(Closure.connection(540, "NOT_IMPLEMENTED - prefetch_size!=0 (1)"));
    }

    @Contract
    @Row("A7")
    void shouldRefuseUnknownDeliveryTag(Deployment broker) {
        var refused = Closure.channel(406, "PRECONDITION_FAILED - unknown delivery tag 42");

        assertThat(refusal(broker, it -> it.ack(42, false))).isEqualTo(refused);
        assertThat(refusal(broker, it -> it.nack(42, false, true))).isEqualTo(refused);
        assertThat(refusal(broker, it -> it.reject(42, true))).isEqualTo(refused);
    }

    @Contract
    @Row("A7")
    void shouldAcceptAcknowledgementOfEverythingWhenNothingIsUnacked(Deployment broker) {
        assertAccepted(broker, it -> it.ack(0, true));
        assertAccepted(broker, it -> it.nack(0, true, true));
    }

    @Contract
    @Row("A12")
    void shouldRefuseTransactionsOutOfPlace(Deployment broker) {
        assertThat(refusal(broker, ClientChannel::txCommit))
                .isEqualTo(Closure.channel(406, "PRECONDITION_FAILED - channel is not transactional"));
        assertThat(refusal(broker, it -> {
                    it.txSelect();
                    it.confirmSelect();
                }))
                .isEqualTo(Closure.channel(406, "PRECONDITION_FAILED - cannot switch from tx to confirm mode"));
        assertThat(refusal(broker, it -> {
                    it.confirmSelect();
                    it.txSelect();
                }))
                .isEqualTo(Closure.channel(406, "PRECONDITION_FAILED - cannot switch from confirm to tx mode"));
    }

    @Contract
    @Row("A5")
    void shouldRefuseNumbersOutOfRange(Deployment broker) {
        assertRefusedArgument(broker, "x-message-ttl", -1, "{value_negative,-1}");
        assertRefusedArgument(broker, "x-expires", 0, "{value_zero,0}");
        assertRefusedArgument(broker, "x-max-length", -1, "{value_negative,-1}");
        assertRefusedArgument(broker, "x-max-priority", 256, "{max_value_exceeded,256}");
        assertRefusedArgument(broker, "x-max-priority", -1, "{value_negative,-1}");
    }

    @Contract
    @Row("A5")
    void shouldRefuseArgumentsOfWrongType(Deployment broker) {
        assertRefusedArgument(broker, "x-message-ttl", "5", "\"expected integer, got longstr\"");
        assertRefusedArgument(broker, "x-single-active-consumer", "yes", "{unacceptable_type,longstr}");
    }

    @Contract
    @Row("A5")
    @Row("B3")
    void shouldRefuseDeadLetterExchangeThatIsNoText(Deployment broker) {
        Closure refusal = refusal(broker, it -> it.queueDeclare(queue("q").argument("x-dead-letter-exchange", 5)));

        assertThat(refusal)
                .isEqualTo(channelError(
                        broker,
                        406,
                        "PRECONDITION_FAILED - invalid type 'signedint' for arg 'x-dead-letter-exchange' "
                                + "in queue 'q' in $V"));
    }

    @Contract
    @Row("A5")
    void shouldRefuseUnknownChoices(Deployment broker) {
        assertRefusedArgument(broker, "x-overflow", "zz", "invalid_overflow");
        assertRefusedArgument(broker, "x-queue-mode", "zz", "\"unsupported queue mode 'zz'\"");
        assertRefusedArgument(broker, "x-dead-letter-routing-key", "k", "routing_key_but_no_dlx_defined");
    }

    @Contract
    @Row("A5")
    void shouldRefuseUnknownQueueTypeWhenQueueIsNamed(Deployment broker) {
        assertThat(refusal(broker, it -> it.queueDeclare(queue("q").argument("x-queue-type", "zz"))))
                .isEqualTo(channelError(
                        broker,
                        406,
                        "PRECONDITION_FAILED - invalid arg 'x-queue-type' for queue 'q' in $V: "
                                + "\"unsupported queue type 'zz'\""));
    }

    @Contract
    @Row("A5")
    void shouldCloseConnectionWhenQueueTypeIsUnknownAndQueueHasNoName(Deployment broker) {
        assertThat(refusal(broker, it -> it.queueDeclare(queue("").argument("x-queue-type", "zz"))))
                .isEqualTo(Closure.connection(541, "INTERNAL_ERROR"));
    }

    @Contract
    @Row("A5")
    void shouldAcceptUnknownArgument(Deployment broker) {
        assertAccepted(broker, it -> it.queueDeclare(QueueSpec.serverNamed().argument("x-unknown", 1)));
        assertAccepted(broker, it -> it.queueDeclare(QueueSpec.serverNamed().argument("x-queue-type", "classic")));
    }

    @Contract
    @Row("A2")
    void shouldRefuseHeadersBindingWhenMatchIsUnknown(Deployment broker) {
        broker.channel().queueDeclare(queue("q"));
        broker.channel().exchangeDeclare(headers("x"));

        assertThat(refusal(broker, it -> it.queueBind("q", "x", "", Map.of("x-match", "zz"))))
                .isEqualTo(Closure.channel(
                        406,
                        "PRECONDITION_FAILED - Invalid x-match field value <<\"zz\">>; "
                                + "expected all, any, all-with-x, or any-with-x"));
    }

    @Contract
    @Row("A9")
    void shouldRefuseConsumerPriorityThatIsNoInteger(Deployment broker) {
        broker.channel().queueDeclare(queue("q"));

        assertThat(refusal(broker, it -> it.consume(ConsumeSpec.from("q").argument("x-priority", "a"))))
                .isEqualTo(channelError(
                        broker,
                        406,
                        "PRECONDITION_FAILED - invalid arg 'x-priority' for queue 'q' in $V: "
                                + "\"expected integer, got longstr\""));
    }

    @Contract
    @Row("A13")
    void shouldRefuseDirectReplyOutOfPlace(Deployment broker) {
        var request = MessageProperties.none().replyTo("amq.rabbitmq.reply-to");

        assertThat(refusal(broker, it -> it.publish("", "q", request, "1")))
                .isEqualTo(Closure.channel(406, "PRECONDITION_FAILED - fast reply consumer does not exist"));
        assertThat(refusal(broker, it -> it.consume("amq.rabbitmq.reply-to")))
                .isEqualTo(Closure.channel(406, "PRECONDITION_FAILED - reply consumer cannot acknowledge"));
        assertAccepted(broker, it -> it.queueDeclarePassive("amq.rabbitmq.reply-to"));
    }

    @Contract
    @Row("A14")
    void shouldRefuseConnectionWhenPasswordIsWrong(Deployment broker) {
        Login login = broker.login();

        Closure refusal = refusedLogin(broker, new Login(login.vhost(), login.user(), "not " + login.password()));

        assertThat(refusal)
                .isEqualTo(Closure.connection(
                        403,
                        "ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. "
                                + "For details see the broker logfile."));
    }

    @Contract
    @Row("A1")
    void shouldRefuseConnectionWhenVhostIsMissing(Deployment broker) {
        Login login = broker.login();

        Closure refusal = refusedLogin(broker, new Login("nope", login.user(), login.password()));

        assertThat(refusal).isEqualTo(Closure.connection(530, "NOT_ALLOWED - vhost nope not found"));
    }

    static Closure refusedLogin(Deployment broker, Login login) {
        try {
            broker.connect(login);
        } catch (ClosedException refused) {
            return refused.closure();
        }
        throw new AssertionError("accepted " + login.user() + " in vhost " + login.vhost());
    }
}
