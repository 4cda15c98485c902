/** The mailbox of whoever takes all that waits at once: a group's member, and the writing end of a link. */
@NullMarked
package io.warren.mirroring.mailbox;

import org.jspecify.annotations.NullMarked;
