/** The wiring of the example with Spring. */
@NullMarked
package io.warren.examples.spring;

import org.jspecify.annotations.NullMarked;
