/** What a channel is: delivery tags, prefetch, confirms, transactions. Pure. */
@NullMarked
package io.warren.core.channel;

import org.jspecify.annotations.NullMarked;
