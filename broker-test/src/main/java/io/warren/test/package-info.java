/**
 * Warren's test kit.
 *
 * <p>Today it holds {@link io.warren.test.Cluster}, nodes in this JVM with faults on demand, which needs broker-mirroring on the class
 * path, and the {@linkplain io.warren.test.contract behaviour contracts}' vocabulary. Everything in it may be used from a test class
 * path only.
 */
@NullMarked
package io.warren.test;

import org.jspecify.annotations.NullMarked;
