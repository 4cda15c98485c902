/** Metadata for a cluster whose nodes all live in one JVM. */
@NullMarked
package io.warren.mirroring.memory;

import org.jspecify.annotations.NullMarked;
