package io.warren.usage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.Credentials;
import io.warren.core.Delivery;
import io.warren.core.ExchangeOptions;
import io.warren.core.QueueOptions;
import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Policy;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Starting, resetting and closing, and what is said about it; from a package that is not the library's, as users are. */
class LifecycleTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.warren.core");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
    }

    private List<String> warnings() {
        return log.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void shouldSayWhereConnectionWasOpenedWhenBrokerIsClosedBeforeIt() {
        Broker broker = Broker.start();
        Connection connection = broker.connect();

        broker.close();

        assertThat(connection.isOpen()).isFalse();
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("is still open")
                .contains("opened at LifecycleTest.java:");
    }

    @Test
    void shouldBeSilentWhenAllIsClosed() {
        Broker broker = Broker.start();
        broker.connect().close();

        broker.close();
        broker.close();

        assertThat(warnings()).isEmpty();
        assertThatIllegalStateException().isThrownBy(broker::connect).withMessageContaining("closed");
    }

    @Test
    void shouldSayThatChannelWasClosedBeforeWhenCalledAgain() {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();
            assertThatThrownBy(() -> channel.consume("none", delivery -> {}))
                    .hasMessage("NOT_FOUND - no queue 'none' in vhost '/'");

            assertThatThrownBy(() -> channel.queueDeclare(QueueOptions.named("a")))
                    .hasMessage("NOT_FOUND - no queue 'none' in vhost '/'"
                            + " (this channel was closed by that before the call)");
        }
    }

    @Test
    void shouldSayWhatIsClosedWhenUserClosedIt() {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();
            channel.close();

            assertThatIllegalStateException()
                    .isThrownBy(() -> channel.queueDeclare(QueueOptions.named("a")))
                    .withMessageStartingWith("this channel is closed");
        }
    }

    @Test
    void shouldWarnOnceOfArgumentWithoutEffect() {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();

            channel.queueDeclare(QueueOptions.named("a").argument("x-foo", 1));
            channel.queueDeclare(QueueOptions.named("b").argument("x-foo", 1));
        }

        assertThat(warnings()).containsExactly("argument 'x-foo' of queue 'a' has no effect here");
    }

    @Test
    void shouldRefuseArgumentWithoutEffectWhenStrict() {
        try (Broker broker = Broker.builder().strictArguments().start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();

            assertThatThrownBy(
                            () -> channel.queueDeclare(QueueOptions.named("a").argument("x-foo", 1)))
                    .hasMessageContaining("'x-foo'")
                    .hasMessageContaining("has no effect here");
        }
    }

    @Test
    void shouldNameWhatIsSupportedWhenQueueTypeIsNot() {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();

            assertThatThrownBy(
                            () -> channel.queueDeclare(QueueOptions.named("a").argument("x-queue-type", "quorum")))
                    .hasMessageContaining("'quorum'")
                    .hasMessageContaining("'classic'");
        }
    }

    @Test
    void shouldForgetTopologyAndKeepConnectionsWhenReset() {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            Channel channel = connection.openChannel();
            channel.queueDeclare(QueueOptions.durable("q"));
            channel.exchangeDeclare(ExchangeOptions.topic("x"));
            channel.queueBind("q", "amq.topic", "#");
            channel.publish("", "q", "m".getBytes(UTF_8));

            broker.reset();

            assertThat(broker.vhost("/").queueNames()).isEmpty();
            assertThat(broker.vhost("/").exchangeNames())
                    .contains("", "amq.topic")
                    .doesNotContain("x");
            assertThat(channel.queueDeclare(QueueOptions.named("q")).messageCount())
                    .isZero();
        }
    }

    @Test
    void shouldCloseConnectionsWhenAskedToWithReset() {
        try (Broker broker = Broker.start()) {
            Connection connection = broker.connect();

            broker.resetAndDisconnect();

            assertThat(connection.isOpen()).isFalse();
            assertThat(connection.closeReason().code().code()).isEqualTo(320);
        }
    }

    @Test
    void shouldKeepBrokersApart() {
        try (Broker one = Broker.start();
                Broker two = Broker.start();
                Connection connection = one.connect()) {
            connection.openChannel().queueDeclare(QueueOptions.named("q"));

            assertThat(one.vhost("/").queueNames()).containsExactly("q");
            assertThat(two.vhost("/").queueNames()).isEmpty();
        }
    }

    @Test
    void shouldLeaveOnlyDaemonThreads() {
        try (Broker broker = Broker.builder().name("threads").start();
                Connection connection = broker.connect()) {
            connection.openChannel().queueDeclare(QueueOptions.named("q"));
            connection.openChannel().consume("q", Delivery::ack);
            connection.openChannel().publish("", "q", new byte[0]);

            assertThat(Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().startsWith("threads-")))
                    .isNotEmpty()
                    .allMatch(Thread::isDaemon);
        }
    }

    @Test
    void shouldLetGuestInByItsPasswordOnly() {
        try (Broker broker = Broker.start()) {
            broker.connect("/", new Credentials("guest", "guest")).close();

            assertThatThrownBy(() -> broker.connect("/", new Credentials("guest", "other")))
                    .hasMessageContaining("ACCESS_REFUSED");
        }
    }

    @Test
    void shouldNameKnownKeysWhenPolicyHasAnother() {
        try (Broker broker = Broker.start()) {
            Policy policy = new Policy("p", "^q", Policy.AppliesTo.QUEUES, 0, FieldTable.of("max-lenght", 5));

            assertThatThrownBy(() -> broker.administration().setPolicy("/", policy))
                    .hasMessageContaining("policy 'p': 'max-lenght' is not a key; keys are [alternate-exchange,")
                    .hasMessageContaining("max-length");
        }
    }

    @Test
    void shouldNameValueWhenPolicyHasOneThatIsNone() {
        try (Broker broker = Broker.start()) {
            Policy policy = new Policy("p", "^q", Policy.AppliesTo.QUEUES, 0, FieldTable.of("expires", 0));

            assertThatThrownBy(() -> broker.administration().setPolicy("/", policy))
                    .hasMessageContaining("policy 'p': 'expires' must be a whole number from 1 on, was 0");
        }
    }
}
