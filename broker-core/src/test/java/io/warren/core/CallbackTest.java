package io.warren.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.message.Properties;
import io.warren.core.metadata.Overflow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What user code may do in a callback, whatever executor runs it. */
class CallbackTest {

    private final Broker broker = Broker.start();
    private Channel channel;

    @BeforeEach
    void declareQueue() {
        channel = broker.connect().openChannel();
        channel.queueDeclare(QueueOptions.named("q"));
    }

    @AfterEach
    void closeBroker() {
        channel.connection().close();
        broker.close();
    }

    private static byte[] body(String text) {
        return text.getBytes(UTF_8);
    }

    private static <T> T soon(CompletableFuture<T> future) throws Exception {
        return future.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldPublishAckDeclareAndCloseWhenCalledFromCallback() throws Exception {
        Channel consumer = channel.connection().openChannel();
        CompletableFuture<String> done = new CompletableFuture<>();
        consumer.consume("q", delivery -> {
            delivery.ack();
            consumer.queueDeclare(QueueOptions.named("answers"));
            consumer.publish("", "answers", body("answer to " + delivery.text()));
            String answer = consumer.get("answers", true).text();
            consumer.close();
            done.complete(answer);
        });

        channel.publish("", "q", body("question"));

        assertThat(soon(done)).isEqualTo("answer to question");
        assertThat(consumer.isOpen()).isFalse();
    }

    @Test
    void shouldPublishAndAckWhenCallbackRunsInsideBroker() {
        Channel consumer = channel.connection().openChannel(Runnable::run);
        channel.queueDeclare(QueueOptions.named("copies"));
        consumer.consume("q", delivery -> {
            consumer.publish("", "copies", delivery.body());
            delivery.ack();
        });

        for (int i = 0; i < 500; i++) {
            channel.publish("", "q", body("m" + i));
        }

        consumer.close();
        assertThat(broker.vhost("/").queue("q").unacked()).isZero();
        assertThat(channel.queueDeclarePassive("copies").messageCount()).isEqualTo(500);
    }

    @Test
    void shouldNameAsyncTwinWhenWaitingVerbIsCalledInsideBroker() throws Exception {
        Channel consumer = channel.connection().openChannel(Runnable::run);
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        CompletableFuture<QueueDeclared> declared = new CompletableFuture<>();
        consumer.consume(ConsumeOptions.of("q").autoAck(), delivery -> {
            try {
                consumer.queueDeclare(QueueOptions.named("inside"));
            } catch (IllegalStateException refused) {
                thrown.complete(refused);
            }
            var unused = consumer.queueDeclareAsync(QueueOptions.named("inside"))
                    .whenComplete((answer, failure) -> declared.complete(answer));
        });

        channel.publish("", "q", body("m"));

        assertThat(soon(thrown)).hasMessageContaining("queueDeclareAsync");
        assertThat(soon(declared).name()).isEqualTo("inside");
    }

    @Test
    void shouldTellConfirmsInOrderAndReturnBeforeItsConfirmWhenExecutorIsLate() {
        Queue<Runnable> late = new ArrayDeque<>();
        Channel publisher = channel.connection().openChannel(late::add);
        List<String> told = new CopyOnWriteArrayList<>();
        publisher.confirmSelect();
        publisher.onConfirm((sequence, confirmed) -> told.add((confirmed ? "ack " : "nack ") + sequence));
        publisher.onReturn(returned -> told.add("return " + returned.routingKey()));
        channel.queueDeclare(QueueOptions.named("full").maxLength(1).overflow(Overflow.REJECT_PUBLISH));

        publisher.publish("", "full", body("m1"));
        publisher.publish("", "full", body("m2"));
        publisher.publish("", "nowhere", true, Properties.NONE, body("m3"));
        publisher.publish("", "q", body("m4"));
        while (!late.isEmpty()) {
            late.remove().run();
        }

        assertThat(told).containsExactly("ack 1", "nack 2", "return nowhere", "ack 3", "ack 4");
        assertThat(publisher.waitForConfirms(Duration.ofSeconds(10))).isFalse();
    }

    @Test
    void shouldReturnMessagesWhenExecutorRejects() {
        AtomicBoolean open = new AtomicBoolean(true);
        Executor executor = task -> {
            if (!open.get()) {
                throw new RejectedExecutionException("closed");
            }
            task.run();
        };
        Channel consumer = channel.connection().openChannel(executor);
        consumer.consume("q", delivery -> {});
        open.set(false);

        channel.publish("", "q", body("m"));

        Delivery again = channel.get("q", true);
        assertThat(again.text()).isEqualTo("m");
        assertThat(again.isRedelivered()).isTrue();
        assertThat(broker.vhost("/").queue("q").consumers()).isZero();
    }

    @Test
    void shouldKeepBufferBoundedWhenExecutorStalls() {
        Queue<Runnable> stalled = new ConcurrentLinkedQueue<>();
        Channel consumer = channel.connection().openChannel(stalled::add);
        CompletableFuture<String> consuming =
                consumer.consumeAsync(ConsumeOptions.of("q").autoAck(), delivery -> {});
        assertThat(consuming).isCompleted();

        for (int i = 0; i < 5_000; i++) {
            channel.publish("", "q", body("m"));
        }

        long waiting = broker.vhost("/").queue("q").ready();
        assertThat(waiting).isEqualTo(5_000 - 1_024);
    }

    @Test
    void shouldKeepOrderOfCallbacksWhenManyThreadsRunThem() throws Exception {
        Channel consumer = channel.connection().openChannel();
        List<String> received = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> last = new CompletableFuture<>();
        consumer.consume(ConsumeOptions.of("q").autoAck(), delivery -> {
            received.add(delivery.text());
            if (delivery.text().equals("999")) {
                last.complete(null);
            }
        });
        Queue<String> published = new ArrayDeque<>();

        for (int i = 0; i < 1_000; i++) {
            published.add(Integer.toString(i));
            channel.publish("", "q", body(Integer.toString(i)));
        }

        soon(last);
        assertThat(received).containsExactlyElementsOf(published);
    }

    @Test
    void shouldCloseChannelAndRequeueWhenHandlerThrows() throws Exception {
        Channel consumer = channel.connection().openChannel();
        CompletableFuture<Void> called = new CompletableFuture<>();
        consumer.consume("q", delivery -> {
            called.complete(null);
            throw new IllegalArgumentException("cannot read this");
        });

        channel.publish("", "q", body("m"));
        soon(called);
        soon(consumer.closeAsync());

        Channel other = channel.connection().openChannel();
        CompletableFuture<Delivery> redelivered = new CompletableFuture<>();
        other.consume(ConsumeOptions.of("q").autoAck(), redelivered::complete);
        assertThat(soon(redelivered).isRedelivered()).isTrue();
    }

    @Test
    void shouldSayWhatChannelWasClosedForWhenItIsUsedAgain() {
        channel.publish("nope", "", Properties.NONE, body("m"));

        assertThatThrownBy(() -> channel.queueDeclare(QueueOptions.named("other")))
                .hasMessageStartingWith("NOT_FOUND - no exchange 'nope' in vhost '/' (this channel was closed");
        assertThatThrownBy(() -> channel.publish("", "q", body("m")))
                .hasMessageStartingWith("NOT_FOUND - no exchange 'nope' in vhost '/' (this channel was closed");
    }
}
