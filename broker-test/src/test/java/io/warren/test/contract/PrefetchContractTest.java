package io.warren.test.contract;

import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.stream.IntStream;

/** How many deliveries may be unacknowledged, and how messages spread over consumers. */
@Row("A8")
final class PrefetchContractTest {

    private static ClientChannel withMessages(Deployment broker, int count) {
        var channel = broker.channel();
        channel.queueDeclare(queue("q"));
        IntStream.rangeClosed(1, count).forEach(number -> broker.send("q", Integer.toString(number)));
        return channel;
    }

    @Contract
    void shouldStopAtLimitAndGoOnWhenAcknowledged(Deployment broker) {
        var channel = withMessages(broker, 5);
        channel.qos(2);

        var consumer = channel.consume("q");
        List<Delivery> first = consumer.next(2);
        channel.settle("q");
        List<String> beyond = consumer.pending();
        channel.ack(first.get(0));

        assertThat(first).extracting(Delivery::text).containsExactly("1", "2");
        assertThat(beyond).isEmpty();
        assertThat(consumer.next().text()).isEqualTo("3");
        channel.settle("q");
        assertThat(consumer.pending()).isEmpty();
    }

    @Contract
    void shouldCountForEachConsumerWhenLimitIsNotGlobal(Deployment broker) {
        var channel = withMessages(broker, 10);
        channel.qos(2);

        var first = channel.consume("q");
        var second = channel.consume("q");
        channel.settle("q");

        assertThat(first.pending()).hasSize(2);
        assertThat(second.pending()).hasSize(2);
    }

    @Contract
    void shouldCountForWholeChannelWhenLimitIsGlobal(Deployment broker) {
        var channel = withMessages(broker, 10);
        channel.qos(0, 3, true);

        var first = channel.consume("q");
        var second = channel.consume("q");
        channel.settle("q");

        assertThat(first.pending().size() + second.pending().size()).isEqualTo(3);
        channel.ack(2, true);
        await().until(() -> first.pending().size() + second.pending().size() >= 5);
        channel.settle("q");
        assertThat(first.pending().size() + second.pending().size()).isEqualTo(5);
    }

    @Contract
    @Case("QS-01")
    void shouldLeaveRunningConsumerUnlimitedWhenLimitIsSetLater(Deployment broker) {
        var channel = withMessages(broker, 5);
        var before = channel.consume("q");
        before.next(5);

        channel.qos(1);
        broker.send("q", "6", "7");
        List<String> more = before.nextTexts(2);
        channel.cancel(before.consumerTag());
        var after = channel.consume("q");
        broker.send("q", "8", "9");
        channel.settle("q");

        assertThat(more).containsExactly("6", "7");
        assertThat(after.pending()).containsExactly("8");
    }

    @Contract
    @Case("QS-02")
    void shouldKeepBothLimitsWhenConsumerAndChannelHaveOne(Deployment broker) {
        var channel = withMessages(broker, 30);
        channel.qos(0, 4, false);
        channel.qos(0, 6, true);

        var first = channel.consume("q");
        var second = channel.consume("q");
        channel.settle("q");

        assertThat(first.pending()).hasSizeLessThanOrEqualTo(4);
        assertThat(second.pending()).hasSizeLessThanOrEqualTo(4);
        assertThat(first.pending().size() + second.pending().size()).isEqualTo(6);
    }

    @Contract
    @Case("QS-02")
    void shouldDeliverTheRestWhenGlobalLimitIsRemoved(Deployment broker) {
        var channel = withMessages(broker, 5);
        channel.qos(0, 1, true);
        var consumer = channel.consume("q");
        channel.settle("q");
        List<String> limited = consumer.pending();

        channel.qos(0, 0, true);

        assertThat(limited).containsExactly("1");
        assertThat(consumer.nextTexts(5)).containsExactly("1", "2", "3", "4", "5");
    }

    @Contract
    @Case("QS-02")
    void shouldDeliverMoreWhenGlobalLimitIsRaised(Deployment broker) {
        var channel = withMessages(broker, 5);
        channel.qos(0, 1, true);
        var consumer = channel.consume("q");
        consumer.next();

        channel.qos(0, 3, true);
        List<String> raised = consumer.nextTexts(2);
        channel.settle("q");

        assertThat(raised).containsExactly("2", "3");
        assertThat(consumer.pending()).isEmpty();
    }

    @Contract
    @Case("QS-02")
    @Row("A6")
    void shouldCloseConnectionWhenLimitIsInBytes(Deployment broker) {
        var client = broker.connect();

        Closure refusal = client.openChannel().refused(it -> it.qos(1, 0, false));

        assertThat(refusal).isEqualTo(Closure.connection(540, "NOT_IMPLEMENTED - prefetch_size!=0 (1)"));
    }

    @Contract
    void shouldNotCountFetchedMessagesWhenConsumerHasLimit(Deployment broker) {
        var channel = withMessages(broker, 4);
        channel.qos(1);
        channel.get("q");
        channel.get("q");

        var consumer = channel.consume("q");

        assertThat(consumer.next().text()).isEqualTo("3");
    }

    @Contract
    void shouldNotLimitWhenConsumerNeedsNoAcknowledgement(Deployment broker) {
        var channel = withMessages(broker, 4);
        channel.qos(1);

        var consumer = channel.consume(ConsumeSpec.from("q").noAck());

        assertThat(consumer.nextTexts(4)).containsExactly("1", "2", "3", "4");
    }

    @Contract
    void shouldHoldBackAutomaticConsumerWhenChannelLimitIsUsedUp(Deployment broker) {
        var channel = withMessages(broker, 1);
        channel.queueDeclare(queue("automatic"));
        channel.qos(0, 1, true);
        Delivery held = channel.consume("q").next();

        var automatic = channel.consume(ConsumeSpec.from("automatic").noAck());
        broker.send("automatic", "a", "b");
        channel.settle("automatic");
        List<String> whileUsedUp = automatic.pending();
        channel.ack(held);

        assertThat(whileUsedUp).isEmpty();
        assertThat(automatic.nextTexts(2)).containsExactly("a", "b");
    }

    @Contract
    @Case("QS-02")
    void shouldServeEveryQueueWhenTheyShareOnePermit(Deployment broker) {
        var channel = broker.channel();
        channel.qos(0, 1, true);
        List<Received> consumers = List.of("a", "b", "c").stream()
                .map(name -> {
                    channel.queueDeclare(queue(name));
                    IntStream.range(0, 20).forEach(number -> broker.send(name, name + number));
                    return channel.consume(name);
                })
                .toList();

        for (int i = 0; i < 29; i++) {
            await().until(() -> consumers.stream().anyMatch(it -> !it.pending().isEmpty()));
            consumers.stream()
                    .filter(it -> !it.pending().isEmpty())
                    .findFirst()
                    .ifPresent(it -> channel.ack(it.next()));
        }

        for (String name : List.of("a", "b", "c")) {
            assertThat(channel.queueDeclarePassive(name).messages()).as(name).isLessThan(20);
        }
    }

    @Contract
    void shouldTakeTurnsWhenConsumersAreAlike(Deployment broker) {
        var channel = withMessages(broker, 0);
        var first = channel.consume(ConsumeSpec.from("q").noAck());
        var second = channel.consume(ConsumeSpec.from("q").noAck());
        var third = channel.consume(ConsumeSpec.from("q").noAck());

        broker.send("q", "1", "2", "3", "4", "5", "6");
        channel.settle("q");

        assertThat(first.pending()).containsExactly("1", "4");
        assertThat(second.pending()).containsExactly("2", "5");
        assertThat(third.pending()).containsExactly("3", "6");
    }

    @Contract
    void shouldPassBusyConsumerOverWhenPrefetchIsOne(Deployment broker) {
        var channel = withMessages(broker, 0);
        channel.qos(1);
        var busy = channel.consume("q");
        var idle = channel.consume("q");
        broker.send("q", "1", "2", "3", "4");
        busy.next();

        channel.ack(idle.next());
        channel.ack(idle.next());
        Delivery last = idle.next();
        channel.settle("q");

        assertThat(last.text()).isEqualTo("4");
        assertThat(busy.pending()).isEmpty();
    }
}
