package io.warren.core.store;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Runs the tests that hold the store's promises, one after the other, and prints the first that fails: for {@code
 * broker-core/faults}, which leaves something out of the store and wants to be caught.
 */
final class DeliberateFaults {

    private interface Case {
        void run() throws Exception;
    }

    private DeliberateFaults() {}

    private static Map<String, Case> cases() {
        Map<String, Case> cases = new LinkedHashMap<>();
        cases.put("StoreFaultsTest.shouldRefuseToStartWhenForcedPlaceIsDamaged", () -> new StoreFaultsTest()
                .shouldRefuseToStartWhenForcedPlaceIsDamaged());
        cases.put("StoreFaultsTest.shouldCutWhenNobodySaysThatTheDamagedPlaceWasForced", () -> new StoreFaultsTest()
                .shouldCutWhenNobodySaysThatTheDamagedPlaceWasForced());
        for (SimulatedDisk.Loss loss : SimulatedDisk.Loss.values()) {
            cases.put(
                    "CrashPointsTest.shouldFindWhatWasForcedWhenPowerIsLostAnywhere(" + loss + ")",
                    () -> new CrashPointsTest().shouldFindWhatWasForcedWhenPowerIsLostAnywhere(loss));
        }
        cases.put("BitFlipTest.shouldRefuseOrCutWhenAByteIsWrong", () -> new BitFlipTest()
                .shouldRefuseOrCutWhenAByteIsWrong(false));
        return cases;
    }

    public static void main(String[] arguments) {
        for (Map.Entry<String, Case> each : cases().entrySet()) {
            try {
                each.getValue().run();
            } catch (Throwable caught) {
                String text = String.valueOf(caught.getMessage());
                System.out.println("CAUGHT by " + each.getKey() + ": "
                        + text.lines().findFirst().orElse(""));
                System.exit(0);
            }
        }
        System.out.println("NOT CAUGHT");
        System.exit(1);
    }
}
