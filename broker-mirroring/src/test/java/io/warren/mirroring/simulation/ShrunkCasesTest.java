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
        assertHolds(new FaultPlan(1L, 4, 1, 1, 2, List.of()));
    }

    /** Lemma 12, under the mutation a-gap-after-a-return-from-disk-never-closed (seed 222). */
    @Test
    void shouldOrderTheNextBroadcastWhenEarlierOnesWentWithTheDisks() {
        assertHolds(new FaultPlan(
                222L,
                3,
                2,
                2,
                552,
                List.of(
                        new Fault(FaultKind.JOIN, 1025, 1656, 1, 2),
                        new Fault(FaultKind.CRASH, 1772, 1010, 0, 2),
                        new Fault(FaultKind.PARTIAL, 3053, 746, 0, 1),
                        new Fault(FaultKind.CRASH, 3461, 1500, 2, 1),
                        new Fault(FaultKind.CRASH, 4743, 118, 0, 1),
                        new Fault(FaultKind.UNKNOWN, 5361, 2500, 1, 2),
                        new Fault(FaultKind.RESET, 5840, 3047, 0, 1),
                        new Fault(FaultKind.POWER, 6382, 150, 1, 3))));
    }

    /** Lemma 15, under the mutation a-late-declare-undoes-a-delete (seed 2). */
    @Test
    void shouldNotUndoADeleteWhenADeclareArrivesLate() {
        assertHolds(new FaultPlan(
                2L,
                4,
                1,
                2,
                518,
                List.of(new Fault(FaultKind.JOIN, 270, 2266, 1, 2), new Fault(FaultKind.UNKNOWN, 580, 186, 2, 0))));
    }

    /** Lemma 14, under the mutation a-minority-keeps-the-lease (seed 73). */
    @Test
    void shouldTellClientsNothingWhenOnlyAMinorityAnswers() {
        assertHolds(new FaultPlan(
                73L,
                4,
                1,
                2,
                580,
                List.of(
                        new Fault(FaultKind.PARTIAL, 203, 133, 1, 2),
                        new Fault(FaultKind.CONTROLLER, 1335, 365, 0, 3),
                        new Fault(FaultKind.CRASH, 2883, 431, 2, 0),
                        new Fault(FaultKind.SLOW_DISK, 3564, 601, 3, 1),
                        new Fault(FaultKind.FOUND, 3840, 841, 3, 1),
                        new Fault(FaultKind.DELAY, 4860, 533, 3, 2),
                        new Fault(FaultKind.CONTROLLER, 6148, 1036, 1, 0),
                        new Fault(FaultKind.PARTITION, 7865, 388, 2, 1))));
    }

    /** Lemma 8, under the mutation accept-a-growth-of-another-epoch (seed 1). */
    @Test
    void shouldRefuseAGrowthWhenItWasDecidedInAnotherEpoch() {
        assertHolds(new FaultPlan(1L, 4, 1, 1, 1, List.of(new Fault(FaultKind.POWER, 812, 2809, 3, 2))));
    }

    /** Lemma 3, under the mutation accept-a-promotion-of-another-epoch (seed 1217). */
    @Test
    void shouldRefuseAPromotionWhenItWasDecidedInAnotherEpoch() {
        assertHolds(new FaultPlan(
                1217L,
                3,
                1,
                1,
                456,
                List.of(
                        new Fault(FaultKind.PARTITION, 1545, 561, 2, 1),
                        new Fault(FaultKind.POLICY, 2162, 1500, 0, 3),
                        new Fault(FaultKind.ALWAYS, 2162, 8000, 0, 1),
                        new Fault(FaultKind.RESET, 2911, 106, 0, 2),
                        new Fault(FaultKind.UNKNOWN, 3662, 5500, 0, 1),
                        new Fault(FaultKind.POWER, 4417, 4000, 0, 3),
                        new Fault(FaultKind.CRASH, 6498, 200, 2, 0))));
    }

    /** Lemma 7, under the mutation accept-another-epoch (seed 1). */
    @Test
    void shouldIgnoreAFrameWhenItIsOfAnotherEpoch() {
        assertHolds(new FaultPlan(
                1L,
                4,
                2,
                1,
                393,
                List.of(new Fault(FaultKind.STALL, 369, 611, 0, 3), new Fault(FaultKind.SLOW_DISK, 493, 297, 3, 2))));
    }

    /** Lemma 12, under the mutation an-early-hello-dropped (seed 2). */
    @Test
    void shouldKeepAHelloWhenItComesBeforeItsView() {
        assertHolds(new FaultPlan(2L, 4, 1, 2, 129, List.of()));
    }

    /** Lemma 6, under the mutation an-unsynchronised-promotion-not-marked (seed 57). */
    @Test
    void shouldMarkTheViewWhenAnUnsynchronisedMemberIsPromoted() {
        assertHolds(new FaultPlan(
                57L,
                5,
                1,
                1,
                572,
                List.of(
                        new Fault(FaultKind.POLICY, 2084, 1500, 1, 3),
                        new Fault(FaultKind.ALWAYS, 2084, 8000, 1, 2),
                        new Fault(FaultKind.DELAY, 3484, 3500, 2, 1),
                        new Fault(FaultKind.POWER, 5244, 4000, 1, 3))));
    }

    /** Lemma 4, under the mutation another-history-kept (seed 99). */
    @Test
    void shouldTakeOverAStateThatEndsFurtherDownWhenItsOwnIsOfAnotherHistory() {
        assertHolds(new FaultPlan(
                99L,
                5,
                1,
                1,
                448,
                List.of(
                        new Fault(FaultKind.CRASH, 933, 2500, 2, 0),
                        new Fault(FaultKind.POLICY, 2046, 2400, 0, 1),
                        new Fault(FaultKind.ALWAYS, 2046, 8000, 0, 2),
                        new Fault(FaultKind.STALL, 4146, 4000, 2, 1),
                        new Fault(FaultKind.POWER, 5058, 1586, 0, 1))));
    }

    /** Lemma 12, under the mutation another-history-not-noticed (seed 1524). */
    @Test
    void shouldNoticeAnotherHistoryWhenItLiesBelowItsBase() {
        assertHolds(new FaultPlan(
                1524L,
                5,
                1,
                2,
                491,
                List.of(
                        new Fault(FaultKind.ALWAYS, 300, 10000, 0, 1),
                        new Fault(FaultKind.HANGING_DISK, 3663, 1740, 2, 3),
                        new Fault(FaultKind.POLICY, 4292, 1500, 0, 1),
                        new Fault(FaultKind.DELAY, 5692, 3500, 1, 0),
                        new Fault(FaultKind.UNKNOWN, 5792, 5500, 0, 1),
                        new Fault(FaultKind.CRASH, 6331, 901, 3, 4),
                        new Fault(FaultKind.POWER, 6634, 4000, 0, 1),
                        new Fault(FaultKind.STALL, 7035, 838, 4, 3),
                        new Fault(FaultKind.CRASH, 7309, 196, 3, 1),
                        new Fault(FaultKind.CRASH, 8594, 66, 3, 1),
                        new Fault(FaultKind.ONE_WAY, 8735, 435, 2, 3),
                        new Fault(FaultKind.CRASH, 8916, 200, 2, 0),
                        new Fault(FaultKind.PARTIAL, 8932, 837, 3, 4))));
    }

    /** An invariant of the code, under the mutation answer-before-the-own-hello-was-answered (seed 6). */
    @Test
    void shouldNotAnswerWhenItsOwnHelloWaits() {
        assertHolds(new FaultPlan(
                6L,
                3,
                1,
                1,
                411,
                List.of(
                        new Fault(FaultKind.CRASH, 4163, 100, 0, 2),
                        new Fault(FaultKind.DELAY, 4263, 3500, 0, 2),
                        new Fault(FaultKind.RESET, 4353, 395, 1, 2),
                        new Fault(FaultKind.RESET, 5563, 152, 0, 1),
                        new Fault(FaultKind.CRASH, 5680, 173, 1, 0))));
    }

    /** Lemma 15, under the mutation answered-before-everyone-applied-it (seed 1). */
    @Test
    void shouldAnswerADeclareOnlyWhenEveryRunningNodeHasAppliedIt() {
        assertHolds(new FaultPlan(1L, 4, 1, 1, 1, List.of()));
    }

    /** Lemma 13, under the mutation any-frame-taken-for-the-answer (seed 10). */
    @Test
    void shouldWaitForTheAnswerWhenAnEarlierTailArrives() {
        assertHolds(new FaultPlan(
                10L,
                4,
                1,
                1,
                226,
                List.of(new Fault(FaultKind.LEAVE, 1732, 419, 0, 2), new Fault(FaultKind.MEMBERS, 3277, 1532, 0, 3))));
    }

    /** Lemma 6, under the mutation compare-offsets-without-epochs (seed 5). */
    @Test
    void shouldTellEntriesApartWhenTheyShareAnOffset() {
        assertHolds(new FaultPlan(
                5L,
                3,
                2,
                2,
                295,
                List.of(
                        new Fault(FaultKind.MEMBERS, 224, 800, 1, 2),
                        new Fault(FaultKind.DELAY, 1108, 702, 2, 0),
                        new Fault(FaultKind.CLOCK, 1365, 2844, 2, 0),
                        new Fault(FaultKind.CRASH, 4481, 455, 1, 0),
                        new Fault(FaultKind.JOIN, 4513, 61, 0, 1),
                        new Fault(FaultKind.POWER, 9097, 1225, 1, 2))));
    }

    /** Lemma 4, under the mutation cut-at-once (seed 1508). */
    @Test
    void shouldCutOnlyAtTheFirstEntryThatDiffers() {
        assertHolds(new FaultPlan(
                1508L,
                3,
                2,
                2,
                597,
                List.of(
                        new Fault(FaultKind.MEMBERS, 1027, 1898, 2, 1),
                        new Fault(FaultKind.DELAY, 1066, 737, 2, 1),
                        new Fault(FaultKind.REPEAT, 1355, 3236, 2, 1),
                        new Fault(FaultKind.CRASH, 1553, 2490, 1, 0),
                        new Fault(FaultKind.MEMBERS, 3963, 164, 1, 2),
                        new Fault(FaultKind.CONTROLLER, 5012, 657, 1, 0),
                        new Fault(FaultKind.MEMBERS, 6207, 2624, 0, 1),
                        new Fault(FaultKind.JOIN, 6449, 1419, 1, 2),
                        new Fault(FaultKind.DELAY, 6858, 69, 1, 0),
                        new Fault(FaultKind.MEMBERS, 6964, 196, 1, 0))));
    }

    /** Lemma 4, under the mutation deliver-before-stable (seed 1). */
    @Test
    void shouldDeliverNothingWhenItIsNotStable() {
        assertHolds(new FaultPlan(1L, 4, 1, 1, 1, List.of()));
    }

    /** Lemma 12, under the mutation everyone-behind-a-laggard-proposed-too (seed 948). */
    @Test
    void shouldRemoveTheOneThatIsStuckWhenOthersWaitBehindIt() {
        assertHolds(new FaultPlan(
                948L,
                5,
                1,
                1,
                444,
                List.of(
                        new Fault(FaultKind.CRASH, 507, 178, 0, 4),
                        new Fault(FaultKind.PARTIAL, 2421, 631, 0, 1),
                        new Fault(FaultKind.CRASH, 3129, 704, 0, 4),
                        new Fault(FaultKind.STALL, 3715, 235, 3, 0),
                        new Fault(FaultKind.CRASH, 5396, 2135, 1, 4),
                        new Fault(FaultKind.MEMBERS, 6896, 325, 3, 0),
                        new Fault(FaultKind.CONTROLLER, 7432, 858, 2, 4))));
    }

    /** Lemma 13, under the mutation forget-above-stable (seed 1). */
    @Test
    void shouldNotForgetWhatIsAboveStable() {
        assertHolds(new FaultPlan(1L, 4, 1, 1, 1, List.of()));
    }

    /** Lemma 13, under the mutation forget-too-early (seed 55). */
    @Test
    void shouldKeepTransientEntriesWhenOthersMayComeBackWithoutThem() {
        assertHolds(new FaultPlan(
                55L,
                3,
                2,
                2,
                458,
                List.of(
                        new Fault(FaultKind.RESET, 502, 338, 0, 2),
                        new Fault(FaultKind.CRASH, 696, 808, 1, 2),
                        new Fault(FaultKind.RESET, 707, 1404, 0, 2),
                        new Fault(FaultKind.PARTITION, 961, 256, 0, 1),
                        new Fault(FaultKind.RESET, 1969, 1340, 1, 2),
                        new Fault(FaultKind.POWER, 3633, 3345, 2, 0))));
    }

    /** Lemma 6, under the mutation forgetting-taken-as-forcing (seed 14). */
    @Test
    void shouldNotReportAsDurableWhatWasOnlyForgotten() {
        assertHolds(new FaultPlan(
                14L,
                5,
                1,
                2,
                537,
                List.of(
                        new Fault(FaultKind.CRASH, 380, 1222, 3, 2),
                        new Fault(FaultKind.RESET, 999, 241, 4, 0),
                        new Fault(FaultKind.STALL, 1437, 538, 2, 4),
                        new Fault(FaultKind.FREEZE, 2148, 2241, 2, 4),
                        new Fault(FaultKind.POWER, 2851, 496, 1, 0),
                        new Fault(FaultKind.PARTITION, 4725, 662, 2, 4),
                        new Fault(FaultKind.FREEZE, 5977, 195, 3, 0),
                        new Fault(FaultKind.CRASH, 7000, 5000, 1, 0),
                        new Fault(FaultKind.REPEAT, 7314, 50, 1, 0),
                        new Fault(FaultKind.SLOW_DISK, 7731, 1041, 0, 2),
                        new Fault(FaultKind.CRASH, 7800, 5000, 2, 0),
                        new Fault(FaultKind.CRASH, 8600, 5000, 0, 1),
                        new Fault(FaultKind.REPEAT, 9756, 293, 1, 4))));
    }

    /** Lemma 12, under the mutation founding-without-a-new-log-id (seed 4). */
    @Test
    void shouldKeepTwoLogsApartWhenOneWasFoundedFromTheOther() {
        assertHolds(new FaultPlan(4L, 2, 1, 2, 1, List.of(new Fault(FaultKind.CRASH, 8043, 1500, 0, 0))));
    }

    /** Lemma 8, under the mutation growth-not-counted-into-stable (seed 1). */
    @Test
    void shouldCountAMemberFromItsProposalOn() {
        assertHolds(new FaultPlan(1L, 4, 1, 1, 73, List.of(new Fault(FaultKind.POWER, 812, 2809, 3, 2))));
    }

    /** Lemma 12, under the mutation have-not-sent-again-when-durable-grows (seed 1). */
    @Test
    void shouldReportAgainWhenDurableGrows() {
        assertHolds(new FaultPlan(1L, 4, 1, 1, 2, List.of()));
    }

    /** Lemma 12, under the mutation hello-only-to-a-new-neighbour (seed 1). */
    @Test
    void shouldSayHelloToTheSameNeighbourInANewView() {
        assertHolds(new FaultPlan(1L, 4, 2, 1, 12, List.of(new Fault(FaultKind.STALL, 369, 611, 0, 3))));
    }

    /** Lemma 5, under the mutation holdings-outlive-a-view (seed 4). */
    @Test
    void shouldCountAfreshInEveryView() {
        assertHolds(new FaultPlan(4L, 2, 1, 2, 162, List.of(new Fault(FaultKind.MEMBERS, 528, 387, 1, 0))));
    }

    /** Lemma 1, under the mutation incarnation-ignored (seed 1). */
    @Test
    void shouldNotPromoteAProcessThatWasRestarted() {
        assertHolds(new FaultPlan(
                1L,
                4,
                1,
                1,
                32,
                List.of(new Fault(FaultKind.POWER, 812, 2809, 3, 2), new Fault(FaultKind.CRASH, 6483, 471, 3, 2))));
    }

    /** Lemma 12, under the mutation keep-no-kept-set (seed 21). */
    @Test
    void shouldCarryOnFromAKeptMemberWhenTheLastInSyncOneIsGone() {
        assertHolds(new FaultPlan(21L, 4, 1, 2, 43, List.of(new Fault(FaultKind.POWER, 8821, 715, 3, 0))));
    }

    /** Lemma 1, under the mutation kept-outlives-the-limit (seed 7). */
    @Test
    void shouldEmptyKeptWhenTheLimitIsReached() {
        assertHolds(new FaultPlan(
                7L,
                4,
                1,
                2,
                422,
                List.of(new Fault(FaultKind.POLICY, 1525, 1500, 1, 3), new Fault(FaultKind.MEMBERS, 2067, 855, 0, 3))));
    }

    /** Lemma 12, under the mutation lag-never-reported (seed 8). */
    @Test
    void shouldRemoveAMemberWhenItsMailboxStandsStill() {
        assertHolds(new FaultPlan(8L, 5, 1, 2, 18, List.of(new Fault(FaultKind.STALL, 8418, 2739, 4, 3))));
    }

    /** Lemma 12, under the mutation no-hello-after-a-link-reset (seed 1). */
    @Test
    void shouldSayHelloWhenALinkComesBack() {
        assertHolds(new FaultPlan(1L, 4, 1, 1, 1, List.of()));
    }

    /** Lemma 8, under the mutation only-the-last-proposal-counted (seed 105). */
    @Test
    void shouldCountEveryProposalOfAView() {
        assertHolds(new FaultPlan(
                105L,
                5,
                3,
                1,
                410,
                List.of(
                        new Fault(FaultKind.RESET, 569, 602, 2, 0),
                        new Fault(FaultKind.RESET, 3843, 301, 4, 0),
                        new Fault(FaultKind.CRASH, 4192, 1500, 2, 1),
                        new Fault(FaultKind.HANGING_DISK, 4566, 1617, 1, 0),
                        new Fault(FaultKind.CRASH, 5392, 1137, 1, 2),
                        new Fault(FaultKind.LEAVE, 5791, 458, 2, 1),
                        new Fault(FaultKind.UNKNOWN, 5915, 3419, 2, 4),
                        new Fault(FaultKind.MEMBERS, 7578, 435, 1, 0))));
    }

    /** Lemma 6, under the mutation promote-an-unsynchronised-member (seed 6). */
    @Test
    void shouldWaitForAHolderWhenOnlyUnsynchronisedOnesRun() {
        assertHolds(new FaultPlan(
                6L,
                3,
                1,
                1,
                411,
                List.of(
                        new Fault(FaultKind.CRASH, 4163, 100, 0, 2),
                        new Fault(FaultKind.DELAY, 4263, 3500, 0, 2),
                        new Fault(FaultKind.POWER, 7135, 1606, 1, 0))));
    }

    /** Lemma 6, under the mutation propose-before-the-reign-entry-is-held (seed 45). */
    @Test
    void shouldNotProposeAMemberWithoutTheReignsFirstEntry() {
        assertHolds(new FaultPlan(
                45L,
                5,
                3,
                2,
                179,
                List.of(
                        new Fault(FaultKind.RESET, 911, 612, 0, 1),
                        new Fault(FaultKind.POLICY, 2015, 916, 0, 4),
                        new Fault(FaultKind.FOUND, 5014, 846, 0, 2))));
    }

    /** Lemma 5, under the mutation reported-below-its-base (seed 1599). */
    @Test
    void shouldReportNothingBelowItsBase() {
        assertHolds(new FaultPlan(
                1599L,
                5,
                1,
                2,
                417,
                List.of(
                        new Fault(FaultKind.MEMBERS, 315, 901, 1, 0),
                        new Fault(FaultKind.UNKNOWN, 904, 687, 3, 1),
                        new Fault(FaultKind.CRASH, 1710, 2500, 2, 0),
                        new Fault(FaultKind.POLICY, 2550, 2400, 0, 1),
                        new Fault(FaultKind.ALWAYS, 2550, 8000, 0, 2),
                        new Fault(FaultKind.STALL, 4650, 4000, 2, 1),
                        new Fault(FaultKind.POWER, 5532, 1477, 0, 1),
                        new Fault(FaultKind.CONTROLLER, 7074, 826, 2, 1))));
    }

    /** Lemma 13, under the mutation serve-from-the-wrong-point (seed 5). */
    @Test
    void shouldServeFromTheCommonPoint() {
        assertHolds(new FaultPlan(
                5L,
                3,
                2,
                2,
                295,
                List.of(
                        new Fault(FaultKind.MEMBERS, 224, 800, 1, 2),
                        new Fault(FaultKind.DELAY, 1108, 702, 2, 0),
                        new Fault(FaultKind.CLOCK, 1365, 2844, 2, 0),
                        new Fault(FaultKind.CRASH, 4481, 455, 1, 0),
                        new Fault(FaultKind.JOIN, 4513, 61, 0, 1),
                        new Fault(FaultKind.POWER, 9097, 1225, 1, 2))));
    }

    /** Lemma 5, under the mutation shrink-without-the-commit (seed 14). */
    @Test
    void shouldCountALaggardUntilItsRemovalIsCommitted() {
        assertHolds(new FaultPlan(
                14L,
                5,
                1,
                2,
                537,
                List.of(
                        new Fault(FaultKind.CRASH, 380, 1222, 3, 2),
                        new Fault(FaultKind.RESET, 999, 241, 4, 0),
                        new Fault(FaultKind.FREEZE, 2148, 2241, 2, 4),
                        new Fault(FaultKind.POWER, 2851, 496, 1, 0),
                        new Fault(FaultKind.CRASH, 7000, 5000, 1, 0),
                        new Fault(FaultKind.SLOW_DISK, 7731, 1041, 0, 2),
                        new Fault(FaultKind.CRASH, 7800, 5000, 2, 0),
                        new Fault(FaultKind.CRASH, 8600, 5000, 0, 1))));
    }

    /** Lemma 5, under the mutation stable-from-received (seed 1). */
    @Test
    void shouldCountNothingThatIsOnlyReceived() {
        assertHolds(new FaultPlan(1L, 4, 1, 1, 1, List.of()));
    }

    /** Lemma 6, under the mutation stable-moves-below-the-limit (seed 4). */
    @Test
    void shouldHoldStableWhenTooFewAreInSync() {
        assertHolds(new FaultPlan(4L, 2, 1, 2, 162, List.of(new Fault(FaultKind.MEMBERS, 528, 387, 1, 0))));
    }

    /** Lemma 11, under the mutation stable-outlives-a-return-from-disk (seed 97). */
    @Test
    void shouldForgetWhatWasStableWhenTheGroupCarriesOnFromDisk() {
        assertHolds(new FaultPlan(
                97L,
                5,
                2,
                2,
                482,
                List.of(
                        new Fault(FaultKind.HANGING_DISK, 425, 2114, 2, 4),
                        new Fault(FaultKind.POLICY, 1457, 1500, 3, 1),
                        new Fault(FaultKind.ALWAYS, 1457, 8000, 3, 4),
                        new Fault(FaultKind.POLICY, 2478, 357, 1, 2),
                        new Fault(FaultKind.DELAY, 2857, 3500, 4, 3),
                        new Fault(FaultKind.UNKNOWN, 2957, 5500, 3, 4),
                        new Fault(FaultKind.POWER, 4079, 4000, 3, 1))));
    }

    /** Lemma 13, under the mutation state-taken-over-above-a-firm-entry (seed 1534). */
    @Test
    void shouldHandOverTheStateOnlyUpToAFirmEntry() {
        assertHolds(new FaultPlan(
                1534L,
                4,
                3,
                2,
                561,
                List.of(
                        new Fault(FaultKind.CRASH, 1475, 1500, 1, 0),
                        new Fault(FaultKind.CRASH, 2075, 604, 2, 0),
                        new Fault(FaultKind.CRASH, 2675, 1901, 0, 1),
                        new Fault(FaultKind.POWER, 5580, 1108, 0, 1),
                        new Fault(FaultKind.JOIN, 6605, 635, 2, 3),
                        new Fault(FaultKind.MEMBERS, 6713, 358, 1, 0))));
    }

    /** Lemma 14, under the mutation the-lease-lasts-too-long (seed 73). */
    @Test
    void shouldTellClientsNothingWhenTheLeaseIsOver() {
        assertHolds(new FaultPlan(
                73L,
                4,
                1,
                2,
                580,
                List.of(
                        new Fault(FaultKind.PARTIAL, 203, 133, 1, 2),
                        new Fault(FaultKind.CONTROLLER, 1335, 365, 0, 3),
                        new Fault(FaultKind.CRASH, 2883, 431, 2, 0),
                        new Fault(FaultKind.SLOW_DISK, 3564, 601, 3, 1),
                        new Fault(FaultKind.FOUND, 3840, 841, 3, 1),
                        new Fault(FaultKind.DELAY, 4860, 533, 3, 2),
                        new Fault(FaultKind.CONTROLLER, 6148, 1036, 1, 0),
                        new Fault(FaultKind.PARTITION, 7865, 388, 2, 1))));
    }

    /** Lemma 3, under the mutation view-entry-skipped (seed 1). */
    @Test
    void shouldOrderItsViewBeforeAnythingElse() {
        assertHolds(new FaultPlan(1L, 4, 1, 1, 1, List.of()));
    }

    /** Lemma 5, under the mutation what-the-disk-holds-taken-as-forced (seed 70). */
    @Test
    void shouldForceAgainWhatItFindsOnDisk() {
        assertHolds(new FaultPlan(
                70L,
                2,
                2,
                1,
                477,
                List.of(
                        new Fault(FaultKind.PARTITION, 738, 591, 1, 0),
                        new Fault(FaultKind.HANGING_DISK, 1938, 1268, 0, 1),
                        new Fault(FaultKind.PARTITION, 2203, 1802, 0, 1))));
    }

    private static void assertHolds(FaultPlan plan) {
        Outcome outcome = Simulation.run(plan);

        assertThat(outcome.failure()).isNull();
        assertThat(outcome.healTicks()).isNotNegative();
    }
}
