/**
 * A node as a process of its own: links over TCP, the metadata log of Apache Ratis, a directory.
 *
 * <p>Two ports: the cluster port, where other nodes' links come in, and the next one, where the metadata log is reached.
 */
@NullMarked
package io.warren.mirroring.cluster;

import org.jspecify.annotations.NullMarked;
