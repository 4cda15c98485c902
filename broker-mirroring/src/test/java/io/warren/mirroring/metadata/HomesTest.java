package io.warren.mirroring.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Command.DeclareQueue;
import io.warren.core.metadata.Command.PutPolicy;
import io.warren.core.metadata.Outcome;
import io.warren.core.metadata.Policy;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.QueueDefinition;
import io.warren.mirroring.metadata.Command.Change;
import io.warren.mirroring.ring.Member;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where queues live, and what becomes of them when a process of a node ends. Nodes A, B and C; A's clients declare. */
class HomesTest {
    private final List<Outcome> lost = new ArrayList<>();
    private final Metadata metadata = new Metadata(LogId.first(7), new MetadataListener() {
        @Override
        public void onQueuesLost(long applied, Outcome outcome) {
            lost.add(outcome);
        }
    });
    private long sequence;

    @BeforeEach
    void threeNodes() {
        metadata.apply(
                new Command.Nodes(Map.of("A", Change.up(1, "a"), "B", Change.up(1, "b"), "C", Change.up(1, "c"))));
    }

    private void declare(QueueDefinition definition) {
        metadata.apply(
                new Command.ForTopology(new Member("A", 1), ++sequence, List.of(new DeclareQueue("/", definition))));
    }

    private static QueueDefinition durable(String name, Object... locator) {
        FieldTable arguments =
                locator.length == 0 ? FieldTable.EMPTY : FieldTable.of(Map.of("x-queue-master-locator", locator[0]));
        return new QueueDefinition(name, true, false, null, arguments);
    }

    private static QueueDefinition transientQueue(String name) {
        return new QueueDefinition(name, false, false, null, FieldTable.EMPTY);
    }

    private @Nullable Queue queue(String name) {
        return Objects.requireNonNull(metadata.topology().vhost("/")).queue(name);
    }

    private @Nullable String home(String name) {
        return Objects.requireNonNull(queue(name)).definition().home();
    }

    private void down(String node, long incarnation) {
        metadata.apply(new Command.Nodes(Map.of(node, Change.down(incarnation))));
    }

    @Test
    void shouldPutAQueueAtTheNodeOfTheClientWhenNothingIsSaid() {
        declare(durable("q"));
        declare(durable("odd", "nowhere"));
        declare(durable("number", 5));

        assertThat(home("q")).isEqualTo("A");
        assertThat(home("odd")).isEqualTo("A");
        assertThat(home("number")).isEqualTo("A");
    }

    @Test
    void shouldSpreadQueuesOverTheNodesThatRunWhenAsked() {
        down("B", 1);
        List<String> homes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            declare(durable("q" + i, "min-masters"));
            homes.add(home("q" + i));
        }
        Set<String> random = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            declare(durable("r" + i, "random"));
            random.add(home("r" + i));
        }

        assertThat(homes).containsExactly("A", "C", "A", "C");
        assertThat(random).containsExactlyInAnyOrder("A", "C");
    }

    @Test
    void shouldAskThePolicyWhenTheArgumentsSayNothing() {
        declare(durable("there"));
        metadata.apply(new Command.ForTopology(
                new Member("A", 1),
                ++sequence,
                List.of(new PutPolicy(
                        "/",
                        new Policy(
                                "p",
                                "^m",
                                Policy.AppliesTo.QUEUES,
                                0,
                                FieldTable.of(Map.of("queue-master-locator", "min-masters")))))));

        declare(durable("m1"));
        declare(durable("m2", "client-local"));
        declare(durable("other"));

        assertThat(home("m1")).isEqualTo("B");
        assertThat(home("m2")).isEqualTo("A");
        assertThat(home("other")).isEqualTo("A");
    }

    @Test
    void shouldKeepAnExclusiveQueueWithItsClient() {
        declare(new QueueDefinition(
                "q", false, false, "connection", FieldTable.of(Map.of("x-queue-master-locator", "min-masters"))));
        declare(new QueueDefinition(
                "p", false, false, "connection", FieldTable.of(Map.of("x-queue-master-locator", "min-masters"))));

        assertThat(home("q")).isEqualTo("A");
        assertThat(home("p")).isEqualTo("A");
    }

    @Test
    void shouldPutAQueueWhereTheDeclaringNodeSaysIfThatRuns() {
        down("C", 1);

        declare(durable("q").at("B"));
        declare(durable("p").at("C"));

        assertThat(home("q")).isEqualTo("B");
        assertThat(home("p")).isEqualTo("A");
    }

    @Test
    void shouldLeaveAQueueWhereItIsWhenItIsDeclaredAgain() {
        declare(durable("q").at("B"));

        declare(durable("q"));

        assertThat(home("q")).isEqualTo("B");
    }

    @Test
    void shouldEndQueuesThatAreTheirProcessWithIt() {
        declare(durable("durable").at("B"));
        declare(transientQueue("transient").at("B"));
        declare(transientQueue("elsewhere").at("C"));

        down("B", 1);

        assertThat(queue("transient")).isNull();
        assertThat(queue("durable")).isNotNull();
        assertThat(queue("elsewhere")).isNotNull();
        assertThat(lost).hasSize(1);
        assertThat(lost.get(0).changes()).hasSize(1);
    }

    @Test
    void shouldEndThemWhenANewProcessOfTheNodeRegistersFirst() {
        declare(transientQueue("transient").at("B"));

        metadata.apply(new Command.Nodes(Map.of("B", Change.up(2, "b"))));

        assertThat(queue("transient")).isNull();
    }

    @Test
    void shouldNotEndThemTwiceOrForADeathThatIsRefused() {
        declare(transientQueue("transient").at("B"));

        down("B", 0);
        assertThat(queue("transient")).isNotNull();

        metadata.apply(new Command.Nodes(Map.of("B", Change.up(1, "b"))));
        assertThat(queue("transient")).isNotNull();
        down("B", 1);
        down("B", 1);
        assertThat(lost).hasSize(1);
    }

    @Test
    void shouldForgetANodeThatIsDownWithAllItsQueues() {
        declare(durable("durable").at("B"));
        assertThat(metadata.apply(new Command.Forget("B"))).isEqualTo(Result.REFUSED);
        down("B", 1);

        assertThat(metadata.apply(new Command.Forget("B"))).isEqualTo(Result.APPLIED);
        assertThat(metadata.apply(new Command.Forget("B"))).isEqualTo(Result.APPLIED);

        assertThat(queue("durable")).isNull();
        assertThat(metadata.nodes()).containsOnlyKeys("A", "C");
    }

    @Test
    void shouldNotForgetANodeThatAQueueWaitsFor() {
        metadata.apply(new Command.CreateGroup("mirrored", true, 1, List.of("B")));
        down("B", 1);

        assertThat(metadata.apply(new Command.Forget("B"))).isEqualTo(Result.REFUSED);
    }

    @Test
    void shouldGiveANewNodeNobodysPlaceInTheOrderOfJoining() {
        down("A", 1);
        metadata.apply(new Command.Forget("A"));

        metadata.apply(new Command.Nodes(Map.of("D", Change.up(1, "d"))));

        assertThat(metadata.nodes().values()).extracting(NodeState::joined).doesNotHaveDuplicates();
    }

    @Test
    void shouldEndAProcessesQueuesInALogFoundedAnew() {
        declare(transientQueue("transient").at("A"));
        declare(durable("durable").at("A"));

        Metadata founded = metadata.found(9, "A", new MetadataListener() {});

        assertThat(Objects.requireNonNull(founded.topology().vhost("/")).queue("transient"))
                .isNull();
        assertThat(Objects.requireNonNull(founded.topology().vhost("/")).queue("durable"))
                .isNotNull();
    }
}
