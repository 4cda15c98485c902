/**
 * Messages and topology on disk: what was confirmed is there after kill -9 and power loss.
 *
 * <p><b>Promise.</b> A publish of a persistent message to a durable queue is called safe after a force that covers its
 * record. A settlement is safe after the force that covers it; a commit and a clean stop wait for that. What was not
 * forced may be lost, and only from the end: a crash leaves a prefix of what was written.
 *
 * <p><b>The obvious design and why it fails.</b> A file per queue needs a force per queue: a hundred queues share one
 * disk and get a hundredth each. So all queues of a broker share one write-ahead log, and everything that came while the
 * last force ran goes into the next one.
 *
 * <p><b>What is where.</b>
 *
 * <pre>
 * lock                     keeps a second process out
 * metadata-N.log           commands that make the topology; rewritten when it has grown
 * wal-N.log                records of all queues, in the order they came
 * queue-ID-N.seg           messages of one queue that outlived their log file, with an index at the end
 * </pre>
 *
 * A message that is consumed soon is written once. One that stays is written twice: before a log file goes, what is still
 * waiting in it moves to segments. A segment goes when nothing in it waits any more; a sparse one is copied forward.
 *
 * <p><b>Who does what.</b> One thread writes and forces the log ({@link io.warren.core.store.LogWriter}). One moves and
 * one reads. Queues hand entries in and are posted answers; no user's thread ever touches a file, so an interrupt cannot
 * close one. Tables of places are shared by these threads under one lock a queue, never held during input or output.
 *
 * <p><b>Recovery.</b> A log is read batch by batch. Each batch says how far its file had been forced before: a bad place
 * below that is damage, and the start is refused; a bad place behind it is what a crash leaves, and is cut with a
 * warning. Metadata decides which queues exist: records of others are dropped.
 *
 * <p><b>After a failed force</b> nobody knows what is on disk, and asking again gets a false yes: the store stops, and
 * nothing is confirmed any more.
 */
@NullMarked
package io.warren.core.store;

import org.jspecify.annotations.NullMarked;
