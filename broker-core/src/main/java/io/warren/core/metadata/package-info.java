/** The topology as one deterministic state machine: virtual hosts, exchanges, queues, bindings, policies, users. Pure. */
@NullMarked
package io.warren.core.metadata;

import org.jspecify.annotations.NullMarked;
