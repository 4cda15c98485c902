package io.warren.benchmarks;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Many patterns on a topic exchange, few keys: routing keys of three words, where a quarter each of the patterns are
 * {@code region.sensor.event}, {@code region.*.event}, {@code region.sensor.#} and {@code *.sensor.event}.
 *
 * <p>Every key is made from a binding, so that it leads somewhere. Where it leads is worked out here by comparing words:
 * who delivers otherwise fails the run.
 */
final class TopicLoad implements Load {

    static final int QUEUES = 10;

    private static final int REGIONS = 1_000;
    private static final int SENSORS = 1_000;
    private static final int EVENTS = 10;
    private static final int KEYS = 2_048;
    private static final int BODY_BYTES = 100;

    /** The same bindings and keys for every system and run. */
    private static final long SEED = 42;

    private record Pattern(int kind, int region, int sensor, int event, int queue) {

        boolean matches(Pattern key) {
            return switch (kind) {
                case 0 -> region == key.region && sensor == key.sensor && event == key.event;
                case 1 -> region == key.region && event == key.event;
                case 2 -> region == key.region && sensor == key.sensor;
                default -> sensor == key.sensor && event == key.event;
            };
        }

        String bindingKey() {
            return switch (kind) {
                case 0 -> key();
                case 1 -> "r" + region + ".*.e" + event;
                case 2 -> "r" + region + ".s" + sensor + ".#";
                default -> "*.s" + sensor + ".e" + event;
            };
        }

        String key() {
            return "r" + region + ".s" + sensor + ".e" + event;
        }
    }

    private final List<Pattern> patterns = new ArrayList<>();
    private final String[] keys = new String[KEYS];
    private final int[] deliveries = new int[KEYS];
    private final byte[] body = new byte[BODY_BYTES];
    private int next;

    TopicLoad(int bindings) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < bindings; i++) {
            patterns.add(new Pattern(
                    i % 4,
                    random.nextInt(REGIONS),
                    random.nextInt(SENSORS),
                    random.nextInt(EVENTS),
                    random.nextInt(QUEUES)));
        }
        for (int i = 0; i < KEYS; i++) {
            Pattern key = patterns.get(random.nextInt(bindings));
            keys[i] = key.key();
            deliveries[i] = queuesOf(key);
        }
    }

    private int queuesOf(Pattern key) {
        BitSet queues = new BitSet(QUEUES);
        patterns.stream().filter(pattern -> pattern.matches(key)).forEach(pattern -> queues.set(pattern.queue()));
        return queues.cardinality();
    }

    /** Declares the bindings; takes so many milliseconds. */
    private double bind(Pipe pipe) throws Exception {
        long startNs = System.nanoTime();
        for (Pattern pattern : patterns) {
            pipe.bind(pattern.queue(), pattern.bindingKey());
        }
        return (System.nanoTime() - startNs) / 1e6;
    }

    @Override
    public int publishNext(Pipe pipe) throws Exception {
        int key = next++ % KEYS;
        pipe.publish(keys[key], body);
        return deliveries[key];
    }

    /** Publishes a second, deliveries for each of them, milliseconds to declare the bindings. */
    static Measurement of(Pipe.Factory factory, int bindings) {
        Pipe.Setup setup = new Pipe.Setup(Pipe.Exchange.TOPIC, QUEUES, false, true);
        return effort -> {
            TopicLoad load = new TopicLoad(effort.count(bindings));
            Flow flow = new Flow(setup);
            try (Pipe pipe = factory.open(setup, flow)) {
                double bindMs = load.bind(pipe);
                Throughput.Rates rates = new Throughput(pipe, flow, load).measure(effort);
                return new double[] {
                    rates.publishedPerSecond(), rates.deliveredPerSecond() / rates.publishedPerSecond(), bindMs
                };
            }
        };
    }
}
