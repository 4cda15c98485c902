package io.warren.mirroring.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.spi.ManualClock;
import io.warren.mirroring.attachment.AttachmentFrame;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.MetadataStore;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.metadata.Result;
import io.warren.mirroring.ring.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Node a judges, with heartbeats every 500 ms. */
class JudgeTest {
    private static final Duration PERIOD = Duration.ofMillis(500);
    private static final Member B = new Member("b", 3);
    private static final Member C = new Member("c", 1);

    private final ManualClock clock = new ManualClock();
    private final List<Command> submitted = new ArrayList<>();
    private final Map<String, Long> heardNs = new HashMap<>();
    private final Set<String> answering = new HashSet<>();
    private final Set<String> voters = new HashSet<>(Set.of("a", "b", "c"));
    private String controller = "a";
    private Runnable onControl = () -> {};
    private final Judge judge = new Judge("a", new Store(), new Votes(), new Links(), clock, PERIOD.toNanos());

    private void running(Member... members) {
        Map<String, NodeState> nodes = new HashMap<>();
        nodes.put("a", new NodeState(1, true, "a", 1));
        for (Member member : members) {
            nodes.put(member.node(), new NodeState(member.incarnation(), true, member.node(), 2));
        }
        judge.onNodes(nodes);
    }

    /** So many periods pass, in which these nodes are heard and answer. */
    private void pass(int periods, String... heard) {
        answering.clear();
        answering.addAll(List.of(heard));
        for (int period = 0; period < periods; period++) {
            clock.advance(PERIOD);
            for (String node : heard) {
                heardNs.put(node, clock.nowNs());
            }
            judge.onTick(clock.nowNs());
        }
    }

    private static Command down(Member member) {
        return new Command.Nodes(Map.of(member.node(), Command.Change.down(member.incarnation())));
    }

    @Test
    void shouldDeclareDownWhoIsSilentForFourPeriods() {
        running(B, C);
        pass(4, "b", "c");

        pass(4, "c");
        assertThat(submitted).isEmpty();
        pass(1, "c");

        assertThat(submitted).containsExactly(down(B));
    }

    @Test
    void shouldDeclareDownAtOnceWhoHasEndedAndNobodyElse() {
        running(B, C);
        pass(4, "b", "c");
        // It stood still itself and has not ticked since: what it has not heard of c says nothing.
        clock.advance(Duration.ofMinutes(1));
        heardNs.put("b", clock.nowNs());
        answering.add("b");

        judge.onTick(clock.nowNs());
        judge.onEnded(B);

        assertThat(submitted).containsExactly(down(B));
    }

    @Test
    void shouldJudgeNobodyWhenItHearsNoMajorityItself() {
        running(B, C);
        pass(4, "b", "c");

        pass(20);

        assertThat(submitted).isEmpty();
    }

    @Test
    void shouldJudgeNobodyWhenItIsNotTheController() {
        controller = "c";
        running(B, C);
        pass(4, "b", "c");

        pass(10, "c");

        assertThat(submitted).isEmpty();
    }

    @Test
    void shouldDeclareTheDeadControllerDownAsSoonAsItLeadsItself() {
        controller = "c";
        running(B, C);
        pass(4, "b", "c");
        judge.onEnded(C);
        onControl.run();
        assertThat(submitted).isEmpty();

        controller = "a";
        onControl.run();

        assertThat(submitted).containsExactly(down(C));
    }

    @Test
    void shouldDeclareNobodyDownWhenItComesToLeadAndNobodyHasEnded() {
        controller = "c";
        running(B, C);
        pass(4, "b", "c");
        judge.onEnded(new Member("b", 2));

        controller = "a";
        onControl.run();

        assertThat(submitted).isEmpty();
    }

    @Test
    void shouldGiveAProcessThatHasJustRegisteredTimeToBeHeard() {
        running(C);
        pass(20, "c");
        running(B, C);

        pass(4, "c");
        assertThat(submitted).isEmpty();
        pass(1, "c");

        assertThat(submitted).containsExactly(down(B));
    }

    @Test
    void shouldHoldItsLeaseWhileANewVoterIsNotLinkedYet() {
        voters.clear();
        voters.add("a");
        running();
        pass(4);
        voters.add("b");

        pass(20);
        assertThat(judge.isHeld(clock.nowNs())).isTrue();
        pass(3);

        assertThat(judge.isHeld(clock.nowNs())).isFalse();
    }

    @Test
    void shouldLoseItsLeaseAsUsualWhenAVoterHasBeenLinkedAndFallsSilent() {
        voters.clear();
        voters.add("a");
        running();
        pass(4);
        voters.add("b");
        pass(2, "b");

        pass(3);

        assertThat(judge.isHeld(clock.nowNs())).isFalse();
    }

    @Test
    void shouldCallAVoterDeadWhoseProcessHasEndedOrThatIsSilent() {
        running(B, C);
        pass(4, "b", "c");
        assertThat(judge.deadVoters(clock.nowNs())).isEmpty();

        answering.remove("b");
        judge.onEnded(B);
        assertThat(judge.deadVoters(clock.nowNs())).containsExactly("b");
        pass(5, "b");

        assertThat(judge.deadVoters(clock.nowNs())).containsExactly("c");
    }

    @Test
    void shouldNotCallAVoterDeadWhoseProcessIsStarting() {
        running(B);
        pass(4, "b");
        voters.remove("c");
        pass(10, "b");
        voters.add("c");

        pass(10, "b");
        assertThat(judge.deadVoters(clock.nowNs())).isEmpty();
        pass(15, "b");

        assertThat(judge.deadVoters(clock.nowNs())).containsExactly("c");
    }

    private final class Store implements MetadataStore {
        @Override
        public void submit(Command command, Consumer<Result> answer) {
            submitted.add(command);
        }

        @Override
        public <R> R read(Function<Metadata, R> reader) {
            throw new UnsupportedOperationException("nobody reads");
        }

        @Override
        public void subscribe(MetadataListener listener) {
            throw new UnsupportedOperationException("nobody listens");
        }

        @Override
        public void reportApplied(long applied) {
            throw new UnsupportedOperationException("nobody reports");
        }
    }

    private final class Votes implements Quorum {
        @Override
        public String controller() {
            return controller;
        }

        @Override
        public Set<String> voters() {
            return voters;
        }

        @Override
        public void askForVote() {}

        @Override
        public void dropVote(String node) {}

        @Override
        public void onEnded(Member process) {}

        @Override
        public void onControl(Runnable then) {
            onControl = then;
        }

        @Override
        public CompletableFuture<Void> found() {
            throw new UnsupportedOperationException("a judge founds nothing");
        }

        @Override
        public void giveUpVote(Set<String> down) {}
    }

    private final class Links implements Peers {
        @Override
        public void open(Member self, Listener listener) {}

        @Override
        public void know(Map<String, String> addresses) {}

        @Override
        public void send(Member to, AttachmentFrame frame) {}

        @Override
        public boolean isLinked(String node) {
            return answering.contains(node);
        }

        @Override
        public void cut(Member peer) {}

        @Override
        public void onTick(long nowNs) {}

        @Override
        public long heardNs(String node) {
            return heardNs.getOrDefault(node, NEVER);
        }

        @Override
        public long answeredNs(String node) {
            return answering.contains(node) ? clock.nowNs() : NEVER;
        }

        @Override
        public void close() {}
    }
}
