package io.warren.mirroring.metadata;

import static io.warren.mirroring.metadata.MirroredTopology.all;
import static io.warren.mirroring.metadata.MirroredTopology.durable;
import static io.warren.mirroring.metadata.MirroredTopology.exactly;
import static io.warren.mirroring.metadata.MirroredTopology.exclusive;
import static io.warren.mirroring.metadata.MirroredTopology.noPolicy;
import static io.warren.mirroring.metadata.MirroredTopology.on;
import static io.warren.mirroring.metadata.MirroredTopology.policy;
import static io.warren.mirroring.metadata.MirroredTopology.transientQueue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Command.DeletePolicy;
import io.warren.core.metadata.Command.DeleteVhost;
import io.warren.core.metadata.Command.PutPolicy;
import io.warren.core.metadata.Command.Reset;
import io.warren.core.metadata.Policy;
import io.warren.mirroring.node.DurableQueues;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Policies and nodes in, groups and homes out. Nodes A, B and C run; clients are at A. T.. are scenarios of the reference. */
class QueueGroupsTest {
    private final MirroredTopology topology = new MirroredTopology();

    @BeforeEach
    void threeNodes() {
        topology.up("A", "B", "C");
        topology.news();
    }

    // ------------------------------------------------------------------------------------------------- declaring

    @Test
    void shouldMakeTheGroupInTheCommandThatDeclaresTheQueue() { // T01
        topology.submit(all());
        topology.news();

        topology.submit(durable("q"));

        assertThat(topology.news()).containsExactly("topology", "queue-1 A.1 B.1 C.1");
        assertThat(topology.home("q")).isEqualTo("A");
    }

    @Test
    void shouldMakeNoneWhereQueuesAreNotMirrored() {
        MirroredTopology plain = new MirroredTopology(false);
        plain.up("A", "B", "C");
        plain.submit(all(), durable("q"), transientQueue("t"));
        plain.replaceBy(plain.metadata().state());
        plain.submit(durable("later"));
        plain.found("A");
        plain.submit(durable("last"));

        assertThat(plain.metadata().groups()).isEmpty();
        assertThat(plain.metadata().mirrorsQueues()).isFalse();
    }

    @Test
    void shouldMakeItWhenPolicyAndQueueComeTogether() {
        topology.submit(durable("q"), all());

        assertThat(topology.members("q")).isEqualTo("A.1 B.1 C.1");
    }

    @Test
    void shouldTakeTheNumberOfCopiesAsked() { // T02, T05
        topology.submit(exactly(2), durable("two"));
        topology.submit(exactly(1), durable("one"));

        assertThat(topology.members("two")).isEqualTo("A.1");
        assertThat(topology.members("one")).isEqualTo("A.1");
        topology.submit(exactly(2), durable("again"));
        assertThat(topology.view("again").inSync()).hasSize(2);
        assertThat(topology.view("two").others()).hasSize(1);
    }

    @Test
    void shouldSpreadCopiesOverTheNodes() {
        topology.submit(exactly(2));
        for (int i = 0; i < 6; i++) {
            topology.submit(durable("q" + i));
        }

        long atB = topology.metadata().state().groups().values().stream()
                .filter(group -> group.view().inSync().stream()
                        .anyMatch(member -> member.node().equals("B")))
                .count();
        assertThat(atB).isEqualTo(3);
    }

    @Test
    void shouldMakeFewerCopiesWhereThereAreFewerNodes() { // T04
        topology.submit(exactly(5), durable("q"));
        assertThat(topology.members("q")).isEqualTo("A.1 B.1 C.1");

        topology.up("D");
        topology.up("E");
        topology.up("F");

        assertThat(topology.members("q")).isEqualTo("A.1 B.1 C.1 + D.1 E.1");
    }

    @Test
    void shouldBeginOnANamedNodeThoughTheClientIsAtAnother() { // T06
        topology.submit(on("C", "B"), durable("q"));

        assertThat(topology.members("q")).isEqualTo("C.1 B.1");
        assertThat(topology.home("q")).isEqualTo("C");
    }

    @Test
    void shouldStayAtTheClientsNodeWhenNoNamedNodeRuns() { // T07
        topology.submit(on("X", "Y"), durable("q"));

        assertThat(topology.members("q")).isEqualTo("A.1");
        assertThat(topology.home("q")).isEqualTo("A");
    }

    @Test
    void shouldNotMirrorAnExclusiveQueue() { // T08
        topology.submit(all(), exclusive("q"));

        assertThat(topology.hasGroup("q")).isFalse();
        assertThat(topology.home("q")).isEqualTo("A");
    }

    @Test
    void shouldFollowThePolicyOfTheHighestPriority() { // T14
        topology.submit(policy("p0", 0, "ha-mode", "all"));
        topology.submit(policy("p1", 10, "ha-mode", "exactly", "ha-params", 2));
        topology.submit(durable("q"));
        assertThat(topology.view("q").ring()).hasSize(2);

        topology.submit(new DeletePolicy("/", "p1"));

        assertThat(topology.view("q").ring()).hasSize(3);
    }

    @Test
    void shouldRefuseAPolicyThatIsNotValidAndChangeNothing() { // T16
        topology.submit(durable("q"));
        topology.news();

        topology.submit(policy("p", 0, "ha-mode", "exactly", "ha-params", "2"));

        assertThat(topology.news()).containsExactly("topology refused");
        assertThat(topology.hasGroup("q")).isFalse();
    }

    @Test
    void shouldLetNobodyElseMakeOrDeleteTheGroupOfAQueue() {
        topology.submit(all(), durable("q"));

        assertThat(topology.metadata().apply(new Command.CreateGroup("queue-5", true, 1, List.of("A"))))
                .isEqualTo(Result.REFUSED);
        assertThat(topology.metadata().apply(new Command.DeleteGroup("queue-1")))
                .isEqualTo(Result.REFUSED);
        assertThat(topology.hasGroup("q")).isTrue();
    }

    @Test
    void shouldTellTheNamesOfItsGroupsFromOthers() {
        assertThat(QueueGroups.queueId(QueueGroups.name(42))).isEqualTo(42);
        assertThat(QueueGroups.isOfQueue("queue-")).isFalse();
        assertThat(QueueGroups.isOfQueue("queue-a")).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QueueGroups.queueId("orders"))
                .withMessageContaining("orders");
    }

    // --------------------------------------------------------------------------------------------------- deleting

    @Test
    void shouldDeleteTheGroupWithItsQueue() { // T39
        topology.submit(all(), durable("q"));
        topology.news();

        topology.submit(topology.delete("q"), durable("q"));

        assertThat(topology.news()).containsExactly("topology", "queue-1 gone", "queue-2 A.1 B.1 C.1");
    }

    @Test
    void shouldDeleteTheGroupsOfAVirtualHostAndOfAReset() {
        topology.submit(all(), durable("q"), durable("p"));
        topology.submit(new Reset());
        assertThat(topology.metadata().groups()).isEmpty();

        topology.submit(all(), durable("q"));
        topology.submit(new DeleteVhost("/"));
        assertThat(topology.metadata().groups()).isEmpty();
    }

    // --------------------------------------------------------------------------------------------------- policies

    @Test
    void shouldBeginWithTheHomeWhenAQueueComesToBeMirrored() { // T10
        topology.submit(durable("q"));
        topology.news();

        topology.submit(all());

        assertThat(topology.news()).containsExactly("topology", "queue-1 A.1 + B.1 C.1");
    }

    @Test
    void shouldLeaveTheMastersCopyAsAPlainQueueWhenMirroringEnds() { // T11
        topology.submit(all(), durable("q"));
        topology.down("A");
        topology.up("A");
        topology.news();

        topology.submitAt("B", noPolicy());

        assertThat(topology.news()).containsExactly("topology", "queue-1 gone");
        assertThat(topology.home("q")).isEqualTo("B");
    }

    @Test
    void shouldAddAndRemoveMembersWhenThePolicyChanges() {
        topology.submit(exactly(1), durable("q"));
        topology.submit(all());
        assertThat(topology.members("q")).isEqualTo("A.1 + B.1 C.1");
        topology.inSync("q", "B");

        topology.submit(exactly(2));

        assertThat(topology.members("q")).isEqualTo("A.1 B.1");
    }

    @Test
    void shouldKeepTheOnlyGoodCopyUntilANamedNodeIsInSync() { // T12
        topology.submit(on("A"), durable("q"));
        topology.submit(on("B", "C"));
        assertThat(topology.members("q")).isEqualTo("A.1 + B.1 C.1");
        topology.news();

        topology.inSync("q", "C");

        assertThat(topology.news()).containsExactly("queue-1 C.1 + B.1", "moved q to C");
        assertThat(topology.home("q")).isEqualTo("C");
    }

    @Test
    void shouldMoveAtOnceToANamedNodeThatIsInSync() { // T13
        topology.submit(all(), durable("q"));
        topology.news();

        topology.submit(on("B"));
        assertThat(topology.news()).containsExactly("topology", "queue-1 B.1", "moved q to B");
        topology.submit(all());

        assertThat(topology.members("q")).isEqualTo("B.1 + A.1 C.1");
        assertThat(topology.view("q").reign()).isLessThan(topology.view("q").epoch());
    }

    @Test
    void shouldChangeTheLimitWithThePolicy() { // T49
        topology.submit(all(), durable("q"));

        topology.submit(policy("p", 0, "ha-mode", "all", "ha-min-insync", 2));
        assertThat(topology.view("q").minInSync()).isEqualTo(2);
        topology.down("B");
        topology.down("C");

        assertThat(topology.members("q")).isEqualTo("A.1 kept [C]");
        topology.submit(all());
        assertThat(topology.members("q")).isEqualTo("A.1");
    }

    @Test
    void shouldTellNothingOfAPolicyThatAsksForTheSame() {
        topology.submit(all(), durable("q"));
        topology.news();

        topology.submit(policy("p", 0, "ha-mode", "all", "ha-sync-mode", "automatic"));

        assertThat(topology.news()).containsExactly("topology");
    }

    @Test
    void shouldMakeOneViewOfSeveralPoliciesInOneCommand() {
        topology.submit(all(), durable("q"));
        topology.news();

        topology.submit(noPolicy(), exactly(2), on("A"));

        assertThat(topology.news()).containsExactly("topology", "queue-1 A.1");
    }

    // ------------------------------------------------------------------------------------------------------ nodes

    @Test
    void shouldMoveTheQueueToTheNextMaster() {
        topology.submit(all(), durable("q"));
        topology.news();

        topology.down("A");

        assertThat(topology.news()).containsExactly("nodes [B, C]", "queue-1 B.1 C.1", "moved q to B");
    }

    @Test
    void shouldKeepATransientQueueAsLongAsAMemberInSyncLives() { // T09
        topology.submit(all(), transientQueue("q"));
        topology.down("A");
        topology.up("A");
        topology.down("B");
        assertThat(topology.members("q")).isEqualTo("C.1 + A.2");
        topology.news();

        topology.down("C");

        assertThat(topology.news()).containsExactly("nodes [A]", "lost q", "queue-1 gone");
        assertThat(topology.queue("q")).isNull();
    }

    @Test
    void shouldNotBringATransientQueueBackWithTheNextProcessOfItsHome() {
        topology.submit(exactly(1), transientQueue("q"));
        topology.news();

        topology.up("A");

        assertThat(topology.news()).containsExactly("nodes [A, B, C]", "lost q", "queue-1 gone");
    }

    @Test
    void shouldReplaceADeadSlaveWhereThereIsANodeFree() { // T03
        topology.submit(exactly(2), durable("q"));
        topology.news();

        topology.down("B");
        assertThat(topology.news()).containsExactly("nodes [A, C]", "queue-1 A.1 + C.1");
        topology.up("B");

        assertThat(topology.news()).containsExactly("nodes [A, B, C]");
    }

    @Test
    void shouldAddANodeThatComesBackAsTheYoungest() {
        topology.submit(all(), durable("q"));

        topology.down("B");
        topology.up("B");
        topology.inSync("q", "B");

        assertThat(topology.members("q")).isEqualTo("A.1 C.1 B.2");
    }

    @Test
    void shouldWaitForThoseWhoHoldEverything() {
        topology.submit(all(), durable("q"));
        topology.down("C");
        topology.down("A", "B");
        assertThat(topology.members("q")).isEqualTo("(down) A.1 B.1");
        assertThat(topology.home("q")).isEqualTo("A");
        topology.up("C");
        topology.news();

        topology.up("B");

        assertThat(topology.news()).containsExactly("nodes [B, C]", "queue-1 B.2 + C.2", "moved q to B");
    }

    @Test
    void shouldMoveToTheMemberThatIsPromotedWithoutHoldingEverything() { // T25
        topology.submit(all(), durable("q"));
        topology.down("C");
        topology.up("C");
        topology.down("A", "B");

        topology.promote("q", "C");

        assertThat(topology.members("q")).isEqualTo("C.2");
        assertThat(topology.home("q")).isEqualTo("C");
    }

    @Test
    void shouldNameWhoMayLeadWithoutHoldingEverythingWhereThePolicySaysSo() { // T25 to T28
        String failure = "ha-promote-on-failure";
        String shutdown = "ha-promote-on-shutdown";
        topology.submit(policy("p", 0, "ha-mode", "all"), durable("q"));
        topology.down("B", "C");
        topology.up("B");
        topology.up("C");
        topology.down("A");
        assertThat(promotions(false)).isEmpty();

        topology.submit(policy("p", 0, "ha-mode", "all", failure, "always"));
        assertThat(promotions(false)).containsExactly("queue-1 B.2");
        assertThat(promotions(true)).isEmpty();
        topology.submit(policy("p", 0, "ha-mode", "all", shutdown, "always"));
        assertThat(promotions(false)).isEmpty();
        assertThat(promotions(true)).isEmpty();
        topology.submit(policy("p", 0, "ha-mode", "all", failure, "always", shutdown, "always"));
        assertThat(promotions(true)).containsExactly("queue-1 B.2");

        topology.up("A");
        assertThat(promotions(true)).isEmpty();
    }

    private List<String> promotions(boolean wasStopped) {
        return topology.metadata().unsynchronisedPromotions(node -> wasStopped).stream()
                .map(claim -> claim.group() + " " + claim.member())
                .toList();
    }

    @Test
    void shouldHandAQueueOverToAMemberInSync() {
        topology.submit(all(), durable("q"));
        topology.lagging("q", "B");
        topology.news();

        topology.handOver("q", "B");
        assertThat(topology.news()).isEmpty();
        topology.handOver("q", "C");
        assertThat(topology.news()).containsExactly("queue-1 C.1 A.1 + B.1", "moved q to C");
        topology.handOver("q", "C");

        assertThat(topology.news()).isEmpty();
        assertThat(topology.view("q").reign()).isEqualTo(topology.view("q").epoch());
    }

    @Test
    void shouldNotPutAMemberBackThatIsFoundLagging() {
        topology.submit(all(), durable("q"));

        topology.lagging("q", "B");
        topology.lagging("q", "B");

        assertThat(topology.members("q")).isEqualTo("A.1 C.1");
        assertThat(topology.metadata().wanted(topology.group("q"))).containsExactly("A", "C", "B");
    }

    @Test
    void shouldFollowTheMembersThatTheControllerAsksFor() {
        topology.submit(all(), durable("q"));

        topology.metadata().apply(new Command.Members("queue-1", List.of("B", "C")));

        assertThat(topology.members("q")).isEqualTo("B.1 C.1");
        assertThat(topology.home("q")).isEqualTo("B");
    }

    @Test
    void shouldWaitForTheHomeOfAPlainQueueThatIsToBeMirrored() {
        topology.submitAt("B", durable("q"));
        topology.down("B");
        topology.submit(all());
        assertThat(topology.hasGroup("q")).isFalse();
        topology.news();

        topology.up("B");

        assertThat(topology.news()).containsExactly("nodes [A, B, C]", "queue-1 B.2 + A.1 C.1");
    }

    // -------------------------------------------------------------------------------------- leaving, founding

    @Test
    void shouldForgetANodeThatNoMirroredQueueWaitsFor() { // S3
        topology.submit(all(), durable("q"));
        topology.down("A");

        assertThat(topology.metadata().apply(new Command.Forget("A"))).isEqualTo(Result.APPLIED);

        assertThat(topology.members("q")).isEqualTo("B.1 C.1");
    }

    @Test
    void shouldNotForgetANodeThatAMirroredQueueWaitsFor() {
        topology.submit(all(), durable("q"));
        topology.down("B", "C");
        topology.down("A");
        topology.up("C");

        assertThat(topology.metadata().apply(new Command.Forget("A"))).isEqualTo(Result.REFUSED);
        assertThat(topology.home("q")).isEqualTo("A");
    }

    @Test
    void shouldNotCountAMirroredQueueAmongThoseThatAreLostWithTheirHome() { // S4
        FieldTable mirrored = FieldTable.of(Map.of("ha-mode", "all"));
        topology.submit(new PutPolicy("/", new Policy("p", "^q$", Policy.AppliesTo.QUEUES, 0, mirrored)));
        topology.submit(durable("q"), durable("plain"), durable("other"));

        assertThat(DurableQueues.of("A", topology.metadata())).containsExactly("//other", "//plain");
        assertThat(topology.metadata().queueOf(topology.group("q"))).isEqualTo("//q");
        assertThat(topology.metadata().queueOf("orders")).isEqualTo("orders");
    }

    @Test
    void shouldMoveQueuesToTheFounderWhoHoldsThem() {
        topology.submit(all(), durable("q"));
        topology.submit(transientQueue("t"));

        topology.found("B");

        assertThat(topology.members("q")).isEqualTo("B.2");
        assertThat(topology.home("q")).isEqualTo("B");
        assertThat(topology.queue("t")).isNull();
        topology.up("A");
        assertThat(topology.members("q")).isEqualTo("B.2 + A.2");
    }

    @Test
    void shouldLeaveADurableQueueToTheNodeThatHoldsItWhenTheFounderDoesNot() {
        topology.submit(exactly(1), durable("q"), transientQueue("t"));

        topology.found("B");
        assertThat(topology.hasGroup("q")).isFalse();
        assertThat(topology.home("q")).isEqualTo("A");
        assertThat(topology.queue("t")).isNull();
        topology.up("A");

        assertThat(topology.members("q")).isEqualTo("A.2");
    }

    // --------------------------------------------------------------------------------------------------- a replica

    @Test
    void shouldGoOnFromAStateAsIfNothingHadHappened() {
        topology.submit(all(), durable("q"), durable("p"));
        topology.submit(exactly(2));

        topology.replaceBy(topology.metadata().state());
        topology.news();
        topology.down("A");

        assertThat(topology.news()).contains("moved q to B");
        topology.submit(topology.delete("q"));
        assertThat(topology.news()).contains("queue-1 gone");
    }
}
