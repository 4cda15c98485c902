/** What a queue is: consumers, dispatch, prefetch, expiry, limits, dead-lettering, confirms, over a backing queue. Pure. */
@NullMarked
package io.warren.core.queue;

import org.jspecify.annotations.NullMarked;
