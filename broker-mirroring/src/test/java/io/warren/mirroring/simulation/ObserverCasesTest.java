package io.warren.mirroring.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Plans in which the observer, not the protocol, was wrong: each broke a lemma until the observer learnt the rule that the name tells. They
 * are as small as the shrinker made them with the rule taken back ({@code Observed.countAgain}, {@code Ledger.isFollowedBy},
 * {@code Ledger.startAfresh}), but for the one of queues ({@code SimulatedQueue.missing}), which is as its seed has it.
 */
class ObserverCasesTest {
    /** Seed 10034911. A crash took what one in sync had not forced; the master after the return had delivered it before. */
    @Test
    void shouldCountAgainWhatASurvivorDeliveredBeforeAReturnFromDisk() {
        assertHolds(new FaultPlan(
                10034911L,
                3,
                2,
                2,
                550,
                List.of(
                        new Fault(FaultKind.MEMBERS, 950, 391, 0, 1),
                        new Fault(FaultKind.CRASH, 4043, 460, 2, 0),
                        new Fault(FaultKind.POLICY, 4385, 507, 2, 0),
                        new Fault(FaultKind.MEMBERS, 4494, 189, 0, 2),
                        new Fault(FaultKind.FREEZE, 4918, 1195, 1, 2))));
    }

    /** Seed 10036436. The same, and what the survivor delivers next is a view. */
    @Test
    void shouldCountAgainWhatASurvivorDeliveredWhenAViewFollowsIt() {
        assertHolds(new FaultPlan(
                10036436L,
                5,
                2,
                2,
                409,
                List.of(
                        new Fault(FaultKind.CRASH, 873, 874, 2, 0),
                        new Fault(FaultKind.REPEAT, 2199, 855, 0, 3),
                        new Fault(FaultKind.SLOW_DISK, 2409, 665, 3, 0),
                        new Fault(FaultKind.PARTIAL, 3084, 1672, 2, 3),
                        new Fault(FaultKind.POWER, 4420, 269, 4, 0),
                        new Fault(FaultKind.POLICY, 5671, 1500, 3, 1),
                        new Fault(FaultKind.CRASH, 5779, 2821, 4, 3),
                        new Fault(FaultKind.LEAVE, 6007, 811, 1, 2),
                        new Fault(FaultKind.CRASH, 6865, 378, 2, 4),
                        new Fault(FaultKind.UNKNOWN, 7171, 5500, 3, 4),
                        new Fault(FaultKind.POWER, 8398, 4000, 3, 1))));
    }

    /** Seed 10010333. Counted when it is stable again, not when the master delivers the next: a slave may be the first to deliver it. */
    @Test
    void shouldCountAgainBeforeASlaveDeliversIt() {
        assertHolds(new FaultPlan(
                10010333L,
                3,
                2,
                2,
                433,
                List.of(
                        new Fault(FaultKind.SLOW_DISK, 886, 2078, 2, 1),
                        new Fault(FaultKind.CRASH, 1827, 907, 2, 0),
                        new Fault(FaultKind.POLICY, 1968, 1500, 0, 3),
                        new Fault(FaultKind.DELAY, 3368, 3500, 1, 0),
                        new Fault(FaultKind.POWER, 4005, 4000, 0, 3))));
    }

    /**
     * Seed 40025154. Two nodes have each founded a log. The one whose log loses starts again, registers in it, and goes over to the other
     * with empty copies before that is committed: by the view it makes, the group came back from a disk that is part of the other log.
     */
    @Test
    void shouldNotJudgeALogByTheCopyOfANodeThatLeftIt() {
        assertHolds(new FaultPlan(
                40025154L,
                2,
                1,
                2,
                539,
                List.of(
                        new Fault(FaultKind.PARTITION, 1888, 1875, 0, 1),
                        new Fault(FaultKind.MEMBERS, 2461, 1487, 0, 1),
                        new Fault(FaultKind.CRASH, 3290, 273, 1, 0))));
    }

    /**
     * Seed 40036419. Two members are promoted unsynchronised, one after the other. The second has forgotten up to 2:151, of which the first
     * had given up all from 97 on. What it has forgotten is in the state that it hands to those who come back.
     */
    @Test
    void shouldCountWhatAnUnsynchronisedMasterBringsBack() {
        assertHolds(new FaultPlan(
                40036419L,
                5,
                1,
                2,
                555,
                List.of(
                        new Fault(FaultKind.CRASH, 1490, 2500, 2, 0),
                        new Fault(FaultKind.POLICY, 2904, 2400, 0, 1),
                        new Fault(FaultKind.ALWAYS, 2904, 8000, 0, 2),
                        new Fault(FaultKind.STALL, 5004, 4000, 2, 1),
                        new Fault(FaultKind.POWER, 6186, 1587, 0, 1),
                        new Fault(FaultKind.PARTITION, 7388, 3439, 3, 2))));
    }

    /** Seed 700198 of queues. The last acknowledgement is heard 0.2 ms before everything is looked at; its settlement is not broadcast yet. */
    @Test
    void shouldNotLookAtTheEndWhileAQueueHasYetToSayWhatItWasTold() {
        assertHolds(Simulation.run(FaultPlan.ofQueues(700198), true, false));
    }

    private static void assertHolds(FaultPlan plan) {
        assertHolds(Simulation.run(plan));
    }

    private static void assertHolds(Outcome outcome) {
        assertThat(outcome.failure()).isNull();
    }
}
