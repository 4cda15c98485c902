/**
 * Warren's test kit.
 *
 * <p>Today it holds the {@linkplain io.warren.test.contract behaviour contracts}' vocabulary; everything in it may be used from a
 * test class path only.
 */
@NullMarked
package io.warren.test;

import org.jspecify.annotations.NullMarked;
