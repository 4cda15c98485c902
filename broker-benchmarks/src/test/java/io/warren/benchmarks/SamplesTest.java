package io.warren.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.benchmarks.Benchmark.Contender;
import io.warren.benchmarks.Benchmark.Metric;
import java.util.List;
import org.junit.jupiter.api.Test;

class SamplesTest {

    private static final Benchmark BENCHMARK = new Benchmark(
            "b",
            "what?",
            List.of(new Metric("m", 0)),
            List.of(new Contender("ours", effort -> new double[] {1}), new Contender("peer", effort ->
                    new double[] {1})),
            "peer");

    @Test
    void shouldShowMedianLeastGreatestAndRatioOfMedians() {
        Samples samples = new Samples(BENCHMARK);
        for (double value : new double[] {9_000, 1_000, 3_000}) {
            samples.add("ours", new double[] {value});
        }
        samples.add("peer", new double[] {2_000});

        String rows = samples.rows();

        assertThat(rows.lines().map(row -> row.replaceAll(" +", " ").trim()))
                .containsExactly("b m ours 3,000 (1,000 to 9,000) 3 1.50", "b m peer 2,000 (2,000 to 2,000) 1 1.00");
    }

    @Test
    void shouldLeaveOutWhatASystemCannotDo() {
        Samples samples = new Samples(BENCHMARK);
        samples.add("ours", new double[] {5});
        samples.add("peer", new double[] {Double.NaN});

        String rows = samples.rows();

        assertThat(rows.lines().map(row -> row.replaceAll(" +", " ").trim())).containsExactly("b m ours 5 (5 to 5) 1");
    }
}
