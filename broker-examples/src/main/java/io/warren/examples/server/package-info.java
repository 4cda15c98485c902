/** What {@code broker-examples/run server} needs beside the broker: its settings. */
@NullMarked
package io.warren.examples.server;

import org.jspecify.annotations.NullMarked;
