/**
 * The copies of a node's durable mirrored queues on disk: one log for all of them.
 *
 * <p><b>Promise.</b> Everything of a copy up to an entry is reported durable after a force that covers it. What was not reported may be lost, and
 * only from the end: a crash leaves, of each copy, what some beginning of its writes amounts to. What was reported is there, or the start is
 * refused with a file's name. That is what the ring asks of a disk ({@link io.warren.mirroring.ring}); nothing here knows of rings, views, or who is
 * in sync.
 *
 * <p><b>The obvious designs and why they fail.</b> A file per queue needs a force per queue. Putting copies into the store of plain queues would
 * have it know of epochs, cuts and tables of senders, and keep two orders of one message. Keeping each copy as a snapshot that is rewritten
 * writes a backlog again and again. And a log from whose beginning files go in order has a backlog that nobody touches written again for every
 * file of traffic that passes it.
 *
 * <h2>What is where</h2>
 *
 * <pre>
 * lock                    keeps a second process out
 * entries-N.log           records of all copies, in the order they came
 * aside-queue-...state    what was set aside
 * </pre>
 *
 * <dl>
 *   <dt>ENTRY, CUT, FORGOTTEN
 *   <dd>What the ring puts out, as it comes. Of what is forgotten a record tells once in a round: a recovery that knows less keeps
 *       more.
 *   <dt>STATE
 *   <dd>All that a copy is at one moment: the ring's base and table of senders; the queue's tables as of a firm entry, <em>applied</em>, at or
 *       above the base; and which messages are not settled there. It names them; their bytes, and the entries behind the base, stand
 *       where they stood.
 *   <dt>MESSAGE
 *   <dd>A message that a state names and that stands in no entry: it was carried forward, or given by another member.
 *   <dt>GONE, FILES
 *   <dd>The copy is dropped. These files there are.
 * </dl>
 *
 * A copy's records bear its <em>generation</em>. It begins anew, under the next one, with a state: when it is made, and when it takes over
 * another member's tables. Nothing of an earlier generation counts when that state is on the disk, and all of it until then.
 *
 * <h2>Reclaiming</h2>
 *
 * Needed are the entries that are not forgotten, the messages that are not settled, and each copy's last state. A settlement counts when the
 * ring has forgotten it: then it is stable, and nobody will take it back. When the finished files hold more than twice what is needed, the
 * sparsest goes: what is needed of it is written again, then every copy that has something else in it tells its state, then the log names the files
 * without this one, forced, then it is deleted. So what is settled before its file's turn was written once, and a dense file stays.
 *
 * <h2>Recovery</h2>
 *
 * <ol>
 *   <li>The youngest FILES record says which files count: one that it names and that is missing is damage, one that it does not name
 *       was deleted.
 *   <li>All are read for each copy's last state and the places of messages and entries, before that state and behind it.
 *   <li>Each copy is made of that state, and what was written behind it is done again: entries appended, cut, and applied as far as they are
 *       forgotten.
 * </ol>
 *
 * A copy that is found names its messages; their bytes stay where they are.
 *
 * <h2>Reading</h2>
 *
 * A message that was handed in can be read from then on. The log's thread looks for its place when the round is in the file, and keeps the file until
 * a thread of its own has read: nobody who writes waits for that. What is settled and forgotten is left out; what cannot be read ends its copy.
 *
 * <h2>Torn tails</h2>
 *
 * Batches know how far their file had been forced, so a torn tail is told from damage as in {@link io.warren.core.store}.
 *
 * <h2>Lemmas</h2>
 *
 * <ol>
 *   <li><em>What a copy's last state names is in the files that count.</em> A file goes only after what is needed of it was written again; and if something
 *       in it was needed when the state was written and is not now, only when there is a later state.
 *   <li><em>Nothing behind a copy's last state is missing.</em> A file in which a copy has an entry or a cut behind its last state, or that state, goes
 *       only when there is a later one.
 *   <li><em>Between the moment a state is of and its record nothing is forgotten</em> ({@code hold}), so what it needs is still needed when it
 *       is written.
 *   <li><em>A report says nothing of what came after a cut that came after it</em>: reports bear the number of cuts.
 * </ol>
 *
 * <h2>Limits</h2>
 *
 * In memory twelve bytes a message, and what the ring has not forgotten. A copy whose member has failed tells no state: files that need it stay until
 * the next start. While messages are missing at a member, those that come are written, and no state names them; the bytes of
 * what it had in the generation of before stay meanwhile, and are written again when they are put in.
 */
@NullMarked
package io.warren.mirroring.entrylog;

import org.jspecify.annotations.NullMarked;
