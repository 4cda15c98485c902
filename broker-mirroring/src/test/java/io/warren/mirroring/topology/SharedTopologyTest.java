package io.warren.mirroring.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.ExchangeOptions;
import io.warren.core.QueueDeclared;
import io.warren.core.QueueOptions;
import io.warren.core.error.AmqpException;
import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Outcome;
import io.warren.core.metadata.QueueDefinition;
import io.warren.mirroring.memory.MemoryMetadataCluster;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Command.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three brokers A, B and C, one topology. */
class SharedTopologyTest {
    private static final Duration DETECTION = Duration.ofSeconds(2);

    private final MemoryMetadataCluster cluster = new MemoryMetadataCluster(1);
    private final List<SharedTopology> topologies = new ArrayList<>();
    private final List<Broker> brokers = new ArrayList<>();
    private Channel a;
    private Channel b;
    private Channel c;

    @BeforeEach
    void startNodes() {
        for (String node : List.of("A", "B", "C")) {
            topologies.add(SharedTopology.of(node, cluster.node(node), DETECTION, 0));
        }
        cluster.node("A")
                .submit(
                        new Command.Nodes(
                                Map.of("A", Change.up(1, "a"), "B", Change.up(1, "b"), "C", Change.up(1, "c"))),
                        result -> {});
        topologies.forEach(topology ->
                brokers.add(Broker.builder().metadataStore(topology).seed(1).start()));
        a = brokers.get(0).connect().openChannel();
        b = brokers.get(1).connect().openChannel();
        c = brokers.get(2).connect().openChannel();
    }

    @AfterEach
    void stopNodes() {
        cluster.heal();
        brokers.forEach(Broker::close);
    }

    @Test
    void shouldSeeOnAllNodesWhatIsDeclaredAndBoundThroughOne() {
        a.exchangeDeclare(ExchangeOptions.topic("events"));
        b.queueDeclare(QueueOptions.durable("orders"));
        c.queueBind("orders", "events", "order.*");

        for (Channel channel : List.of(a, b, c)) {
            channel.publish("events", "order.paid", "once here".getBytes(UTF_8));
            assertThat(channel.queueDeclarePassive("orders").messageCount()).isEqualTo(1);
        }
    }

    @Test
    void shouldSeeOnAllNodesWhatIsDeletedThroughOne() {
        a.queueDeclare(QueueOptions.durable("orders"));

        b.queueDelete("orders");

        for (Channel channel : List.of(a, b, c)) {
            assertThatThrownBy(() -> channel.queueDeclarePassive("orders"))
                    .isInstanceOf(AmqpException.class)
                    .hasMessageContaining("NOT_FOUND");
        }
    }

    @Test
    void shouldRefuseThroughOneNodeWhatContradictsADeclareThroughAnother() {
        a.queueDeclare(QueueOptions.durable("orders"));

        assertThatThrownBy(() -> b.queueDeclare(QueueOptions.named("orders")))
                .isInstanceOf(AmqpException.class)
                .hasMessageContaining("PRECONDITION_FAILED");
    }

    @Test
    void shouldAnswerADeclareOnlyWhenTheLastRunningNodeHasAppliedIt() {
        cluster.partition(Set.of("C"));
        CompletableFuture<QueueDeclared> declared = a.queueDeclareAsync(QueueOptions.durable("orders"));
        settle();
        assertThat(declared).isNotDone();

        cluster.heal();
        settle();

        assertThat(declared).isCompleted();
    }

    @Test
    void shouldNotWaitForANodeThatWasDeclaredDown() {
        cluster.partition(Set.of("C"));
        CompletableFuture<QueueDeclared> declared = a.queueDeclareAsync(QueueOptions.durable("orders"));
        settle();

        cluster.node("B").submit(new Command.Nodes(Map.of("C", Change.down(1))), result -> {});
        settle();

        assertThat(declared).isCompleted();
    }

    @Test
    void shouldNameTheNodeThatHasNotAppliedADeclareInFifteenSeconds() {
        cluster.partition(Set.of("C"));
        CompletableFuture<QueueDeclared> declared = a.queueDeclareAsync(QueueOptions.durable("orders"));
        settle();

        topologies.get(0).onTick(Duration.ofSeconds(16).toNanos());
        settle();

        assertThat(declared).isCompletedExceptionally();
        assertThat(a.connection().closeReason().text()).isEqualTo("INTERNAL_ERROR - not applied yet by C");
    }

    @Test
    void shouldDeclareWhenTheFirstCommandOrItsAnswerWasLost() {
        for (Consumer<Integer> loss : List.<Consumer<Integer>>of(cluster::loseCommands, cluster::loseAnswers)) {
            loss.accept(1);
            CompletableFuture<QueueDeclared> declared = a.queueDeclareAsync(QueueOptions.durable("orders"));
            settle();

            topologies.get(0).onTick(Duration.ofSeconds(3).toNanos());
            settle();

            assertThat(declared).isCompleted();
        }
    }

    @Test
    void shouldGiveACommandItsTimeThatCameBeforeTheFirstTick() {
        long startedNs = Duration.ofHours(1).toNanos();
        SharedTopology late = SharedTopology.of("D", cluster.node("D"), DETECTION, startedNs);
        QueueDefinition orders = new QueueDefinition("orders", true, false, null, FieldTable.of(Map.of()));
        CompletableFuture<Outcome> declared = late.submit(new io.warren.core.metadata.Command.DeclareQueue("/", orders))
                .toCompletableFuture();

        late.onTick(startedNs + Duration.ofMillis(500).toNanos());
        assertThat(declared).isNotDone();
        late.onTick(startedNs + Duration.ofSeconds(16).toNanos());

        assertThat(declared).isCompletedExceptionally();
    }

    @Test
    void shouldRunTheQueuesThatWereThereBeforeItsBroker() {
        a.queueDeclare(QueueOptions.durable("orders"));

        SharedTopology late = SharedTopology.of("D", cluster.node("D"), DETECTION, 0);
        cluster.node("D").submit(new Command.Nodes(Map.of("D", Change.up(1, "d"))), result -> {});
        topologies.add(late);
        brokers.add(Broker.builder().metadataStore(late).seed(1).start());
        Channel d = brokers.get(3).connect().openChannel();

        d.publish("", "orders", "through D".getBytes(UTF_8));
        assertThat(d.get("orders", true).text()).isEqualTo("through D");
    }

    private void settle() {
        brokers.forEach(Broker::runDue);
    }
}
