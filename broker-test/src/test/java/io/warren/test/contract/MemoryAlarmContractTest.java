package io.warren.test.contract;

import static io.warren.test.contract.QueueSpec.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Publishers wait while memory is short, consumers go on. */
@Row("A10")
@Row("A6")
final class MemoryAlarmContractTest {

    @Contract(needs = Capability.MEMORY_ALARM)
    void shouldHoldPublisherAndServeConsumersWhileAlarmIsRaised(Deployment broker) throws Exception {
        var consumer = broker.channel();
        consumer.queueDeclare(queue("q"));
        broker.send("q", "before");
        var client = broker.connect();
        var publisher = client.openChannel();
        publisher.confirmSelect();

        broker.administration().setMemoryAlarm(true);
        // A deployment may hold the publisher in the call itself.
        var publishing = CompletableFuture.runAsync(() -> publisher.publish("", "q", "during"));
        client.awaitBlocked();
        var received = consumer.consume(ConsumeSpec.from("q").noAck());
        String beforeText = received.next().text();
        consumer.settle("q");
        var during = received.pending();
        var confirmsDuring = publisher.publisherEvents().soFar();
        broker.administration().setMemoryAlarm(false);
        client.awaitUnblocked();
        publishing.get(10, TimeUnit.SECONDS);

        assertThat(beforeText).isEqualTo("before");
        assertThat(during).isEmpty();
        assertThat(confirmsDuring).isEmpty();
        assertThat(received.next().text()).isEqualTo("during");
        assertThat(publisher.publisherEvents().awaitConfirms()).containsExactly(PublisherEvent.ack(1));
    }
}
