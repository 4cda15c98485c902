/** The ports: what the core asks of its surroundings, and what other modules fill in. */
@NullMarked
package io.warren.core.spi;

import org.jspecify.annotations.NullMarked;
