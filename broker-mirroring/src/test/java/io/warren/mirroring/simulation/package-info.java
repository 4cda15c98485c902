/**
 * The proof of the ring by trying to break it: a whole cluster in one thread from one seed.
 *
 * <p>{@code broker-mirroring/simulate} runs it from the command line.
 */
package io.warren.mirroring.simulation;
