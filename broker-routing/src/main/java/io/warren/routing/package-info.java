/** Placeholder. */
@org.jspecify.annotations.NullMarked
package io.warren.routing;
