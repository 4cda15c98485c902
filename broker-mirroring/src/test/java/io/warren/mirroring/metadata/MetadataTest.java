package io.warren.mirroring.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Command.DeclareQueue;
import io.warren.core.metadata.Command.DeleteQueue;
import io.warren.core.metadata.Command.PutVhost;
import io.warren.core.metadata.Outcome;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.QueueDefinition;
import io.warren.mirroring.metadata.Command.Change;
import io.warren.mirroring.metadata.Command.Claim;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Commands in, views out. Nodes A, B and C; the group is called q. */
class MetadataTest {
    private static final Member A = new Member("A", 1);
    private static final Member B = new Member("B", 1);
    private static final Member C = new Member("C", 1);

    private final List<View> told = new ArrayList<>();
    private final List<String> deleted = new ArrayList<>();
    private final List<String> topology = new ArrayList<>();
    private final Metadata metadata = new Metadata(LogId.first(7), new MetadataListener() {
        @Override
        public void onView(String group, View view) {
            told.add(view);
        }

        @Override
        public void onGroupDeleted(String group) {
            deleted.add(group);
        }

        @Override
        public void onTopology(long applied, Member submitter, List<Outcome> outcomes) {
            outcomes.forEach(outcome -> topology.add(outcome.refusal() == null ? "applied" : "refused"));
        }
    });

    @Test
    void shouldMakeEveryRunningMemberInSyncWhenTheGroupIsNew() {
        given(1);

        assertThat(view().inSync()).containsExactly(A, B, C);
        assertThat(view().master()).isEqualTo(A);
        assertThat(told).containsExactly(view());
    }

    @Test
    void shouldRefuseAGroupOfWhichNoMemberRuns() {
        assertThat(metadata.apply(new Command.CreateGroup("q", true, 1, List.of("A"))))
                .isEqualTo(Result.REFUSED);
    }

    @Test
    void shouldPromoteTheSecondWhenTheMasterDies() {
        given(1);

        down("A", 1);

        assertThat(view().inSync()).containsExactly(B, C);
        assertThat(view().reign()).isEqualTo(view().epoch());
    }

    @Test
    void shouldKeepTheReignWhenASlaveDies() {
        given(1);
        long reign = view().reign();

        down("B", 1);

        assertThat(view().reign()).isEqualTo(reign);
        assertThat(view().epoch()).isGreaterThan(reign);
        assertThat(view().kept()).isEmpty();
    }

    @Test
    void shouldNotPromoteAProcessThatWasRestarted() {
        given(1);

        metadata.apply(new Command.Nodes(Map.of("A", Change.up(2, "a"))));

        assertThat(view().inSync()).containsExactly(B, C);
        assertThat(view().others()).containsExactly(new Member("A", 2));
    }

    @Test
    void shouldKeepWhoLeavesBelowTheLimit() {
        given(2);

        down("B", 1);
        assertThat(view().kept()).isEmpty();
        down("C", 1);

        assertThat(view().inSync()).containsExactly(A);
        assertThat(view().kept()).containsExactly("C");
        assertThat(view().isAtLimit()).isFalse();
    }

    @Test
    void shouldEmptyKeptInTheCommitThatReachesTheLimit() {
        given(2);
        down("B", 1);
        down("C", 1);
        up("B", 2);
        metadata.apply(new Command.Members("q", List.of("A", "B")));
        Member restarted = new Member("B", 2);

        metadata.apply(new Command.MemberInSync(7, List.of(new Claim("q", view().epoch(), restarted))));

        assertThat(view().inSync()).containsExactly(A, restarted);
        assertThat(view().kept()).isEmpty();
    }

    @Test
    void shouldWaitForThoseThatHoldEverythingWhenNobodyInSyncSurvives() {
        given(1);
        down("B", 1);
        down("C", 1);

        down("A", 1);
        assertThat(view().up()).isFalse();
        assertThat(view().ring()).isEmpty();
        up("B", 2);
        assertThat(view().up()).isFalse();
        up("A", 2);

        assertThat(view().inSync()).containsExactly(new Member("A", 2));
        assertThat(view().recovered()).isEqualTo(view().epoch());
    }

    @Test
    void shouldCarryOnFromAKeptMembersDisk() {
        given(2);
        down("B", 1);
        down("C", 1);
        down("A", 1);

        up("C", 2);

        assertThat(view().inSync()).containsExactly(new Member("C", 2));
        assertThat(view().kept()).containsExactly("A");
    }

    @Test
    void shouldEndANonDurableGroupWhenNobodyInSyncSurvives() {
        up("A", 1);
        metadata.apply(new Command.CreateGroup("q", false, 1, List.of("A")));

        up("A", 2);

        assertThat(metadata.view("q")).isNull();
        assertThat(deleted).containsExactly("q");
    }

    @Test
    void shouldRefuseALowerIncarnationAndTheRevivalOfADeadOne() {
        up("A", 3);
        assertThat(metadata.apply(new Command.Nodes(Map.of("A", Change.up(2, "a")))))
                .isEqualTo(Result.REFUSED);
        down("A", 3);

        assertThat(metadata.apply(new Command.Nodes(Map.of("A", Change.up(3, "a")))))
                .isEqualTo(Result.REFUSED);
        assertThat(metadata.runningMember("A")).isNull();
    }

    @Test
    void shouldChangeNothingWhenADeathNamesAnEarlierIncarnation() {
        given(1);
        up("A", 2);
        View before = view();

        assertThat(metadata.apply(new Command.Nodes(Map.of("A", Change.down(1)))))
                .isEqualTo(Result.REFUSED);

        assertThat(view()).isEqualTo(before);
    }

    @Test
    void shouldMakeNoViewWhenACommandIsRepeated() {
        given(1);
        down("C", 1);
        View before = view();

        assertThat(metadata.apply(new Command.Nodes(Map.of("C", Change.down(1)))))
                .isEqualTo(Result.APPLIED);
        metadata.apply(new Command.CreateGroup("q", true, 1, List.of("A", "B", "C")));

        assertThat(view()).isEqualTo(before);
    }

    @Test
    void shouldRefuseAProposalOfAnotherEpochOrLog() {
        given(1);
        up("B", 2);
        long epoch = view().epoch();
        Member restarted = new Member("B", 2);

        assertThat(metadata.apply(new Command.MemberInSync(7, List.of(new Claim("q", epoch - 1, restarted)))))
                .isEqualTo(Result.REFUSED);
        assertThat(metadata.apply(new Command.MemberInSync(8, List.of(new Claim("q", epoch, restarted)))))
                .isEqualTo(Result.REFUSED);
        assertThat(metadata.apply(new Command.MemberInSync(7, List.of(new Claim("q", epoch, restarted)))))
                .isEqualTo(Result.APPLIED);
    }

    @Test
    void shouldMoveALaggingMemberToTheEndAndThenOutOfTheRing() {
        given(1);

        metadata.apply(new Command.MemberLagging(7, List.of(new Claim("q", view().epoch(), B))));
        assertThat(view().ring()).containsExactly(A, C, B);
        metadata.apply(new Command.MemberLagging(7, List.of(new Claim("q", view().epoch(), B))));

        assertThat(view().ring()).containsExactly(A, C);
    }

    @Test
    void shouldNeverRemoveTheLastMemberThatHoldsEverything() {
        given(1);
        up("B", 2);
        up("C", 2);

        assertThat(metadata.apply(new Command.Members("q", List.of("B", "C")))).isEqualTo(Result.REFUSED);
        assertThat(view().master()).isEqualTo(A);
    }

    @Test
    void shouldPromoteAnUnsynchronisedMemberOnlyWhenNobodyWhoHoldsEverythingIsUp() {
        given(2);
        restart("C");
        Member restarted = new Member("C", 2);
        assertThat(metadata.apply(promote(view().epoch(), restarted))).isEqualTo(Result.REFUSED);
        metadata.apply(new Command.Nodes(Map.of("A", Change.down(1), "B", Change.down(1))));
        assertThat(view().up()).isFalse();
        long down = view().epoch();

        assertThat(metadata.apply(promote(down - 1, restarted))).isEqualTo(Result.REFUSED);
        assertThat(metadata.apply(promote(down, restarted))).isEqualTo(Result.APPLIED);

        assertThat(view().inSync()).containsExactly(restarted);
        assertThat(view().unsynchronised()).isEqualTo(view().epoch());
        assertThat(view().recovered()).isEqualTo(view().epoch());
        assertThat(view().reign()).isEqualTo(view().epoch());
        assertThat(view().kept()).isEmpty();
    }

    /** Whoever was in sync before counts no more: it comes back as any other. */
    @Test
    void shouldNotCarryOnFromAnOldHolderAfterAnUnsynchronisedPromotion() {
        given(1);
        restart("C");
        metadata.apply(new Command.Nodes(Map.of("A", Change.down(1), "B", Change.down(1))));
        metadata.apply(promote(view().epoch(), new Member("C", 2)));
        long promoted = view().unsynchronised();
        up("A", 2);
        down("C", 2);

        assertThat(view().up()).isFalse();
        assertThat(view().inSync()).containsExactly(new Member("C", 2));
        up("C", 3);

        assertThat(view().inSync()).containsExactly(new Member("C", 3));
        assertThat(view().unsynchronised()).isEqualTo(promoted);
    }

    @Test
    void shouldEmptyKeptWhenTheLimitIsLoweredToWhatIsThere() {
        given(2);
        down("B", 1);
        down("C", 1);

        metadata.apply(new Command.Limit("q", 1));

        assertThat(view().isAtLimit()).isTrue();
        assertThat(view().kept()).isEmpty();
    }

    @Test
    void shouldLeaveTheFounderAsTheOnlyHolderInAFoundedLog() {
        given(2);
        Metadata founded = metadata.found(9, "B", told(new ArrayList<>()));

        founded.apply(new Command.Nodes(Map.of("A", Change.down(1), "C", Change.down(1), "B", Change.up(2, "b"))));

        assertThat(founded.logId().winsOver(metadata.logId())).isTrue();
        assertThat(metadata.logId().winsOver(founded.logId())).isFalse();
        View view = Objects.requireNonNull(founded.view("q"));
        assertThat(view.logId()).isEqualTo(9);
        assertThat(view.inSync()).containsExactly(new Member("B", 2));
        assertThat(view.kept()).isEmpty();
    }

    @Test
    void shouldNameTheGroupsThatFoundingWouldLose() {
        given(1);
        down("C", 1);

        assertThat(metadata.notHeldBy("C")).containsExactly("q");
        assertThat(metadata.found(9, "C", told(new ArrayList<>())).view("q")).isNull();
        assertThatThrownBy(() -> metadata.found(9, "D", told(new ArrayList<>())))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldPreferTheFounderThatJoinedFirstWhenTwoFoundedApart() {
        given(1);

        LogId byB = metadata.found(9, "B", told(new ArrayList<>())).logId();
        LogId byC = metadata.found(8, "C", told(new ArrayList<>())).logId();

        assertThat(byB.winsOver(byC)).isTrue();
        assertThat(byC.winsOver(byB)).isFalse();
    }

    @Test
    void shouldApplyAGroupOfTopologyCommandsInOrderAndTellOfRefusals() {
        given(1);

        assertThat(metadata.apply(topology(1, declare("orders"), new PutVhost("v"), inVhost("nowhere"))))
                .isEqualTo(Result.APPLIED);

        assertThat(topology).containsExactly("applied", "applied", "refused");
        assertThat(queue("orders")).isNotNull();
        assertThat(metadata.topology().vhost("v")).isNotNull();
    }

    @Test
    void shouldNotUndoADeleteWhenAnEarlierDeclareComesAgain() {
        given(1);
        metadata.apply(topology(1, declare("orders")));
        metadata.apply(topology(2, new DeleteQueue("/", "orders", 1)));

        assertThat(metadata.apply(topology(1, declare("orders")))).isEqualTo(Result.APPLIED);

        assertThat(queue("orders")).isNull();
        assertThat(topology).hasSize(2);
    }

    @Test
    void shouldRefuseTopologyCommandsOfAProcessThatCountsAsDead() {
        given(1);
        down("A", 1);

        assertThat(metadata.apply(topology(1, declare("orders")))).isEqualTo(Result.REFUSED);
        up("A", 2);
        assertThat(metadata.apply(topology(1, declare("orders")))).isEqualTo(Result.REFUSED);

        assertThat(queue("orders")).isNull();
    }

    @Test
    void shouldKeepTheTopologyInAFoundedLog() {
        given(1);
        metadata.apply(topology(1, declare("orders")));

        Metadata founded = metadata.found(9, "A", told(new ArrayList<>()));

        assertThat(founded.topology().vhosts()).isEqualTo(metadata.topology().vhosts());
        assertThat(founded.apply(topology(1, declare("late")))).isEqualTo(Result.REFUSED);
        assertThat(founded.topology().vhosts()).isEqualTo(metadata.topology().vhosts());
    }

    @Test
    void shouldTellLogsOfOneClusterFromStrangers() {
        LogId first = LogId.first(1);
        LogId byA = first.found(2, 1);
        LogId byB = first.found(3, 2);

        assertThat(byA.isRelatedTo(first)).isTrue();
        assertThat(first.isRelatedTo(byA)).isTrue();
        assertThat(byA.isRelatedTo(byB)).isTrue();
        assertThat(byA.isRelatedTo(LogId.first(4))).isFalse();
    }

    @Test
    void shouldGiveQueuesThatTwoFoundersDeclareApartDifferentIds() {
        given(1);
        Metadata ofA = metadata.found(8, "A", told(new ArrayList<>()));
        Metadata ofB = metadata.found(9, "B", told(new ArrayList<>()));

        long a = ofA.topology().nextQueueId();
        long b = ofB.topology().nextQueueId();

        assertThat(b - a).isGreaterThan(1_000_000_000);
        assertThat(a - metadata.topology().nextQueueId()).isGreaterThan(1_000_000_000);
    }

    @Test
    void shouldCountTheMastersOfANode() {
        given(1);
        metadata.apply(new Command.CreateGroup("p", true, 1, List.of("B", "A")));

        assertThat(metadata.masters("A")).isEqualTo(1);
        assertThat(metadata.masters("B")).isEqualTo(1);
        assertThat(metadata.masters("C")).isZero();
    }

    // -------------------------------------------------------------------------------------------------- given

    private void given(int minInSync) {
        metadata.apply(
                new Command.Nodes(Map.of("A", Change.up(1, "a"), "B", Change.up(1, "b"), "C", Change.up(1, "c"))));
        metadata.apply(new Command.CreateGroup("q", true, minInSync, List.of("A", "B", "C")));
    }

    private void up(String node, long incarnation) {
        metadata.apply(new Command.Nodes(Map.of(node, Change.up(incarnation, node))));
    }

    private void down(String node, long incarnation) {
        metadata.apply(new Command.Nodes(Map.of(node, Change.down(incarnation))));
    }

    private static Command topology(long sequence, io.warren.core.metadata.Command... commands) {
        return new Command.ForTopology(A, sequence, List.of(commands));
    }

    private static DeclareQueue declare(String name) {
        return new DeclareQueue("/", new QueueDefinition(name, true, false, null, FieldTable.EMPTY));
    }

    private static DeclareQueue inVhost(String vhost) {
        return new DeclareQueue(vhost, new QueueDefinition("q", true, false, null, FieldTable.EMPTY));
    }

    private @Nullable Queue queue(String name) {
        return Objects.requireNonNull(metadata.topology().vhost("/")).queue(name);
    }

    private static Command promote(long epoch, Member member) {
        return new Command.Promote(7, List.of(new Claim("q", epoch, member)));
    }

    private void restart(String node) {
        down(node, 1);
        up(node, 2);
        metadata.apply(new Command.Members("q", List.of("A", "B", "C")));
    }

    private View view() {
        return Objects.requireNonNull(metadata.view("q"));
    }

    private static MetadataListener told(List<View> views) {
        return new MetadataListener() {
            @Override
            public void onView(String group, View view) {
                views.add(view);
            }

            @Override
            public void onGroupDeleted(String group) {
                throw new AssertionError(group);
            }
        };
    }
}
