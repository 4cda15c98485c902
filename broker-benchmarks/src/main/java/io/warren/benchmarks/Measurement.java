package io.warren.benchmarks;

/** One run of one system: sets it up, warms it up, measures it, ends it. */
@FunctionalInterface
interface Measurement {

    /** One value for each metric of the benchmark, in its order; NaN for what the system cannot do. */
    double[] run(Effort effort) throws Exception;
}
