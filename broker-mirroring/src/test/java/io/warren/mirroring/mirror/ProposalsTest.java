package io.warren.mirroring.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.metadata.Result;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What masters propose is said again until it has an effect. */
class ProposalsTest {
    private static final Member B = new Member("b", 1);

    private final Submitted store = new Submitted();
    private final Proposals proposals = new Proposals(store);

    /** A store that answers when it is told to. */
    private static final class Submitted implements MetadataStore {
        final List<Command> commands = new ArrayList<>();
        final List<Consumer<Result>> answers = new ArrayList<>();

        @Override
        public void submit(Command command, Consumer<Result> answer) {
            commands.add(command);
            answers.add(answer);
        }

        @Override
        public <R> R read(Function<Metadata, R> reader) {
            throw new IllegalStateException("nobody asks for this here");
        }

        @Override
        public void subscribe(MetadataListener listener) {
            throw new IllegalStateException("nobody asks for this here");
        }

        @Override
        public void reportApplied(long applied) {
            throw new IllegalStateException("nobody asks for this here");
        }
    }

    private static Command inSync(long epoch) {
        return new Command.MemberInSync(7, List.of(new Command.Claim("queue-1", epoch, B)));
    }

    private static View view(long epoch) {
        return new View(7, epoch, 1, 0, 0, 1, true, List.of(new Member("a", 1)), List.of(B), List.of());
    }

    @Test
    void shouldSubmitAtOnceAndAgainUntilItIsAnswered() {
        proposals.propose(7, "queue-1", 3, B, true);
        store.answers.get(0).accept(Result.UNKNOWN);
        proposals.onTick();
        store.answers.get(1).accept(Result.APPLIED);
        proposals.onTick();

        assertThat(store.commands).containsExactly(inSync(3), inSync(3));
    }

    @Test
    void shouldNotSayAgainWhatIsUnderWay() {
        proposals.propose(7, "queue-1", 3, B, true);
        proposals.onTick();

        assertThat(store.commands).containsExactly(inSync(3));
    }

    @Test
    void shouldForgetWhatWasProposedInAnEarlierView() {
        proposals.propose(7, "queue-1", 3, B, true);
        store.answers.get(0).accept(Result.UNKNOWN);

        proposals.onView("queue-2", view(9));
        proposals.onView("queue-1", view(3));
        proposals.onTick();
        store.answers.get(1).accept(Result.UNKNOWN);
        proposals.onView("queue-1", view(4));
        proposals.onTick();

        assertThat(store.commands).containsExactly(inSync(3), inSync(3));
    }

    @Test
    void shouldLetTheLastWordOnAMemberCount() {
        proposals.propose(7, "queue-1", 3, B, true);
        proposals.propose(7, "queue-1", 4, B, false);
        store.answers.get(0).accept(Result.REFUSED);
        store.answers.get(1).accept(Result.UNKNOWN);
        proposals.onTick();

        Command lagging = new Command.MemberLagging(7, List.of(new Command.Claim("queue-1", 4, B)));
        assertThat(store.commands).containsExactly(inSync(3), lagging, lagging);
    }

    @Test
    void shouldSayAgainInOneCommandWhatManyQueuesPropose() {
        for (int queue = 1; queue <= 300; queue++) {
            proposals.propose(7, "queue-" + queue, 3, B, true);
        }
        List.copyOf(store.answers).forEach(answer -> answer.accept(Result.UNKNOWN));
        store.commands.clear();
        proposals.onTick();

        assertThat(store.commands).hasSize(2).allSatisfy(command -> assertThat(command)
                .isInstanceOf(Command.MemberInSync.class));
        assertThat(store.commands.stream().flatMap(command -> ((Command.MemberInSync) command).claims().stream()))
                .hasSize(300)
                .doesNotHaveDuplicates();
    }
}
