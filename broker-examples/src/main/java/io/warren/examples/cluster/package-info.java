/** Three nodes and their client, for the examples that end nodes. */
@NullMarked
package io.warren.examples.cluster;

import org.jspecify.annotations.NullMarked;
