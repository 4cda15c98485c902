package io.warren.benchmarks.growth;

import io.warren.core.channel.ChannelState;
import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.queue.QueueRef;
import java.util.List;
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

/**
 * Does a confirm cost more while many publishes are unconfirmed? Baseline: one.
 *
 * <p>The channel's state machine alone: a broker in memory confirms at once and never has many outstanding. Every publish
 * is followed by the confirm of the oldest, so that their number stays what it is.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OutstandingConfirms {

    @Param({"1", "10", "100", "1000", "2000", "4000", "8000", "16000", "100000"})
    int size;

    private final Message message = Message.owning("", "q", Properties.NONE, new byte[16]);
    private final QueueRef queue = () -> "q";
    private final ChannelState channel = new ChannelState(published -> List.of(queue), new NoOutput());
    private long oldest = 1;

    @Setup(Level.Trial)
    public void publish() {
        channel.onConfirmSelect();
        for (int i = 0; i < size; i++) {
            channel.onPublish(message, false);
        }
    }

    @Benchmark
    public int publishAndConfirm() {
        channel.onPublish(message, false);
        channel.onConfirmed(oldest++);
        return channel.unconfirmedCount();
    }
}
