package io.warren.test.contract;

import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;

/** Requests and replies, with a queue of one's own or without any. */
@Row("A13")
final class DirectReplyContractTest {
    private static final String REPLY_TO = "amq.rabbitmq.reply-to";

    private static Received repliesOn(ClientChannel channel) {
        return channel.consume(ConsumeSpec.from(REPLY_TO).noAck());
    }

    private static String replyAddress(Delivery request) {
        return Objects.requireNonNull(request.properties().replyTo(), "request without reply_to");
    }

    private static MessageProperties request() {
        return MessageProperties.none().replyTo(REPLY_TO).correlationId("c-1");
    }

    @Contract
    @Case("RP-01")
    void shouldBringReplyToRequesterWithoutQueue(Deployment broker) {
        var requester = broker.channel();
        var server = broker.connect().openChannel();
        server.queueDeclare(queue("requests"));
        var requests = server.consume(ConsumeSpec.from("requests").noAck());
        var replies = repliesOn(requester);

        requester.publish("", "requests", request(), "ping");
        Delivery request = requests.next();
        String address = replyAddress(request);
        server.publish("", address, MessageProperties.none().correlationId("c-1"), "pong");

        Delivery reply = replies.next();
        assertThat(address).startsWith(REPLY_TO + ".");
        assertThat(reply.text()).isEqualTo("pong");
        assertThat(reply.exchange()).isEmpty();
        assertThat(reply.routingKey()).isEqualTo(address);
        assertThat(reply.properties().correlationId()).isEqualTo("c-1");
        server.queueDelete("requests");
    }

    @Contract
    @Case("RP-01")
    void shouldAnswerManyRequestsWhenConsumerStays(Deployment broker) {
        var channel = broker.channel();
        channel.queueDeclare(queue("requests"));
        var replies = repliesOn(channel);

        for (String text : new String[] {"1", "2", "3"}) {
            channel.publish("", "requests", request(), text);
            Delivery received = channel.get("requests");
            broker.publish("", replyAddress(received), "re " + text);
        }

        assertThat(replies.nextTexts(3)).containsExactly("re 1", "re 2", "re 3");
    }

    @Contract
    @Case("RP-01")
    @Row("A11")
    void shouldTreatReplyAsUnroutableWhenRequesterIsGone(Deployment broker) {
        var requester = broker.channel();
        var server = broker.channel();
        server.queueDeclare(queue("requests"));
        repliesOn(requester);
        requester.publish("", "requests", request(), "ping");
        requester.settle("requests");
        String address = replyAddress(server.get("requests"));

        requester.close();
        server.confirmSelect();
        server.publishMandatory("", address, "pong");

        assertThat(server.publisherEvents().awaitConfirms())
                .containsExactly(PublisherEvent.noRoute("", address, "pong"), PublisherEvent.ack(1));
    }

    @Contract
    @Case("RP-01")
    void shouldTellWhetherRequesterIsThereWhenAddressIsDeclared(Deployment broker) {
        var requester = broker.channel();
        var server = broker.channel();
        server.queueDeclare(queue("requests"));
        repliesOn(requester);
        requester.publish("", "requests", request(), "ping");
        requester.settle("requests");
        String address = replyAddress(server.get("requests"));

        QueueStatus status = server.queueDeclarePassive(address);
        requester.close();
        Closure refusal = server.refused(it -> it.queueDeclarePassive(address));

        assertThat(status).isEqualTo(new QueueStatus(address, 0, 1));
        assertThat(refusal).isEqualTo(QueueContractTest.noQueue(broker, address));
    }

    @Contract
    @Case("RP-01")
    @Row("A6")
    void shouldRefuseRequestWhenThereIsNoReplyConsumer(Deployment broker) {
        Closure refusal = broker.channel().refused(it -> it.publish("", "requests", request(), "ping"));

        assertThat(refusal).isEqualTo(Closure.channel(406, "PRECONDITION_FAILED - fast reply consumer does not exist"));
    }

    @Contract
    @Case("RP-01")
    @Row("A6")
    void shouldRefuseReplyConsumerWhenItWouldAcknowledge(Deployment broker) {
        Closure refusal = broker.channel().refused(it -> it.consume(REPLY_TO));

        assertThat(refusal).isEqualTo(Closure.channel(406, "PRECONDITION_FAILED - reply consumer cannot acknowledge"));
    }

    @Contract
    @Case("RP-01")
    @Row("A6")
    void shouldRefuseSecondReplyConsumerOnOneChannel(Deployment broker) {
        var channel = broker.channel();
        repliesOn(channel);

        Closure refusal = channel.refused(DirectReplyContractTest::repliesOn);

        assertThat(refusal).isEqualTo(Closure.channel(406, "PRECONDITION_FAILED - reply consumer already set"));
    }

    @Contract
    @Case("RP-01")
    void shouldAcceptNewReplyConsumerWhenFirstIsCancelled(Deployment broker) {
        var channel = broker.channel();
        var first = repliesOn(channel);

        channel.cancel(first.consumerTag());
        repliesOn(channel);

        assertThat(channel.isOpen()).isTrue();
    }

    @Contract
    void shouldCallRemotelyWhenReplyQueueIsExclusive(Deployment broker) {
        var requester = broker.channel();
        var server = broker.connect().openChannel();
        server.queueDeclare(queue("requests"));
        var requests = server.consume("requests");
        String replyQueue = requester.queueDeclare(QueueSpec.serverNamed()).name();
        var replies = requester.consume(ConsumeSpec.from(replyQueue).noAck());

        requester.publish(
                "", "requests", MessageProperties.none().replyTo(replyQueue).correlationId("7"), "2+2");
        Delivery request = requests.next();
        server.publish(
                "",
                replyAddress(request),
                MessageProperties.none().correlationId(request.properties().correlationId()),
                "4");
        server.ack(request);

        Delivery reply = replies.next();
        assertThat(reply.text()).isEqualTo("4");
        assertThat(reply.properties().correlationId()).isEqualTo("7");
    }
}
