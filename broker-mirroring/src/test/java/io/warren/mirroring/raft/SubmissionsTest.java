package io.warren.mirroring.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.mirroring.metadata.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SubmissionsTest {
    private static final long PATIENCE_NS = 1_000_000_000L;

    private final List<String> caused = new ArrayList<>();
    private final Submissions submissions = new Submissions(
            new Submissions.Output() {
                @Override
                public void send(long entry, List<byte[]> commands) {
                    caused.add("send " + entry + " of " + commands.size());
                }

                @Override
                public void answer(Consumer<Result> caller, Result result) {
                    caller.accept(result);
                }
            },
            PATIENCE_NS);

    @Test
    void shouldSendOneAtOnceAndShareTheEntryBehindAFullWindow() {
        for (int i = 0; i < Submissions.ENTRIES_MAX + 3; i++) {
            submit("c" + i, 0);
        }
        assertThat(caused).hasSize(Submissions.ENTRIES_MAX).contains("send 1 of 1", "send 16 of 1");
        caused.clear();

        submissions.onReply(1, new byte[] {1}, 10);
        submissions.onApplied(10);

        assertThat(caused).containsExactly("c0 APPLIED", "send 17 of 3");
    }

    @Test
    void shouldAnswerWhenThisReplicaHasTheEntry() {
        submit("c", 0);
        caused.clear();

        submissions.onReply(1, new byte[] {0}, 10);
        submissions.onApplied(9);
        assertThat(caused).isEmpty();
        submissions.onApplied(11);

        assertThat(caused).containsExactly("c REFUSED");
        assertThat(submissions.isIdle()).isTrue();
    }

    @Test
    void shouldSendAgainUnderTheSameNumberWhenTheLeaderWasNotReached() {
        submit("c", 0);
        caused.clear();

        submissions.onFailure(1, 0);
        submissions.onTick(Submissions.RETRY_NS - 1);
        assertThat(caused).isEmpty();
        submissions.onTick(Submissions.RETRY_NS);

        assertThat(caused).containsExactly("send 1 of 1");
    }

    @Test
    void shouldSendAgainWhenAnotherNodeLeads() {
        submit("c", 0);
        caused.clear();

        submissions.onLeader();

        assertThat(caused).containsExactly("send 1 of 1");
    }

    @Test
    void shouldAnswerUnknownWhenItsPatienceIsOver() {
        submit("early", 0);
        submit("late", 1);
        caused.clear();

        submissions.onTick(PATIENCE_NS + 1);
        submissions.onReply(1, new byte[] {1}, 10);
        submissions.onApplied(10);

        assertThat(caused).containsExactly("early UNKNOWN");
    }

    @Test
    void shouldBelieveTheLeaderWhenThisReplicaIsLate() {
        submit("c", 0);
        caused.clear();
        submissions.onReply(1, new byte[] {1}, 10);

        submissions.onTick(PATIENCE_NS + 1);

        assertThat(caused).containsExactly("c APPLIED");
    }

    @Test
    void shouldAnswerEverythingUnknownWhenTheLogIsLeft() {
        for (int i = 0; i < Submissions.ENTRIES_MAX + 1; i++) {
            submit("c", 0);
        }
        caused.clear();

        submissions.onLogLeft();

        assertThat(caused).hasSize(Submissions.ENTRIES_MAX + 1).containsOnly("c UNKNOWN");
        assertThat(submissions.isIdle()).isTrue();
    }

    @Test
    void shouldAnswerUnknownAtOnceWhenTooMuchWaits() {
        byte[] large = new byte[Submissions.BYTES_MAX];
        submissions.onSubmit(large, result -> caused.add("large " + result), 0);
        caused.clear();

        submit("c", 0);

        assertThat(caused).containsExactly("c UNKNOWN");
    }

    private void submit(String name, long nowNs) {
        submissions.onSubmit(new byte[] {1}, result -> caused.add(name + " " + result), nowNs);
    }
}
