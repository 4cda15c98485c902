/**
 * Frames as bytes. A frame is
 *
 * <pre>
 * 0       1         3             7                  7+size
 * +------+---------+-------------+------------------+----------+
 * | type | channel | payload size| payload          | end 0xCE |
 * +------+---------+-------------+------------------+----------+
 * type 1 method: class id, method id, arguments     type 3 body: bytes
 * type 2 header: class id, weight, body size, properties   type 8 heartbeat: nothing
 * </pre>
 */
@NullMarked
package io.warren.amqp.frame;

import org.jspecify.annotations.NullMarked;
