package io.warren.test.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Kills a broker under load again and again, and looks after each start whether it kept its word:
 * {@code CrashHarness ROUNDS SEED DIRECTORY LOG_FILE_BYTES}.
 *
 * <p>Every tenth round ends in a clean stop instead, after everything was acknowledged. A third of the kills waits for
 * a log file to be moved, a segment to be compacted or files to be deleted.
 */
final class CrashHarness {

    private static final int CONFIRMED_MIN = 1_000;
    private static final long LOAD_SECONDS_MAX = 60;

    private final SplittableRandom random;
    private final Path directory;
    private final Path portFile;
    private final long logFileBytes;
    private final Expected expected = new Expected();
    private final List<String> wrong = new ArrayList<>();
    private int kills;
    private int killsUnderLoad;
    private int killsInACopy;
    private int cleanStops;
    private int cutTails;
    private long recoveryMsMax;
    private long presentMax;

    private CrashHarness(long seed, Path directory, long logFileBytes) {
        this.random = new SplittableRandom(seed);
        this.directory = directory.resolve("data");
        this.portFile = directory.resolve("port");
        this.logFileBytes = logFileBytes;
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createDirectories(Path.of(arguments[2]));
        CrashHarness harness = new CrashHarness(Long.parseLong(arguments[1]), directory, Long.parseLong(arguments[3]));
        int rounds = Integer.parseInt(arguments[0]);
        for (int round = 1; harness.kills < rounds; round++) {
            harness.round(round);
            if (round % 10 == 0) {
                harness.report();
            }
        }
        harness.report();
        if (!harness.wrong.isEmpty()) {
            System.exit(1);
        }
    }

    private void round(int round) throws IOException, TimeoutException, InterruptedException {
        boolean clean = round % 10 == 0;
        try (ServerProcess server = ServerProcess.start(directory, logFileBytes, portFile)) {
            look(server, round, clean);
            if (clean) {
                server.stop();
                cleanStops++;
            } else {
                loadAndKill(server, round);
            }
            for (String line : server.log()) {
                if (line.contains(" ERROR ")) {
                    wrong.add("round " + round + ": " + line);
                }
            }
        }
    }

    private void look(ServerProcess server, int round, boolean take)
            throws IOException, TimeoutException, InterruptedException {
        for (String line : server.log()) {
            if (line.contains(" is torn: ")) {
                cutTails++;
            }
            if (line.contains(" recovered ")) {
                String ms = line.replaceAll(".* in (\\d+) ms;.*", "$1");
                recoveryMsMax = Math.max(recoveryMsMax, Long.parseLong(ms));
            }
        }
        Inspection inspection = new Inspection(expected, server.port());
        inspection.run(take);
        presentMax = Math.max(presentMax, inspection.presentCount());
        for (String what : inspection.wrong()) {
            wrong.add("round " + round + ": " + what);
            System.out.println("WRONG round " + round + ": " + what);
        }
    }

    private void loadAndKill(ServerProcess server, int round)
            throws IOException, TimeoutException, InterruptedException {
        CountDownLatch copying = new CountDownLatch(1);
        boolean waitForCopy = random.nextInt(3) == 0;
        Load load = new Load(expected, server.port(), round, random.nextLong());
        load.start();
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LOAD_SECONDS_MAX);
        while (load.confirmed() < CONFIRMED_MIN && System.nanoTime() < deadlineNs) {
            Thread.sleep(2);
        }
        if (waitForCopy) {
            server.onCopyBegun(copying::countDown);
            boolean unused = copying.await(3, TimeUnit.SECONDS);
            Thread.sleep(random.nextInt(4));
        } else {
            Thread.sleep(random.nextInt(300));
        }
        boolean underLoad = load.outstanding() > 0 && load.confirmed() >= CONFIRMED_MIN;
        boolean inACopy = server.kill();
        load.join();
        kills++;
        killsUnderLoad += underLoad ? 1 : 0;
        killsInACopy += inACopy ? 1 : 0;
    }

    private void report() {
        System.out.printf(
                Locale.ROOT,
                "kills=%d under-load=%d in-copy-or-roll=%d clean-stops=%d confirmed=%d most-waiting=%d torn-tails-cut=%d"
                        + " longest-recovery-ms=%d wrong=%d%n",
                kills,
                killsUnderLoad,
                killsInACopy,
                cleanStops,
                expected.confirmedCount(),
                presentMax,
                cutTails,
                recoveryMsMax,
                wrong.size());
    }
}
