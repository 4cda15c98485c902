/** The shell: mailboxes, registries and the wiring of the pure state machines to their ports. */
@NullMarked
package io.warren.core.internal;

import org.jspecify.annotations.NullMarked;
