package io.warren.core.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Relocation.Move;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RelocationTest {

    private static Definitions withQueue(String name) {
        QueueDefinition definition = new QueueDefinition(name, true, false, null, FieldTable.EMPTY, "a");
        return Definitions.initial()
                .apply(new Command.DeclareQueue("/", definition))
                .definitions();
    }

    private static Queue queue(Definitions definitions, String name) {
        return Objects.requireNonNull(
                Objects.requireNonNull(definitions.vhost("/")).queue(name));
    }

    @Test
    void shouldMoveAQueueAndNothingElseOfIt() {
        Definitions before = withQueue("q");
        Queue there = queue(before, "q");

        Outcome outcome = Relocation.of(before, List.of(new Move("/", "q", there.id(), "b")));

        Queue moved = queue(outcome.definitions(), "q");
        assertThat(moved.definition()).isEqualTo(there.definition().at("b"));
        assertThat(moved.id()).isEqualTo(there.id());
        assertThat(moved.settings()).isEqualTo(there.settings());
        assertThat(outcome.changes()).containsExactly(new Change.QueueMoved("/", moved));
        assertThat(outcome.refusal()).isNull();
    }

    @Test
    void shouldLeaveAQueueThatIsThereAlreadyOrIsNotTheOneThatIsMeant() {
        Definitions before = withQueue("q");
        long id = queue(before, "q").id();

        Outcome outcome = Relocation.of(
                before,
                List.of(
                        new Move("/", "q", id, "a"),
                        new Move("/", "q", id + 1, "b"),
                        new Move("/", "p", id, "b"),
                        new Move("v", "q", id, "b")));

        assertThat(outcome.changes()).isEmpty();
        assertThat(outcome.definitions()).isEqualTo(before);
    }
}
