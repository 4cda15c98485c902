/** Nodes: a broker as one of a cluster, its part in finding out who lives, and its channels' way to queues of other nodes. */
@NullMarked
package io.warren.mirroring.node;

import org.jspecify.annotations.NullMarked;
