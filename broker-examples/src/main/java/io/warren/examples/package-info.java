/** One idea a class, each with a main method; {@code broker-examples/run} lists and runs them. */
@NullMarked
package io.warren.examples;

import org.jspecify.annotations.NullMarked;
