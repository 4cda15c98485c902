package io.warren.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.error.AmqpException;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Binding;
import io.warren.core.metadata.Destination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Topology and store may answer late: a channel keeps its order, and a confirm keeps its word. */
class LateAnswersTest {

    private final LateMetadataStore metadata = new LateMetadataStore();
    private final LateMessageStore messages = new LateMessageStore();
    private final Broker broker = Broker.builder()
            .metadataStore(metadata)
            .messageStore(messages)
            .seed(1)
            .start();
    private final Connection connection = broker.connect();
    private final Channel channel = connection.openChannel();

    @AfterEach
    void close() {
        metadata.beOnTime();
        broker.close();
    }

    private static byte[] body(String text) {
        return text.getBytes(UTF_8);
    }

    @Test
    void shouldHoldBackLaterMethodsWhenDeclareIsNotAnswered() {
        metadata.beLate();

        CompletableFuture<QueueDeclared> declared = channel.queueDeclareAsync(QueueOptions.named("q"));
        channel.publish("", "q", body("after the declare"));
        CompletableFuture<Delivery> got = channel.getAsync("q", true);
        broker.runDue();
        assertThat(declared).isNotDone();
        assertThat(got).isNotDone();
        metadata.answerNext();
        broker.runDue();

        assertThat(declared).isCompletedWithValue(new QueueDeclared("q", 0, 0));
        assertThat(got).isCompletedWithValueMatching(delivery -> delivery.text().equals("after the declare"));
    }

    @Test
    void shouldGoOnWithOtherChannelsWhenOneWaits() {
        channel.queueDeclare(QueueOptions.named("q"));
        Channel other = connection.openChannel();
        metadata.beLate();

        CompletableFuture<QueueDeclared> declared = channel.queueDeclareAsync(QueueOptions.named("slow"));
        other.publish("", "q", body("m"));

        assertThat(other.get("q", true).text()).isEqualTo("m");
        assertThat(declared).isNotDone();
    }

    @Test
    void shouldHandOutAndConfirmWhileDeclareWaits() {
        channel.queueDeclare(QueueOptions.named("q"));
        channel.confirmSelect();
        List<String> received = new ArrayList<>();
        List<Long> confirmed = new ArrayList<>();
        channel.onConfirm((sequence, ok) -> confirmed.add(sequence));
        channel.consume(ConsumeOptions.of("q").autoAck(), delivery -> received.add(delivery.text()));
        channel.publish("", "q", body("m"));
        metadata.beLate();
        CompletableFuture<QueueDeclared> declared = channel.queueDeclareAsync(QueueOptions.named("slow"));

        broker.runDue();
        messages.force("q");
        broker.runDue();

        assertThat(received).containsExactly("m");
        assertThat(confirmed).containsExactly(1L);
        assertThat(declared).isNotDone();
    }

    @Test
    void shouldFailWaitingVerbsWhenChannelIsClosedMeanwhile() {
        metadata.beLate();
        CompletableFuture<QueueDeclared> declared = channel.queueDeclareAsync(QueueOptions.named("q"));
        CompletableFuture<Delivery> got = channel.getAsync("q", true);
        broker.runDue();

        CompletableFuture<Void> closed = channel.closeAsync();
        broker.runDue();

        assertThat(closed).isCompleted();
        assertThat(declared).isCompletedExceptionally();
        assertThat(got).isCompletedExceptionally();
    }

    @Test
    void shouldCloseConnectionWhenTopologyCannotAnswer() {
        metadata.beLate();
        CompletableFuture<QueueDeclared> declared = channel.queueDeclareAsync(QueueOptions.named("q"));
        broker.runDue();

        metadata.failNext(new IllegalStateException("the log is gone"));
        broker.runDue();

        assertThat(declared).isCompletedExceptionally();
        assertThat(connection.isOpen()).isFalse();
        assertThat(connection.closeReason().code().code()).isEqualTo(541);
    }

    @Test
    void shouldNameWhomTheTopologyWaitedForWhenItsTimeIsOver() {
        metadata.beLate();
        CompletableFuture<QueueDeclared> declared = channel.queueDeclareAsync(QueueOptions.named("q"));
        broker.runDue();

        metadata.failNext(new TimeoutException("not applied yet by rabbit2"));
        broker.runDue();

        assertThat(declared).isCompletedExceptionally();
        assertThat(connection.closeReason().text()).isEqualTo("INTERNAL_ERROR - not applied yet by rabbit2");
    }

    @Test
    void shouldConfirmOnlyWhenMessageIsSafe() {
        channel.queueDeclare(QueueOptions.durable("q"));
        channel.confirmSelect();
        CompletableFuture<Boolean> first = publish("one");
        CompletableFuture<Boolean> second = publish("two");
        broker.runDue();
        assertThat(first).isNotDone();

        messages.force("q");
        CompletableFuture<Boolean> third = publish("three");
        broker.runDue();

        assertThat(first).isCompletedWithValue(true);
        assertThat(second).isCompletedWithValue(true);
        assertThat(third).isNotDone();
    }

    private CompletableFuture<Boolean> publish(String text) {
        Properties persistent = Properties.builder().persistent().build();
        return channel.publishAsync("", "q", false, persistent, body(text));
    }

    @Test
    void shouldCommitOnlyWhenMessagesAreSafeInEveryQueue() {
        channel.queueDeclare(QueueOptions.durable("a"));
        channel.queueDeclare(QueueOptions.durable("b"));
        channel.queueBind("a", "amq.fanout", "");
        channel.queueBind("b", "amq.fanout", "");
        channel.txSelect();
        channel.publish("amq.fanout", "", body("m"));

        CompletableFuture<Void> committed = channel.txCommitAsync();
        broker.runDue();
        messages.force("a");
        broker.runDue();
        assertThat(committed).isNotDone();
        messages.force("b");
        broker.runDue();

        assertThat(committed).isCompleted();
    }

    @Test
    void shouldTellReasonWhenRefusalComesLate() {
        metadata.beLate();
        CompletableFuture<Void> bound =
                channel.bindAsync(new Binding("nope", Destination.queue("none"), "", FieldTable.EMPTY));
        broker.runDue();

        metadata.answerNext();
        broker.runDue();

        assertThat(bound)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(AmqpException.class)
                .withMessageContaining("NOT_FOUND - no queue 'none' in vhost '/'");
    }
}
