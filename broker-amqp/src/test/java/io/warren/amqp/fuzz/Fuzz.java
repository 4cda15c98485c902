package io.warren.amqp.fuzz;

import io.netty.buffer.ByteBuf;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Spoiled bytes for the broker, many millions of them: {@code broker-amqp/fuzz} says how to run it.
 *
 * <p>Every input has a number; number and seed make it again. Nine in ten are spoiled after a valid handshake, the rest
 * from the first byte on. After every {@value #INPUTS_PER_CHECK} the broker must answer each unspoiled recording as at
 * first.
 */
final class Fuzz {

    static final int INPUTS_PER_CHECK = 1_000;

    /** Of a hundred inputs, those that leave the handshake as it is. */
    private static final int AFTER_HANDSHAKE_PERCENT = 92;

    private static final long PARANOID_SHARE = 100;

    private static final List<Recording> RECORDINGS = Recording.all();

    private final long seed;
    private final Map<String, Long> endStates = new TreeMap<>();
    private final Map<String, String> expected = new TreeMap<>();
    private long afterHandshake;
    private long slowestNs;

    Fuzz(long seed) {
        this.seed = seed;
    }

    /** The table: how many inputs ended how. */
    Map<String, Long> endStates() {
        return endStates;
    }

    long afterHandshake() {
        return afterHandshake;
    }

    long slowestMs() {
        return slowestNs / 1_000_000;
    }

    /** Runs the inputs from one number on; a failure names the one that showed it. */
    void run(long from, long count) {
        try (FuzzTarget target = new FuzzTarget()) {
            for (long number = from; number < from + count; number++) {
                if (number % INPUTS_PER_CHECK == 0) {
                    check(target, number);
                }
                input(target, number);
            }
            check(target, from + count);
        }
    }

    private void input(FuzzTarget target, long number) {
        SplittableRandom random = new SplittableRandom(seed * 1_000_003 + number);
        Recording recording = RECORDINGS.get(random.nextInt(RECORDINGS.size()));
        boolean spoilsHandshake = random.nextInt(100) >= AFTER_HANDSHAKE_PERCENT;
        Mutation mutation = new Mutation(random);
        long startNs = System.nanoTime();
        String end;
        try {
            end = spoilsHandshake
                    ? target.answer(mutation.spoil(recording.handshake()), Recording.join(recording.frames()))
                            .endState()
                    : target.answer(Recording.join(recording.handshake()), mutation.spoil(recording.frames()))
                            .endState();
        } catch (RuntimeException | Error broken) {
            throw new AssertionError("seed=" + seed + " input=" + number + ": " + broken, broken);
        }
        slowestNs = Math.max(slowestNs, System.nanoTime() - startNs);
        if (end.equals("541")) {
            throw new AssertionError("seed=" + seed + " input=" + number + ": INTERNAL_ERROR");
        }
        afterHandshake += spoilsHandshake ? 0 : 1;
        endStates.merge(end, 1L, Long::sum);
    }

    private void check(FuzzTarget target, long number) {
        for (Recording recording : RECORDINGS) {
            target.reset();
            Answer answer = target.answer(Recording.join(recording.handshake()), Recording.join(recording.frames()));
            String summary = answer.endState() + " " + answer.byChannel();
            String before = expected.putIfAbsent(recording.name(), summary);
            if (before != null && !before.equals(summary)) {
                throw new AssertionError("seed=" + seed + " before input=" + number + ": recording " + recording.name()
                        + " now ends as '" + summary + "', at first as '" + before + "'");
            }
        }
        target.reset();
        if (target.connectionCount() != 0) {
            throw new AssertionError("seed=" + seed + " before input=" + number + ": " + target.connectionCount()
                    + " connections are left");
        }
    }

    // ---- from the command line

    /** Arguments: number of inputs, seed, first input. */
    public static void main(String[] arguments) {
        long count = Long.parseLong(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        long from = Long.parseLong(arguments[2]);
        LeakCount leaks = LeakCount.install();
        System.out.println("seed " + seed + ", inputs " + from + " to " + (from + count - 1));
        long startNs = System.nanoTime();
        long paranoid = count / PARANOID_SHARE;
        Fuzz fuzz = new Fuzz(seed);
        ResourceLeakDetector.setLevel(Level.PARANOID);
        fuzz.run(from, paranoid);
        leaks.provoke();
        ResourceLeakDetector.setLevel(Level.SIMPLE);
        fuzz.run(from + paranoid, count - paranoid);
        leaks.provoke();
        fuzz.print(count, (System.nanoTime() - startNs) / 1_000_000_000.0);
        System.out.printf(
                "leaks reported: %d (paranoid for the first %d inputs, simple for the rest)%n",
                leaks.count(), paranoid);
        System.exit(leaks.count() == 0 ? 0 : 1);
    }

    private void print(long count, double seconds) {
        endStates.forEach((end, inputs) -> System.out.printf("%-24s %,12d%n", end, inputs));
        System.out.printf(
                "%,d inputs in %.0f s, %.1f %% of them spoiled after a valid handshake; slowest %d ms; no hang%n",
                count, seconds, 100.0 * afterHandshake / count, slowestMs());
    }

    /** Counts what Netty's leak detector finds. */
    private static final class LeakCount extends ResourceLeakDetectorFactory {

        private final AtomicLong count = new AtomicLong();

        static LeakCount install() {
            LeakCount leaks = new LeakCount();
            ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(leaks);
            return leaks;
        }

        long count() {
            return count.get();
        }

        /** The detector looks for lost buffers when new ones are made, once the collector has found them. */
        void provoke() {
            for (int round = 0; round < 3; round++) {
                System.gc();
                for (int i = 0; i < 1_000; i++) {
                    ByteBuf buffer = io.netty.buffer.ByteBufAllocator.DEFAULT.buffer(16);
                    buffer.release();
                }
            }
        }

        @Override
        @SuppressWarnings("deprecation") // the one that must be implemented is the deprecated one
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                Class<T> resource, int samplingInterval, long maxActive) {
            return new ResourceLeakDetector<>(resource, samplingInterval) {
                @Override
                protected void reportTracedLeak(String resourceType, String records) {
                    super.reportTracedLeak(resourceType, records);
                    count.incrementAndGet();
                }

                @Override
                protected void reportUntracedLeak(String resourceType) {
                    super.reportUntracedLeak(resourceType);
                    count.incrementAndGet();
                }
            };
        }
    }
}
