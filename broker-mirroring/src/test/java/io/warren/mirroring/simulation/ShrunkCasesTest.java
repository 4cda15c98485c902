package io.warren.mirroring.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The smallest plan the shrinker found for each mutation under {@code src/test/mutations}: broken under the mutation, held by the
 * source as it is.
 */
class ShrunkCasesTest {
    /** Lemma 9, under the mutation a-broadcast-sent-again-taken-as-new (seed 1). */
    @Test
    void shouldOrderABroadcastOnceWhenItIsSentAgain() {
        assertHolds(new FaultPlan(1L, 4, 1, 2, 44, List.of()));
    }

    /** Lemma 8, under the mutation accept-a-growth-of-another-epoch (seed 6). */
    @Test
    void shouldRefuseAGrowthWhenItWasDecidedInAnotherEpoch() {
        assertHolds(new FaultPlan(
                6L,
                5,
                1,
                1,
                556,
                List.of(
                        new Fault(FaultKind.CRASH, 846, 2201, 1, 0),
                        new Fault(FaultKind.MEMBERS, 2447, 3063, 3, 2),
                        new Fault(FaultKind.PARTITION, 5577, 700, 2, 1),
                        new Fault(FaultKind.CRASH, 5992, 573, 0, 2),
                        new Fault(FaultKind.MEMBERS, 6114, 224, 2, 4))));
    }

    /** Lemma 7, under the mutation accept-another-epoch (seed 3). */
    @Test
    void shouldIgnoreAFrameWhenItIsOfAnotherEpoch() {
        assertHolds(new FaultPlan(
                3L,
                3,
                1,
                2,
                273,
                List.of(new Fault(FaultKind.FREEZE, 4948, 1677, 2, 0), new Fault(FaultKind.DELAY, 6404, 1849, 2, 1))));
    }

    /** Lemma 12, under the mutation an-early-hello-dropped (seed 2). */
    @Test
    void shouldKeepAHelloWhenItComesBeforeItsView() {
        assertHolds(new FaultPlan(2L, 5, 1, 2, 5, List.of()));
    }

    /** An invariant of the code, under the mutation answer-before-the-own-hello-was-answered (seed 1). */
    @Test
    void shouldNotAnswerWhenItsOwnHelloWaits() {
        assertHolds(new FaultPlan(
                1L,
                4,
                1,
                2,
                119,
                List.of(new Fault(FaultKind.CRASH, 595, 508, 1, 3), new Fault(FaultKind.POWER, 926, 98, 2, 0))));
    }

    /** Lemma 13, under the mutation any-frame-taken-for-the-answer (seed 5). */
    @Test
    void shouldWaitForTheAnswerWhenAnEarlierTailArrives() {
        assertHolds(new FaultPlan(
                5L,
                5,
                1,
                1,
                485,
                List.of(
                        new Fault(FaultKind.MEMBERS, 736, 683, 2, 4),
                        new Fault(FaultKind.MEMBERS, 1996, 2208, 4, 3),
                        new Fault(FaultKind.STALL, 2451, 1581, 3, 4),
                        new Fault(FaultKind.FOUND, 2672, 53, 0, 4))));
    }

    /** Lemma 6, under the mutation compare-offsets-without-epochs (seed 1). */
    @Test
    void shouldTellEntriesApartWhenTheyShareAnOffset() {
        assertHolds(new FaultPlan(
                1L,
                4,
                1,
                2,
                478,
                List.of(new Fault(FaultKind.CRASH, 595, 508, 1, 3), new Fault(FaultKind.POWER, 926, 98, 2, 0))));
    }

    /** Lemma 4, under the mutation deliver-before-stable (seed 1). */
    @Test
    void shouldDeliverNothingWhenItIsNotStable() {
        assertHolds(new FaultPlan(1L, 4, 1, 2, 1, List.of()));
    }

    /** Lemma 12, under the mutation everyone-behind-a-laggard-proposed-too (seed 1892). */
    @Test
    void shouldRemoveTheOneThatIsStuckWhenOthersWaitBehindIt() {
        assertHolds(new FaultPlan(
                1892L,
                4,
                1,
                2,
                400,
                List.of(
                        new Fault(FaultKind.MEMBERS, 1966, 391, 0, 2),
                        new Fault(FaultKind.POLICY, 2766, 2447, 3, 0),
                        new Fault(FaultKind.PARTITION, 3718, 884, 2, 3),
                        new Fault(FaultKind.HANGING_DISK, 5482, 759, 1, 0),
                        new Fault(FaultKind.CONTROLLER, 7595, 207, 0, 2),
                        new Fault(FaultKind.RESET, 7608, 3389, 3, 1),
                        new Fault(FaultKind.REPEAT, 7668, 812, 2, 3),
                        new Fault(FaultKind.STALL, 8036, 293, 0, 3),
                        new Fault(FaultKind.JOIN, 8351, 411, 1, 3),
                        new Fault(FaultKind.CRASH, 8701, 423, 1, 3))));
    }

    /** Lemma 13, under the mutation forget-above-stable (seed 1). */
    @Test
    void shouldNotForgetWhatIsAboveStable() {
        assertHolds(new FaultPlan(1L, 4, 1, 2, 1, List.of()));
    }

    /** Lemma 13, under the mutation forget-too-early (seed 9). */
    @Test
    void shouldKeepTransientEntriesWhenOthersMayComeBackWithoutThem() {
        assertHolds(new FaultPlan(
                9L,
                5,
                1,
                1,
                412,
                List.of(
                        new Fault(FaultKind.FREEZE, 1954, 706, 1, 3),
                        new Fault(FaultKind.MEMBERS, 2011, 129, 3, 0),
                        new Fault(FaultKind.ONE_WAY, 3477, 740, 4, 2),
                        new Fault(FaultKind.CRASH, 3626, 1500, 1, 0),
                        new Fault(FaultKind.CRASH, 4826, 941, 0, 1),
                        new Fault(FaultKind.CRASH, 5913, 42, 3, 1),
                        new Fault(FaultKind.LEAVE, 6240, 2199, 3, 4),
                        new Fault(FaultKind.POWER, 8667, 386, 2, 3))));
    }

    /** Lemma 6, under the mutation forgetting-taken-as-forcing (seed 12). */
    @Test
    void shouldNotReportAsDurableWhatWasOnlyForgotten() {
        assertHolds(new FaultPlan(12L, 4, 1, 2, 594, List.of(new Fault(FaultKind.CRASH, 994, 762, 0, 1))));
    }

    /** Lemma 1, under the mutation founding-without-a-new-log-id (seed 2). */
    @Test
    void shouldKeepTwoLogsApartWhenOneWasFoundedFromTheOther() {
        assertHolds(new FaultPlan(2L, 5, 1, 2, 1, List.of(new Fault(FaultKind.FOUND, 3180, 1816, 3, 4))));
    }

    /** Lemma 8, under the mutation growth-not-counted-into-stable (seed 1). */
    @Test
    void shouldCountAMemberFromItsProposalOn() {
        assertHolds(new FaultPlan(
                1L,
                4,
                1,
                2,
                478,
                List.of(new Fault(FaultKind.MEMBERS, 513, 44, 1, 2), new Fault(FaultKind.CRASH, 595, 508, 1, 3))));
    }

    /** Lemma 12, under the mutation have-not-sent-again-when-durable-grows (seed 1). */
    @Test
    void shouldReportAgainWhenDurableGrows() {
        assertHolds(new FaultPlan(1L, 4, 1, 2, 2, List.of()));
    }

    /** Lemma 12, under the mutation hello-only-to-a-new-neighbour (seed 2). */
    @Test
    void shouldSayHelloToTheSameNeighbourInANewView() {
        assertHolds(new FaultPlan(2L, 5, 1, 2, 1, List.of(new Fault(FaultKind.FOUND, 3180, 1816, 3, 4))));
    }

    /** Lemma 5, under the mutation holdings-outlive-a-view (seed 2). */
    @Test
    void shouldCountAfreshInEveryView() {
        assertHolds(new FaultPlan(2L, 5, 1, 2, 1, List.of(new Fault(FaultKind.FOUND, 3180, 1816, 3, 4))));
    }

    /** Lemma 12, under the mutation incarnation-ignored (seed 1). */
    @Test
    void shouldNotPromoteAProcessThatWasRestarted() {
        assertHolds(new FaultPlan(1L, 4, 1, 2, 1, List.of(new Fault(FaultKind.POWER, 926, 98, 2, 0))));
    }

    /** Lemma 12, under the mutation keep-no-kept-set (seed 1). */
    @Test
    void shouldCarryOnFromAKeptMemberWhenTheLastInSyncOneIsGone() {
        assertHolds(new FaultPlan(1L, 4, 1, 2, 7, List.of(new Fault(FaultKind.POWER, 7879, 1212, 0, 2))));
    }

    /** Lemma 6, under the mutation kept-outlives-the-limit (seed 1). */
    @Test
    void shouldEmptyKeptWhenTheLimitIsReached() {
        assertHolds(new FaultPlan(
                1L,
                4,
                1,
                2,
                478,
                List.of(
                        new Fault(FaultKind.MEMBERS, 513, 44, 1, 2),
                        new Fault(FaultKind.CRASH, 595, 508, 1, 3),
                        new Fault(FaultKind.POWER, 926, 98, 2, 0),
                        new Fault(FaultKind.PARTIAL, 3189, 2295, 0, 2),
                        new Fault(FaultKind.CRASH, 3882, 894, 2, 3),
                        new Fault(FaultKind.POLICY, 4279, 489, 3, 0),
                        new Fault(FaultKind.POWER, 5479, 702, 1, 2),
                        new Fault(FaultKind.POWER, 7879, 1212, 0, 2))));
    }

    /** Lemma 12, under the mutation lag-never-reported (seed 10). */
    @Test
    void shouldRemoveAMemberWhenItsMailboxStandsStill() {
        assertHolds(new FaultPlan(
                10L,
                4,
                1,
                2,
                288,
                List.of(new Fault(FaultKind.MEMBERS, 329, 697, 0, 1), new Fault(FaultKind.STALL, 6089, 390, 0, 3))));
    }

    /** Lemma 12, under the mutation no-hello-after-a-link-reset (seed 1). */
    @Test
    void shouldSayHelloWhenALinkComesBack() {
        assertHolds(new FaultPlan(1L, 4, 1, 2, 1, List.of()));
    }

    /** Lemma 8, under the mutation only-the-last-proposal-counted (seed 6). */
    @Test
    void shouldCountEveryProposalOfAView() {
        assertHolds(new FaultPlan(
                6L,
                5,
                1,
                1,
                556,
                List.of(
                        new Fault(FaultKind.CRASH, 846, 2201, 1, 0),
                        new Fault(FaultKind.MEMBERS, 2447, 3063, 3, 2),
                        new Fault(FaultKind.PARTITION, 5577, 700, 2, 1),
                        new Fault(FaultKind.CRASH, 5992, 573, 0, 2),
                        new Fault(FaultKind.MEMBERS, 6114, 224, 2, 4))));
    }

    /** Lemma 6, under the mutation promote-an-unsynchronised-member (seed 36). */
    @Test
    void shouldWaitForAHolderWhenOnlyUnsynchronisedOnesRun() {
        assertHolds(new FaultPlan(
                36L,
                3,
                1,
                1,
                39,
                List.of(new Fault(FaultKind.STALL, 2942, 3422, 1, 2), new Fault(FaultKind.POWER, 5781, 252, 1, 2))));
    }

    /** Lemma 6, under the mutation propose-before-the-reign-entry-is-held (seed 122). */
    @Test
    void shouldNotProposeAMemberWithoutTheReignsFirstEntry() {
        assertHolds(new FaultPlan(122L, 5, 1, 2, 529, List.of(new Fault(FaultKind.FOUND, 1439, 452, 3, 2))));
    }

    /** Lemma 13, under the mutation serve-from-the-wrong-point (seed 1). */
    @Test
    void shouldServeFromTheCommonPoint() {
        assertHolds(new FaultPlan(
                1L,
                4,
                1,
                2,
                478,
                List.of(new Fault(FaultKind.CRASH, 595, 508, 1, 3), new Fault(FaultKind.POWER, 926, 98, 2, 0))));
    }

    /** Lemma 5, under the mutation shrink-without-the-commit (seed 10). */
    @Test
    void shouldCountALaggardUntilItsRemovalIsCommitted() {
        assertHolds(new FaultPlan(
                10L,
                4,
                1,
                2,
                4,
                List.of(new Fault(FaultKind.CRASH, 1762, 694, 0, 1), new Fault(FaultKind.STALL, 6089, 390, 0, 3))));
    }

    /** Lemma 5, under the mutation stable-from-received (seed 1). */
    @Test
    void shouldCountNothingThatIsOnlyReceived() {
        assertHolds(new FaultPlan(1L, 4, 1, 2, 1, List.of()));
    }

    /** Lemma 6, under the mutation stable-moves-below-the-limit (seed 1). */
    @Test
    void shouldHoldStableWhenTooFewAreInSync() {
        assertHolds(new FaultPlan(
                1L,
                4,
                1,
                2,
                478,
                List.of(
                        new Fault(FaultKind.MEMBERS, 513, 44, 1, 2),
                        new Fault(FaultKind.CRASH, 595, 508, 1, 3),
                        new Fault(FaultKind.POWER, 926, 98, 2, 0),
                        new Fault(FaultKind.PARTIAL, 3189, 2295, 0, 2),
                        new Fault(FaultKind.CRASH, 3882, 894, 2, 3),
                        new Fault(FaultKind.POLICY, 4279, 489, 3, 0),
                        new Fault(FaultKind.POWER, 5479, 702, 1, 2),
                        new Fault(FaultKind.POWER, 7879, 1212, 0, 2))));
    }

    /** Lemma 3, under the mutation view-entry-skipped (seed 1). */
    @Test
    void shouldOrderItsViewBeforeAnythingElse() {
        assertHolds(new FaultPlan(1L, 4, 1, 2, 1, List.of()));
    }

    /** Lemma 5, under the mutation what-the-disk-holds-taken-as-forced (seed 254). */
    @Test
    void shouldForceAgainWhatItFindsOnDisk() {
        assertHolds(new FaultPlan(
                254L,
                3,
                1,
                2,
                30,
                List.of(
                        new Fault(FaultKind.HANGING_DISK, 1359, 3180, 1, 0),
                        new Fault(FaultKind.CRASH, 2173, 100, 1, 0))));
    }

    private static void assertHolds(FaultPlan plan) {
        Outcome outcome = Simulation.run(plan);

        assertThat(outcome.failure()).isNull();
        assertThat(outcome.healTicks()).isNotNegative();
    }
}
