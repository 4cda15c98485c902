package io.warren.benchmarks.growth;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Delivery;
import io.warren.core.QueueOptions;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Does a publish cost more in a long queue? Baseline: the shortest.
 *
 * <p>Every publish is followed by a get, so that the length stays what it is.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class QueueLength {

    private static final String QUEUE = "long";

    @Param({"1000", "2000", "4000", "8000", "16000", "64000", "256000", "1000000"})
    int size;

    private final byte[] body = new byte[100];
    private final Broker broker = Broker.start();
    private final Channel channel = broker.connect().openChannel();

    @Setup(Level.Trial)
    public void fill() {
        channel.queueDeclare(QueueOptions.named(QUEUE));
        for (int i = 0; i < size; i++) {
            channel.publish("", QUEUE, body);
        }
    }

    @TearDown(Level.Trial)
    public void close() {
        channel.connection().close();
        broker.close();
    }

    @Benchmark
    public @Nullable Delivery publishAndGet() {
        channel.publish("", QUEUE, body);
        return channel.get(QUEUE, true);
    }
}
