package io.warren.mirroring.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Everything that makes one run what it is: the seed for all small choices, the size of the cluster, and the faults.
 *
 * <p>Two runs of one plan are the same, event by event. Shrinking takes faults and payloads away and keeps the seed.
 *
 * @param seed of every random choice during the run
 * @param nodeCount nodes at the start; two of them go on alone
 * @param groupCount groups
 * @param minInSync limit of the group at the start
 * @param payloads how many broadcasts are tried
 * @param faults in order of time
 */
public record FaultPlan(long seed, int nodeCount, int groupCount, int minInSync, int payloads, List<Fault> faults) {
    /** Faults strike before this; then everything heals. */
    static final long FAULTS_END_MS = 10_000;

    /** Most nodes, joined ones included. */
    static final int NODES_MAX = 5;

    private static final FaultKind[] OFTEN = {
        FaultKind.DELAY,
        FaultKind.RESET,
        FaultKind.RESET,
        FaultKind.PARTITION,
        FaultKind.PARTIAL,
        FaultKind.ONE_WAY,
        FaultKind.CRASH,
        FaultKind.CRASH,
        FaultKind.CRASH,
        FaultKind.CRASH,
        FaultKind.STALL,
        FaultKind.STALL,
        FaultKind.FREEZE,
        FaultKind.POWER,
        FaultKind.POWER,
        FaultKind.SLOW_DISK,
        FaultKind.HANGING_DISK,
        FaultKind.CLOCK,
        FaultKind.JOIN,
        FaultKind.LEAVE,
        FaultKind.POLICY,
        FaultKind.MEMBERS,
        FaultKind.MEMBERS,
        FaultKind.CONTROLLER,
        FaultKind.UNKNOWN,
        FaultKind.REPEAT,
        FaultKind.ALWAYS
    };

    public FaultPlan {
        faults = List.copyOf(faults);
    }

    /** The plan that belongs to a seed. */
    public static FaultPlan of(long seed) {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
        int nodeCount = random.nextInt(12) == 0 ? 2 : 3 + random.nextInt(3);
        int groupCount = Math.max(1, random.nextInt(5) - 1);
        int minInSync = random.nextInt(3) == 0 ? 1 : 2;
        List<Fault> faults = new ArrayList<>();
        int count = 8 + random.nextInt(10);
        for (int i = 0; i < count; i++) {
            faults.add(draw(random, OFTEN[random.nextInt(OFTEN.length)], nodeCount));
        }
        if (random.nextInt(5) < 2) {
            faults.addAll(scene(random, nodeCount));
        }
        if (random.nextInt(4) == 0) {
            faults.add(new Fault(FaultKind.ALWAYS, 300, FAULTS_END_MS, 0, 1));
        }
        if (random.nextInt(6) == 0) {
            faults.add(draw(random, FaultKind.FOUND, nodeCount));
        }
        if (seed % 10 == 7 && nodeCount > 2) {
            // A promotion by policy needs quiet around it, and would hardly ever be seen.
            faults.subList(4, faults.size()).clear();
            faults.addAll(outlived(random, nodeCount, 500L + random.nextInt(2_000)));
        }
        if (seed % 20 == 19 && nodeCount > 2) {
            // Two may go and a majority is left to promote somebody.
            nodeCount = NODES_MAX;
            faults.subList(3, faults.size()).clear();
            faults.addAll(abandoned(random));
        }
        faults.sort(Comparator.comparingLong(Fault::atMs));
        return new FaultPlan(seed, nodeCount, groupCount, minInSync, 400 + random.nextInt(200), faults);
    }

    /**
     * The plan of a seed for mirrored queues: three of them, and no fault after which something confirmed may be lost on purpose.
     */
    public static FaultPlan ofQueues(long seed) {
        FaultPlan plan = of(seed);
        List<Fault> faults = plan.faults.stream()
                .filter(fault -> fault.kind() != FaultKind.ALWAYS && fault.kind() != FaultKind.FOUND)
                .toList();
        return new FaultPlan(
                seed, Math.max(3, plan.nodeCount), QueueWorld.QUEUES, plan.minInSync, 2 * plan.payloads, faults);
    }

    /** Faults that come together in life, and would seldom meet by chance. */
    private static List<Fault> scene(Random random, int nodeCount) {
        long at = 500L + random.nextInt(6_000);
        int first = random.nextInt(nodeCount);
        int second = (first + 1) % nodeCount;
        int third = (first + 2) % nodeCount;
        if (nodeCount == 2) {
            return twoParted(random, at);
        }
        return switch (random.nextInt(6)) {
            // A restart over a slow link, and then another one: a member that was in sync comes back behind one that
            // catches up.
            case 0 ->
                List.of(
                        new Fault(FaultKind.CRASH, at, 100, second, first),
                        new Fault(FaultKind.DELAY, at + 100, 3_500, second, first),
                        new Fault(FaultKind.CRASH, at + 1_200L + random.nextInt(600), 100, third, first));
            // Nobody hears what became of a proposal, and then those in sync lose power: a newcomer outlives them.
            case 1 ->
                List.of(
                        new Fault(FaultKind.CRASH, at, 100, second, first),
                        new Fault(FaultKind.UNKNOWN, at + 300, 3_000, first, second),
                        new Fault(FaultKind.POWER, at + 900L + random.nextInt(1_500), 200, first, second));
            // The limit is two, and one after the other goes: who comes back first decides from whose disk it goes on.
            case 2 ->
                List.of(
                        new Fault(FaultKind.CRASH, at, 1_500, second, first),
                        new Fault(FaultKind.CRASH, at + 600, 600L + random.nextInt(1_500), third, first),
                        new Fault(FaultKind.CRASH, at + 1_200, 600L + random.nextInt(1_500), first, second));
            case 3 -> outlived(random, nodeCount, at);
            // A member comes back so late that the ring cannot help, takes over the master's state, and outlives those
            // it has it from.
            case 4 ->
                List.of(
                        new Fault(FaultKind.CRASH, at, 1_500, second, first),
                        new Fault(FaultKind.UNKNOWN, at + 1_900, 2_500, first, second),
                        new Fault(FaultKind.POWER, at + 2_100L + random.nextInt(900), 150, first, first == 1 ? 3 : 1));
            // One after the other goes, so late that one of them may never come back.
            default ->
                List.of(
                        new Fault(FaultKind.CRASH, 7_000, 5_000, second, first),
                        new Fault(FaultKind.CRASH, 7_800, 5_000, third, first),
                        new Fault(FaultKind.CRASH, 8_600, 5_000, first, second));
        };
    }

    /**
     * Members that catch up outlive the few that are in sync, and the policy does not wait for those; one of them starts again
     * meanwhile.
     */
    private static List<Fault> outlived(Random random, int nodeCount, long at) {
        int first = random.nextInt(nodeCount);
        int second = (first + 1) % nodeCount;
        int third = (first + 2) % nodeCount;
        // Of three nodes, the fourth: it is not there, so the group is on one of the three.
        int odd = first == 1 || nodeCount == 3 ? 3 : 1;
        long power = at + 2_000L + random.nextInt(1_200);
        return List.of(
                new Fault(FaultKind.POLICY, at, 1_500, first, odd),
                new Fault(FaultKind.DELAY, at + 1_400, 3_500, second, first),
                new Fault(FaultKind.UNKNOWN, at + 1_500, 5_500, first, second),
                new Fault(FaultKind.ALWAYS, at, 8_000, first, second),
                new Fault(FaultKind.POWER, power, 4_000, first, odd),
                new Fault(FaultKind.CRASH, power + 1_600L + random.nextInt(900), 200, third, first));
    }

    /**
     * Of five nodes two are in sync and lose power while somebody who has missed much stands still: it is promoted and has not come
     * far when the others are there again, so what those have forgotten lies above its log.
     */
    private static List<Fault> abandoned(Random random) {
        // A multiple of six, as are the steps from it: the time of a fault decides which group it strikes.
        long at = 1_800 + 6L * random.nextInt(300);
        // The two that a policy of two leaves in most groups, and the one that is placed first when it is lifted.
        int first = 0;
        int second = 1;
        int late = 2;
        long power = at + 2_700 + 6L * random.nextInt(100);
        return List.of(
                new Fault(FaultKind.CRASH, at - 600 - random.nextInt(900), 2_500, late, first),
                new Fault(FaultKind.POLICY, at, 2_400, first, second),
                new Fault(FaultKind.STALL, at + 2_100, 4_000, late, second),
                new Fault(FaultKind.ALWAYS, at, 8_000, first, late),
                new Fault(FaultKind.POWER, power, 1_400L + random.nextInt(600), first, second));
    }

    /** Each of two goes on alone, then one with the other, then again. */
    private static List<Fault> twoParted(Random random, long at) {
        return List.of(
                new Fault(FaultKind.PARTITION, at, 1_000L + random.nextInt(1_500), 0, 1),
                new Fault(FaultKind.CRASH, at + 4_000, 1_500, random.nextInt(2), 0));
    }

    private static Fault draw(Random random, FaultKind kind, int nodeCount) {
        long at = 200L + random.nextInt((int) FAULTS_END_MS - 400);
        long lasts = random.nextInt(4) == 0 ? 1_000L + random.nextInt(2_500) : 20L + random.nextInt(900);
        int a = random.nextInt(nodeCount);
        int b = (a + 1 + random.nextInt(nodeCount - 1)) % nodeCount;
        return new Fault(kind, at, lasts, a, b);
    }

    FaultPlan withFaults(List<Fault> fewer) {
        return new FaultPlan(seed, nodeCount, groupCount, minInSync, payloads, fewer);
    }

    FaultPlan withPayloads(int fewer) {
        return new FaultPlan(seed, nodeCount, groupCount, minInSync, fewer, faults);
    }

    FaultPlan withGroups(int fewer) {
        return new FaultPlan(seed, nodeCount, fewer, minInSync, payloads, faults);
    }

    /** As it stands in a test. */
    public String asCode() {
        return "new FaultPlan(" + seed + "L, " + nodeCount + ", " + groupCount + ", " + minInSync + ", " + payloads
                + ", List.of(" + faults.stream().map(Fault::asCode).collect(Collectors.joining(", ")) + "))";
    }
}
