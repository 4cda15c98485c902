/** Bytes on disk and the tables that follow from them: records, batches, headers, indexes, places. Pure. */
@NullMarked
package io.warren.core.store.format;

import org.jspecify.annotations.NullMarked;
