/**
 * What Warren costs, beside other brokers in one JVM: measured by {@code broker-benchmarks/run}.
 *
 * <p>One question a class. Whole-program runs ({@link io.warren.benchmarks.Suite}) each get a JVM of their own, so that no
 * broker runs on what the compiler learnt from another; rounds are interleaved, A B C A B C. Questions of growth are
 * asked by JMH ({@code growth}).
 */
@NullMarked
package io.warren.benchmarks;

import org.jspecify.annotations.NullMarked;
