/** What travels: messages, their properties and field tables. Pure and immutable. */
@NullMarked
package io.warren.core.message;

import org.jspecify.annotations.NullMarked;
