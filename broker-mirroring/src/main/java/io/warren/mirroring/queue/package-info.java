/**
 * The mirrored queue: a backing queue whose every change is an entry of a ring, so that the next master goes on where the last one ended.
 *
 * <p>This text comes before the code and says what it has to do. The ring ({@link io.warren.mirroring.ring}) brings one sequence of entries to
 * all members; the queue's rules ({@code io.warren.core.queue}) stand above the backing queue and know nothing of members. This package is
 * what lies between: which entries there are, what a member makes of them, and how a master works on them.
 *
 * <h2>Words</h2>
 *
 * <dl>
 *   <dt>entry, reign, stable, firm, in sync, master, slave
 *   <dd>As the ring has them. A persistent entry that is stable is firm.
 *   <dt>offset
 *   <dd>A message's number in its queue, given by the master, growing by one with each message. It is not the place of its entry in the ring's
 *       log, which is the <em>position</em>: views and settlements have positions too, and what the ring does with an entry that waits is not
 *       known when the queue above asks for the message's number.
 *   <dt>channel, sequence, first open
 *   <dd>Whoever publishes here: a channel of some node's process, or another queue that dead-letters. It numbers what it publishes, and sends
 *       again what is not answered. Below its first open number everything is answered.
 *   <dt>settle
 *   <dd>The message is gone for good, whatever the reason.
 *   <dt>replica
 *   <dd>What a member knows of the queue: a function of the entries delivered to it and of nothing else.
 *   <dt>hand-out limit
 *   <dd>Of a priority: above it no consumer has seen a message.
 * </dl>
 *
 * <h2>What is guaranteed</h2>
 *
 * As long as the ring keeps its promise:
 *
 * <ol>
 *   <li>A message that was confirmed is in the queue of every later master, or was settled.
 *   <li>A publish that is sent again is recognised: it is in the queue once, and each channel's messages are in it in order.
 *   <li>A consumer is handed only what no later master lacks. Whatever it may have seen is marked redelivered when it is handed out again.
 *   <li>A message ends by one settle entry, decided by the master of the reign in which that entry is ordered. What a former master decided
 *       and the ring orders late changes nothing.
 *   <li>A dead letter keeps its message until the publishes it makes are confirmed. A new master makes the unfinished ones again, under the
 *       numbers they had, and their targets recognise them.
 * </ol>
 *
 * <h2>What is not</h2>
 *
 * That a publish nobody confirmed survives, unless its channel sends it again. That a settlement survives which nobody waited for (the
 * message is handed out again, marked). That a transient message survives the death of all in-sync members: the master that carries on
 * from disk settles them all. That a consumer which acknowledges automatically gets what was on its way. That {@code peek} shows only what is
 * stable: it is for looking, not for consuming.
 *
 * <h2>The obvious design, and why it fails</h2>
 *
 * Each member has a queue of its own and does what the master says it did: "drop one from the head", "requeue these". Then a member that
 * missed one command is wrong for ever and cannot tell; a member that comes back has nothing to compare; and an acknowledgement names
 * whatever stands at that place in this member's queue. RabbitMQ's mirrors lost and deleted messages that way. Here entries say what is
 * true of a message, by its offset, and a message's place follows from its offset and priority. So a requeue is no entry at all: on a slave an
 * unsettled message has never left its place.
 *
 * <h2>The entries</h2>
 *
 * Each carries the reign it was decided in. A member applies an entry only if the ring ordered it in that very reign. The ring's outbox may
 * bring an entry of a former reign again, in the name of a master that was replaced without dying, or even is the master once more: its
 * numbers may be another message's by now, and the channel has sent the publish again besides.
 *
 * <dl>
 *   <dt>publish (channel, sequence, first open, record)
 *   <dd>The record is the store's own: offset, priority, expiry by the wall clock, flags, message. It is encoded once, by the master, and kept
 *       by everyone as it came; nobody decodes a message before a consumer needs it. Persistent if the message and the queue are.
 *   <dt>settle (reason, ranges of offsets)
 *   <dd>What was settled in one turn of the queue's is one entry, or one for each reason. Always persistent: the ring forgets only up to such.
 *   <dt>hand-out limit (priority, offset)
 *   <dd>Raised in steps, each as large as all before it together, up to 1,024; and by a flag of a publish that a consumer waits for. It is an
 *       entry, and no field of the ring's frames: the ring is generic, and what may be handed out must be stable before it is, so it has to be
 *       something that can become stable.
 *   <dt>dead letter (offset, reason)
 *   <dd>The message is taken from the queue to be published elsewhere. The n-th such entry of the queue's life has number n, which no entry has
 *       to say: it is the sequence under which the target knows it.
 *   <dt>channel gone (channel)
 *   <dd>Nobody will send again what it published: its row is forgotten.
 * </dl>
 *
 * <h2>The replica</h2>
 *
 * Unsettled messages by offset, as bytes, or, where a disk has these, by what is asked of them besides ({@link
 * io.warren.mirroring.queue.MirroredQueueOutput#read}); each live channel's highest sequence, its first open, and the numbers between that are no
 * publish of this queue; the hand-out limits; unfinished dead letters; the next offset and the number of dead letters so far. Its size is
 * that of the queue, and of the channels that use it.
 *
 * <p>What is delivered first stands in a <em>tail</em> of entries as they came. It is applied as a batch when it has grown, and only up to a
 * firm entry. That has two reasons. What is settled within a batch is never applied: where consumers keep up, a slave does next to nothing.
 * And after the death of all in-sync members the ring may take back what was delivered, but nothing below a firm entry: so it is still in the
 * tail, and is cut off there. (A promotion of a member that does not hold everything may take back more. Then the replica is void, and is
 * made anew from what the disk holds or from another member's.)
 *
 * <h2>The master</h2>
 *
 * When the view that opened a reign is delivered at its master, everything before it is, and is stable. The replica is brought up to there, and
 * upon it stands an ordinary {@link io.warren.core.queue.LocalBackingQueue}, whose log is the ring: it orders, counts, finds what has expired,
 * and keeps few bodies, since the replica has them all, or its disk. Messages that were handed out under former masters are simply ready: at their places,
 * marked redelivered up to the hand-out limit.
 *
 * <ul>
 *   <li><b>Counts</b> hold what is published and not stable yet. So a client that publishes and then declares or gets finds what it published, as
 *       from RabbitMQ, and length limits are kept exactly and not one lap late.
 *   <li><b>Hand-out</b>: the head may be a message that is not stable. Taking it then takes a lap, as if its body came from a disk; the queue above
 *       waits for it in the same way.
 *   <li><b>Confirms</b>: a message is safe when its entry is delivered, for that is when it is stable. A barrier is passed when all that was
 *       broadcast before it is.
 *   <li><b>A publish sent again</b> is looked up in the table of channels as of all that was <em>broadcast</em>. If it was taken, it is answered by
 *       a barrier: confirmed when all that the master had broadcast by then is stable. A number at or below the highest that is no publish here
 *       was refused, and is refused again; otherwise a message rejected for want of room would be confirmed by a later master that only knows a
 *       higher number.
 *   <li><b>Room</b>: what the ring has no room for waits here in order. The channels' credit bounds it.
 * </ul>
 *
 * <p>A view that names another master, or another reign, ends all that at once: the backing queue is void, and the attachments with it. The
 * replica goes on; it never knew what the master knew beyond the entries.
 *
 * <h2>Lemmas</h2>
 *
 * Numbered as in the ring's essay, which leaves 6, 9 and 10 to this package:
 *
 * <ul>
 *   <li>6. A confirmed message that is not settled is in the replica of every in-sync member, once it has delivered what is stable.
 *   <li>9. (channel, sequence) is in a queue at most once, and in order; every confirmed one is stable or settled.
 *   <li>10. A message ends by one settle entry, and a client causes one only in the reign and attachment of its delivery.
 * </ul>
 *
 * and one that makes them checkable: the replica is the same however the entries were cut into batches.
 *
 * <h2>What goes wrong on A -&gt; B -&gt; C</h2>
 *
 * <dl>
 *   <dt>A dies when a publish has reached B only.
 *   <dd>B's view is behind it. When the view is delivered, so is the publish; the channel sends it again, B knows its number and answers.
 *   <dt>A dies when a publish has reached nobody.
 *   <dd>B gives its offset to another message. The channel sends it again, as new.
 *   <dt>A is replaced without dying, and its outbox brings "publish 17" to B.
 *   <dd>It names A's reign and is ordered in B's: nobody applies it. B's own 17 stands.
 *   <dt>A has handed 5 to a consumer and dies before its acknowledgement is stable.
 *   <dd>5 is at or below the limit, for it was raised before. B hands it out as redelivered. The acknowledgement comes with A's attachment, which
 *       is over: it settles nothing (10).
 *   <dt>A refuses 5 because the queue is full, takes 6, and dies; neither answer was heard.
 *   <dd>B knows 6, and that 5 is none of its publishes. It refuses 5 and confirms 6.
 *   <dt>A dies between the dead letter's publish and its confirm.
 *   <dd>The dead-letter entry was stable before anything was published. B publishes it again, under the same number; the target answers as to any
 *       publish that comes twice. When it has, B settles the message.
 *   <dt>All lose power; B comes back first.
 *   <dd>B's view says so. B settles every transient message with its first entries and goes on with the others. A channel that still waits for the
 *       answer to one of these is refused: it may publish again.
 * </dl>
 *
 * <h2>Limits</h2>
 *
 * An entry: 128 MiB; a settle entry: 4,096 ranges, further ones go into the next; a node's name: 1,024 bytes. While stable stands still, as below
 * the least number in sync, a message that is being taken and is not stable holds up those behind it. {@code peek} ends at the first body that is
 * not in the local queue's memory.
 *
 * <p>Pure: inputs in, effects through {@link io.warren.mirroring.queue.MirroredQueueOutput} out. Owned by the queue's mailbox.
 */
@NullMarked
package io.warren.mirroring.queue;

import org.jspecify.annotations.NullMarked;
