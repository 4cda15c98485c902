/** What the examples with a real log share: its lines, and a count of what became of them. */
@NullMarked
package io.warren.examples.log;

import org.jspecify.annotations.NullMarked;
