package io.warren.mirroring.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Command.DeclareQueue;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Outcome;
import io.warren.core.metadata.QueueDefinition;
import io.warren.mirroring.ring.Member;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Node A asks; callers are known by a word. */
class TopologyRequestsTest {
    private static final Member A = new Member("A", 1);

    private final List<Command.ForTopology> submitted = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final TopologyRequests<String> requests = new TopologyRequests<>(
            new TopologyOutput<>() {
                @Override
                public void submit(Command.ForTopology group) {
                    submitted.add(group);
                }

                @Override
                public void answer(String caller, Outcome outcome) {
                    told.add(caller + (outcome.refusal() == null ? " applied" : " refused"));
                }

                @Override
                public void expire(String caller, String why) {
                    told.add(caller + ": " + why);
                }
            },
            500,
            15_000);

    private Definitions definitions = Definitions.initial();

    @Test
    void shouldAnswerWhenEveryRunningNodeHasAppliedIt() {
        given("A", "B");
        requests.request(declare("q"), "one", 0);

        applied(7);
        requests.onReported("A", 7);
        requests.onReported("B", 6);
        assertThat(told).isEmpty();
        requests.onReported("B", 7);

        assertThat(told).containsExactly("one applied");
    }

    @Test
    void shouldNotWaitForANodeThatNoLongerRuns() {
        given("A", "B");
        requests.request(declare("q"), "one", 0);
        applied(7);
        requests.onReported("A", 7);

        requests.onRunning(List.of("A"));

        assertThat(told).containsExactly("one applied");
    }

    @Test
    void shouldAnswerARefusalAtOnce() {
        given("A", "B");
        requests.request(new DeclareQueue("nowhere", queue("q")), "one", 0);

        applied(7);

        assertThat(told).containsExactly("one refused");
    }

    @Test
    void shouldMakeOneGroupOfWhatComesWhileAnotherIsUnderWay() {
        given("A");
        requests.request(declare("q"), "one", 0);
        requests.request(declare("p"), "two", 1);
        requests.request(declare("r"), "three", 2);

        applied(7);
        applied(8);
        requests.onReported("A", 8);

        assertThat(submitted).extracting(Command.ForTopology::sequence).containsExactly(1L, 2L);
        assertThat(submitted.get(1).commands()).containsExactly(declare("p"), declare("r"));
        assertThat(told).containsExactly("one applied", "two applied", "three applied");
    }

    @Test
    void shouldSubmitTheSameGroupAgainUntilItIsSeenApplied() {
        given("A");
        requests.request(declare("q"), "one", 0);

        requests.onTick(500);
        requests.onTick(501);
        applied(7);
        requests.onTick(1_200);

        assertThat(submitted).hasSize(2);
        assertThat(submitted.get(1)).isEqualTo(submitted.get(0));
    }

    @Test
    void shouldSubmitAsTheNewProcessWhatTheOldOneWasNotSeenToGetApplied() {
        given("A");
        requests.request(declare("q"), "one", 0);
        Member again = new Member("A", 2);

        requests.onRegistered(again, 10);
        requests.onRegistered(again, 11);

        assertThat(submitted.get(1)).isEqualTo(new Command.ForTopology(again, 1, List.of(declare("q"))));
        assertThat(submitted).hasSize(2);
    }

    @Test
    void shouldSubmitNothingBeforeItIsRegistered() {
        requests.request(declare("q"), "one", 0);
        assertThat(submitted).isEmpty();

        requests.onRegistered(A, 1);

        assertThat(submitted).hasSize(1);
    }

    @Test
    void shouldNameTheNodesThatHaveNotAppliedItWhenTimeIsOver() {
        given("A", "B", "C");
        requests.request(declare("q"), "one", 0);
        applied(7);
        requests.onReported("A", 7);

        requests.onTick(15_001);
        requests.onReported("B", 7);
        requests.onReported("C", 7);

        assertThat(told).containsExactly("one: not applied yet by B, C");
    }

    @Test
    void shouldGiveUpWithoutAControllerAndKeepTheGroupsNumber() {
        given("A");
        requests.request(declare("q"), "one", 0);
        requests.request(declare("p"), "two", 1);

        requests.onTick(15_002);
        applied(7);
        requests.request(declare("r"), "three", 16_000);

        assertThat(told).containsExactly("two: no controller took the command", "one: no controller took the command");
        assertThat(submitted).last().extracting(Command.ForTopology::sequence).isEqualTo(2L);
    }

    @Test
    void shouldNotTakeWhatWasToldOfAnotherLogForThisOne() {
        given("A", "B");
        requests.onReported("B", 500);
        requests.onFollowing(0, 0);
        requests.request(declare("q"), "one", 0);

        applied(7);
        requests.onReported("A", 7);

        assertThat(told).isEmpty();
    }

    @Test
    void shouldAskAgainWhatAStateHasTakenInUnheard() {
        given("A");
        requests.request(declare("q"), "one", 0);

        requests.onFollowing(1, 100);
        applied(7);
        requests.onReported("A", 7);

        assertThat(submitted).extracting(Command.ForTopology::sequence).containsExactly(1L, 2L);
        assertThat(told).containsExactly("one applied");
    }

    @Test
    void shouldGoOnWaitingWhenAStateDoesNotHaveWhatWasAsked() {
        given("A");
        requests.request(declare("q"), "one", 0);

        requests.onFollowing(0, 100);

        assertThat(submitted).extracting(Command.ForTopology::sequence).containsExactly(1L);
        assertThat(told).isEmpty();
    }

    private void given(String... running) {
        requests.onRegistered(A, 0);
        requests.onRunning(List.of(running));
    }

    /** The log has brought what was submitted last. */
    private void applied(long number) {
        List<Outcome> outcomes = new ArrayList<>();
        for (var command : submitted.get(submitted.size() - 1).commands()) {
            Outcome outcome = definitions.apply(command);
            definitions = outcome.definitions();
            outcomes.add(outcome);
        }
        requests.onApplied(number, A, outcomes, 0);
    }

    private static DeclareQueue declare(String name) {
        return new DeclareQueue("/", queue(name));
    }

    private static QueueDefinition queue(String name) {
        return new QueueDefinition(name, true, false, null, FieldTable.EMPTY);
    }
}
