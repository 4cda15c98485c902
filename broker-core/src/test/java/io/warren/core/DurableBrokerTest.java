package io.warren.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Command;
import io.warren.core.metadata.PasswordHash;
import io.warren.core.metadata.Policy;
import io.warren.core.spi.ManualClock;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a broker finds again in its data directory after a clean stop. */
@Timeout(60)
class DurableBrokerTest {

    private static final Properties PERSISTENT =
            Properties.builder().persistent().build();

    @TempDir
    private Path directory;

    private Broker broker;
    private Connection connection;
    private Channel channel;

    @BeforeEach
    void start() {
        open(Broker.builder());
    }

    private void open(BrokerBuilder builder) {
        broker = builder.dataDirectory(directory).start();
        connection = broker.connect();
        channel = connection.openChannel();
    }

    @AfterEach
    void stop() {
        connection.close();
        broker.close();
    }

    private void restart() {
        stop();
        start();
    }

    private void publish(String queue, Properties properties, String text) {
        channel.publish("", queue, false, properties, text.getBytes(UTF_8));
    }

    private String get(String queue) {
        Delivery delivery = channel.get(queue, true);
        return delivery == null ? null : delivery.text();
    }

    private void confirmAll() {
        channel.waitForConfirms(Duration.ofSeconds(30));
    }

    @Test
    void shouldKeepPersistentMessagesOfDurableQueueWhenRestarted() {
        channel.queueDeclare(QueueOptions.durable("q"));
        channel.confirmSelect();
        Properties rich = PERSISTENT.toBuilder()
                .contentType("text/plain")
                .header("n", 7)
                .messageId("id")
                .timestamp(Instant.ofEpochSecond(5))
                .build();
        publish("q", rich, "one");
        publish("q", Properties.NONE, "transient");
        publish("q", PERSISTENT, "two");
        confirmAll();

        restart();

        Delivery first = channel.get("q", true);
        assertThat(first.text()).isEqualTo("one");
        assertThat(first.properties()).isEqualTo(rich);
        assertThat(first.isRedelivered()).isFalse();
        assertThat(first.routingKey()).isEqualTo("q");
        assertThat(get("q")).isEqualTo("two");
        assertThat(get("q")).isNull();
    }

    @Test
    void shouldForgetWhatWasAcknowledgedWhenRestarted() {
        channel.queueDeclare(QueueOptions.durable("q"));
        for (String text : List.of("a", "b", "c")) {
            publish("q", PERSISTENT, text);
        }
        channel.get("q", false).ack();
        channel.get("q", false);

        restart();

        Delivery seen = channel.get("q", false);
        assertThat(seen.text()).isEqualTo("b");
        assertThat(seen.isRedelivered()).isTrue();
        Delivery unseen = channel.get("q", false);
        assertThat(unseen.text()).isEqualTo("c");
        assertThat(unseen.isRedelivered()).isFalse();
    }

    @Test
    void shouldKeepDurableTopologyOnlyWhenRestarted() {
        channel.exchangeDeclare(ExchangeOptions.topic("kept").durable());
        channel.exchangeDeclare(ExchangeOptions.topic("lost"));
        channel.queueDeclare(QueueOptions.durable("kept"));
        channel.queueDeclare(QueueOptions.named("lost"));
        channel.queueBind("kept", "kept", "a.*");
        channel.queueBind("kept", "lost", "a.*");
        channel.queueBind("lost", "kept", "a.*");
        broker.administration()
                .setPolicy("/", new Policy("p", "kept", Policy.AppliesTo.QUEUES, 1, FieldTable.of("max-length", 1)));
        broker.administration().putUser("eve", "secret");
        broker.administration().createVhost("other");

        restart();

        assertThat(broker.vhost("/").queueNames()).containsExactly("kept");
        channel.publish("kept", "a.b", false, PERSISTENT, "1".getBytes(UTF_8));
        channel.publish("kept", "a.b", false, PERSISTENT, "2".getBytes(UTF_8));
        assertThat(get("kept")).isEqualTo("2");
        assertThat(get("kept")).isNull();
        assertThat(broker.vhost("/").exchangeNames()).contains("kept").doesNotContain("lost");
        broker.connect("other").close();
        assertThatThrownBy(() -> broker.connect("/", new Credentials("eve", "wrong")))
                .hasMessageContaining("ACCESS_REFUSED");
    }

    @Test
    void shouldKeepDeletedUserDeletedWhenRestarted() {
        broker.administration().putUser("admin", "secret");
        broker.administration().setPermissions("/", "admin", ".*", ".*", ".*");
        broker.administration().deleteUser(Broker.GUEST);

        stop();
        broker = Broker.builder().dataDirectory(directory).start();
        connection = broker.connect("/", new Credentials("admin", "secret"));

        assertThatThrownBy(() -> broker.connect("/", new Credentials("guest", "guest")))
                .hasMessageContaining("ACCESS_REFUSED");
    }

    @Test
    void shouldKeepNothingOfDeletedQueueWhenDeclaredAgain() {
        channel.queueDeclare(QueueOptions.durable("q"));
        publish("q", PERSISTENT, "old");
        channel.queueDelete("q");
        channel.queueDeclare(QueueOptions.durable("q"));
        publish("q", PERSISTENT, "new");

        restart();

        assertThat(get("q")).isEqualTo("new");
        assertThat(get("q")).isNull();
    }

    @Test
    void shouldKeepNothingPurgedWhenRestarted() {
        channel.queueDeclare(QueueOptions.durable("q"));
        publish("q", PERSISTENT, "a");
        publish("q", PERSISTENT, "b");
        Delivery held = channel.get("q", false);
        channel.queuePurge("q");
        publish("q", PERSISTENT, "c");
        assertThat(held.text()).isEqualTo("a");

        restart();

        assertThat(get("q")).isEqualTo("a");
        assertThat(get("q")).isEqualTo("c");
        assertThat(get("q")).isNull();
    }

    @Test
    void shouldLetTimeToLiveGoOnWhileDown() {
        stop();
        open(Broker.builder().clock(new ManualClock(Instant.parse("2024-01-01T00:00:00Z"))));
        channel.queueDeclare(QueueOptions.durable("q"));
        publish("q", PERSISTENT.toBuilder().expiration("60000").build(), "a minute");
        publish("q", PERSISTENT.toBuilder().expiration("7200000").build(), "two hours");
        stop();

        ManualClock later = new ManualClock(Instant.parse("2024-01-01T01:00:00Z"));
        open(Broker.builder().clock(later));

        assertThat(get("q")).isEqualTo("two hours");
        assertThat(get("q")).isNull();
    }

    @Test
    void shouldDeadLetterWhatExpiredWhileDown() {
        stop();
        open(Broker.builder().clock(new ManualClock(Instant.parse("2024-01-01T00:00:00Z"))));
        channel.queueDeclare(QueueOptions.durable("dead"));
        channel.queueDeclare(QueueOptions.durable("q").deadLetterExchange("").deadLetterRoutingKey("dead"));
        publish("q", PERSISTENT.toBuilder().expiration("60000").build(), "late");
        stop();

        ManualClock later = new ManualClock(Instant.parse("2024-01-01T01:00:00Z"));
        open(Broker.builder().clock(later));
        later.advance(Duration.ZERO);

        Awaitility.await().untilAsserted(() -> assertThat(get("dead")).isEqualTo("late"));
        assertThat(get("q")).isNull();
    }

    @Test
    void shouldKeepMessageWhenItIsLargerThanAnyBuffer() {
        channel.queueDeclare(QueueOptions.durable("q"));
        channel.confirmSelect();
        String body = "b".repeat(3_000_000);
        Properties longHeaders =
                PERSISTENT.toBuilder().header("h", "x".repeat(2_500_000)).build();
        publish("q", longHeaders, body);
        publish("q", PERSISTENT, "small");
        confirmAll();

        restart();

        Delivery large = channel.get("q", true);
        assertThat(large.text()).isEqualTo(body);
        assertThat(large.properties()).isEqualTo(longHeaders);
        assertThat(get("q")).isEqualTo("small");
    }

    @Test
    void shouldKeepCommittedTransactionWhenRestarted() {
        channel.queueDeclare(QueueOptions.durable("q"));
        publish("q", PERSISTENT, "before");
        channel.txSelect();
        channel.get("q", false).ack();
        publish("q", PERSISTENT, "in it");
        channel.txCommit();
        publish("q", PERSISTENT, "never committed");

        restart();

        assertThat(get("q")).isEqualTo("in it");
        assertThat(get("q")).isNull();
    }

    @Test
    void shouldKeepOrderOfPrioritiesWhenRestarted() {
        channel.queueDeclare(QueueOptions.durable("q").maxPriority(5));
        publish("q", PERSISTENT.toBuilder().priority(1).build(), "low");
        publish("q", PERSISTENT.toBuilder().priority(4).build(), "high");
        assertThat(channel.get("q", false).text()).isEqualTo("high");

        restart();

        Delivery high = channel.get("q", true);
        assertThat(high.text()).isEqualTo("high");
        assertThat(high.isRedelivered()).isTrue();
        Delivery low = channel.get("q", true);
        assertThat(low.text()).isEqualTo("low");
        assertThat(low.isRedelivered()).isFalse();
    }

    @Test
    void shouldKeepBodiesOnDiskWhenQueueIsLazy() {
        channel.queueDeclare(QueueOptions.durable("q").argument("x-queue-mode", "lazy"));
        channel.confirmSelect();
        for (int i = 0; i < 3_000; i++) {
            publish("q", i % 2 == 0 ? PERSISTENT : Properties.NONE, "message " + i);
        }
        confirmAll();

        for (int i = 0; i < 3_000; i++) {
            assertThat(get("q")).isEqualTo("message " + i);
        }
        assertThat(get("q")).isNull();
    }

    @Test
    void shouldRefuseToStartWhenAnotherBrokerHasTheDirectory() {
        assertThatThrownBy(() -> Broker.builder().dataDirectory(directory).start())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("is in use by another broker");
    }

    @Test
    void shouldRefuseSeedWhenThereIsADirectory() {
        assertThatThrownBy(
                        () -> Broker.builder().seed(1).dataDirectory(directory).start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("seed=1");
    }

    @Test
    void shouldDoNoHarmWhenUserThreadIsInterrupted() {
        channel.queueDeclare(QueueOptions.durable("q"));
        channel.confirmSelect();

        Thread.currentThread().interrupt();
        var confirmed = channel.publishAsync("", "q", false, PERSISTENT, "one".getBytes(UTF_8));
        assertThat(Thread.interrupted()).isTrue();
        confirmAll();
        assertThat(confirmed).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
        connection.close();
        Thread.currentThread().interrupt();
        broker.close();
        assertThat(Thread.interrupted()).isTrue();
        Thread.currentThread().interrupt();
        start();
        assertThat(Thread.interrupted()).isTrue();

        assertThat(get("q")).isEqualTo("one");
    }

    @Test
    void shouldLetUsersInByTheirHashesWhenRestarted() {
        // Made by RabbitMQ's own recipe with four bytes of salt.
        PasswordHash sha512 = new PasswordHash(
                PasswordHash.Algorithm.SHA512,
                "BQYHCMCuArkGj8PWqh4N0J/YOgurxCSPN6GoRtpS25Imi+QzxGFe/Nc/sj7HIC0kWuXGtpO9js2Gh2iYldBY2tVYzIs=");
        PasswordHash md5 = new PasswordHash(PasswordHash.Algorithm.MD5, "CQoLDEfTZ9ow6KTVze2YCNECoew=");
        broker.administration().apply(new Command.PutUser("long", sha512, Set.of("management")));
        broker.administration().apply(new Command.PutUser("short", md5, Set.of()));
        broker.administration().apply(new Command.PutUser("none", null, Set.of()));
        broker.administration().setPermissions("/", "long", ".*", ".*", ".*");
        broker.administration().setPermissions("/", "short", ".*", ".*", ".*");

        restart();

        broker.connect("/", new Credentials("long", "open sesame 512")).close();
        broker.connect("/", new Credentials("short", "open sesame md5")).close();
        assertThat(broker.administration().definitions().user("none").password())
                .isNull();
    }
}
