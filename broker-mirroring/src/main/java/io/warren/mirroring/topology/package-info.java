/** The core's topology, shared by the nodes of a cluster. */
@NullMarked
package io.warren.mirroring.topology;

import org.jspecify.annotations.NullMarked;
