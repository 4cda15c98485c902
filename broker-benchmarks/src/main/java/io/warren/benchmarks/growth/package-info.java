/** How a cost grows with what there is: one JMH benchmark for each quantity. */
@NullMarked
package io.warren.benchmarks.growth;

import org.jspecify.annotations.NullMarked;
