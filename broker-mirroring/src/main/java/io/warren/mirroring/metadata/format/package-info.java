/**
 * The metadata as bytes: commands in entries of a consensus engine's log, and whole states in snapshots. Pure.
 *
 * <p>Both are on disk and cross the network between nodes of different versions, so both begin with a version. What is read
 * is checked before anything of its size is made; bytes that are no entry or no state are an {@code IllegalArgumentException}.
 */
@NullMarked
package io.warren.mirroring.metadata.format;

import org.jspecify.annotations.NullMarked;
