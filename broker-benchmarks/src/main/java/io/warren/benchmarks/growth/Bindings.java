package io.warren.benchmarks.growth;

import io.warren.routing.Router;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Does a route cost more with many bindings? Baseline: the fewest.
 *
 * <p>Three words from as many values as there are bindings, a quarter each of {@code r.s.e}, {@code r.*.e}, {@code r.s.#}
 * and {@code *.s.e}: whatever their number, a key meets about as many.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Bindings {

    private static final int KEYS = 2_048;
    private static final int EVENTS = 10;
    private static final int DESTINATIONS = 10;
    private static final long SEED = 42;

    @Param({"100", "200", "400", "800", "1600", "6400", "25600", "100000"})
    int size;

    private final String[] keys = new String[KEYS];
    private Router<Integer> router = Router.topic();
    private int next;

    @Setup(Level.Trial)
    public void bind() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < size; i++) {
            String region = "r" + random.nextInt(size);
            String sensor = "s" + random.nextInt(size);
            String event = "e" + random.nextInt(EVENTS);
            String pattern =
                    switch (i % 4) {
                        case 0 -> region + "." + sensor + "." + event;
                        case 1 -> region + ".*." + event;
                        case 2 -> region + "." + sensor + ".#";
                        default -> "*." + sensor + "." + event;
                    };
            router = router.bind(random.nextInt(DESTINATIONS), pattern, Map.of());
            // The last bindings' words are the keys, so that each key meets one; a few keys serve twice.
            keys[i % KEYS] = region + "." + sensor + "." + event;
        }
        for (int i = size; i < KEYS; i++) {
            keys[i] = keys[i % size];
        }
    }

    @Benchmark
    public void route(Blackhole met) {
        router.route(keys[next++ & (KEYS - 1)], Map.of(), met::consume);
    }
}
