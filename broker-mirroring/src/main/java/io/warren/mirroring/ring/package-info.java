/** The ring. */
@org.jspecify.annotations.NullMarked
package io.warren.mirroring.ring;
