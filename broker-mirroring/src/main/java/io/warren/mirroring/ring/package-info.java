/**
 * Guaranteed multicast along a ring: one sequence of entries, held by every member of a group before anyone acts on it.
 *
 * <p>This text stands by itself. Read it before the code; the code is the same text once more.
 *
 * <h2>What is guaranteed</h2>
 *
 * A <em>group</em> has <em>members</em>. The first is its <em>master</em>, the others are slaves. Any member may broadcast. Then:
 *
 * <ul>
 *   <li>There is one sequence. Every member delivers a beginning of it: in order, no gap, no entry twice.
 *   <li>An entry is delivered only when it is <em>stable</em>: held by every in-sync member, on disk where it has to be.
 *   <li>What is stable is delivered by every in-sync member that survives.
 *   <li>All members come to a new master's first entry at the same point of the sequence.
 * </ul>
 *
 * <h2>What is not</h2>
 *
 * That an entry which is not stable survives: its sender will send it again, or, if the sender has died too, it may be gone.
 * Anything about a process outside the view. That a transient entry survives the death of all in-sync members at once. That
 * anything moves while the metadata have no majority: what is agreed goes on, but nobody can be replaced. And two things that
 * somebody has to ask for: where a policy says {@code always}, a member that does not hold everything may be promoted, and what it
 * lacks is lost; where an operator, or the setting {@code ignore}, lets one node go on alone, what only the others hold is set aside.
 *
 * <h2>The obvious design, and why it fails</h2>
 *
 * The master sends each entry to every slave and counts the answers. If it dies in the middle of a round, some slaves hold the
 * entry and some do not, and nobody is in charge of finishing: the slaves would have to compare everything with everyone. The
 * master's network carries every entry once for each slave, so it is the bottleneck exactly when there are many copies. And if
 * the slaves judge by themselves that the master is gone, two of them may, or one and a master that is only slow.
 *
 * <h2>The ring</h2>
 *
 * A mirrored group is a replicated log. Its master alone decides the order. An entry travels once, from the master over the
 * slaves, oldest first; each member sends to one other. When a member dies, its left neighbour is in charge of whatever the dead
 * one's right neighbour is missing, and no one else needs to think. Word of what the members hold travels the same way and from
 * the end of the ring straight to the master. Who is a member, in which order, is decided in one place only, by consensus; see
 * {@code io.warren.mirroring.metadata}. Each decision is a <em>view</em>, replaced as a whole, numbered by its <em>epoch</em>. The
 * epoch in which the present master was promoted is its <em>reign</em>.
 *
 * <pre>
 *            APPEND            APPEND            APPEND
 *   A master ------&gt; B in sync ------&gt; C in sync ------&gt; D catching up
 *      ^     &lt;------           &lt;------    |     &lt;------    |
 *      |      HELLO             HELLO     |      HELLO     |
 *      +------------- HAVE ---------------+----------------+
 * </pre>
 *
 * Ring order is age order: the master, then the other in-sync members by the time they came in sync, then the rest by the time
 * they joined. So the one to be promoted is always the second of the ring, and it holds everything that any younger one was ever
 * told is safe.
 *
 * <h3>Entries</h3>
 *
 * An entry is named by (epoch of the reign that ordered it, offset): a {@code Position}. A bare offset is not a name: two masters
 * in a row may both have ordered something at offset 9, of which one was never stable. The first entry a master orders is its view.
 * It marks in every log where the reign began, and it overwrites whatever tail the old reign may have left somewhere.
 *
 * <h3>HELLO and its answer: finding the common point</h3>
 *
 * In every view, and whenever the link to the left comes up, a member says HELLO to its left: the position of its last entry. The
 * left sends nothing before. It answers with its own last entry that is not above that position, and serves from there. If the right
 * holds the entry named, everything below it is equal (lemma 2) and the two have their common point. If not, it says HELLO again with its
 * own last entry not above the answer: the positions only sink, so this ends.
 *
 * <p>A member answers only when its own HELLO was answered (the master at once), and only with what counts. So agreement spreads
 * from the master, link by link: the prefix that counts at a member is a prefix of what counts at its left. What the right holds above
 * the common point counts for nothing in this view, until the left serves the same (epoch, offset); the first entry that differs cuts
 * it off from there. Not sooner: that tail may hold stable entries which the left itself is about to be served, and a crash
 * between the cut and the refill would lose them.
 *
 * <p>If the left has forgotten what the right would need, the answer lies above the HELLO. Then the ring cannot help: {@code lost}. The
 * member takes over the master's state, up to a <em>firm</em> entry (below), and says HELLO from there.
 *
 * <h3>HAVE, stable, in sync</h3>
 *
 * Every member keeps its left's list of pairs (received, durable), adds its own and sends it right when anything grew; the last
 * in-sync member and everyone behind it send theirs to the master as well. Pairs count only in the view they were sent in. The
 * master's <em>stable</em> is the least durable over the in-sync set; it travels on with the next APPEND, or at once with an empty one.
 *
 * <p>Durable of an offset means: every persistent entry up to there is forced. A transient entry does not wait.
 *
 * <p>The in-sync set changes only by a commit, and it grows before, and shrinks after, whatever relies on it. The master proposes a
 * member that durably holds everything stable <em>and</em> its reign's first entry: a new master does not know how far its
 * predecessors' stable went, but all of that lies below this entry. From the proposal on the member counts into stable, whatever is heard of
 * the proposal, until the next view. A member that lags goes on counting until its removal is committed.
 *
 * <p>Below the limit of in-sync members, stable stands still. So those who left the set then still hold everything confirmed: they are
 * <em>kept</em>, and may carry the group on.
 *
 * <p>A process that finds several inputs waiting hands them to a member in one <em>turn</em>: what follows from all of them goes out
 * at its end, so a frame carries what came together. Nothing here depends on how inputs are cut into turns.
 *
 * <h3>What is never forgotten</h3>
 *
 * Nobody keeps what nobody will ask for: the master computes <em>forget</em>, the least received over the whole ring, never above
 * stable. And only up to a persistent entry. Everyone in sync has forced that one and all before it, so even if all processes die and
 * come back with what their disks hold, none of them comes back shorter than another has forgotten. Without the last rule, a member
 * that survived could have forgotten transient entries which the others then lose, and they would have no common point. A
 * persistent entry at or below stable is therefore called firm. (A group in which nothing persistent is ever ordered keeps all it
 * has; a queue settles by persistent entries, so it keeps no more than it holds messages.)
 *
 * <h3>Broadcasts of slaves</h3>
 *
 * A slave sends its broadcast straight to the master, numbered, and keeps it until it is delivered; in every view, when it has found
 * its common point, it sends again what it has not seen delivered. The highest number of each sender is a function of the log, so
 * any master recognises a repetition.
 *
 * <h3>When a member that does not hold everything is promoted</h3>
 *
 * Nobody who holds everything is up, and a policy does not want to wait. The controller names one of the unsynchronised members; the
 * view says so for ever ({@code unsynchronised}), and from it on the guarantee starts afresh with what the new master holds. Those who
 * were in sync or kept are holders no more. When one of them comes back, its log is of <em>another history</em>: it may hold, have
 * delivered, and even have forgotten entries that are no longer part of the sequence. Above its base it cuts at the first entry
 * that differs, as ever. At or below its base there is nothing left to compare but the base's position, and that is enough: every later
 * master's entries have higher epochs, and epochs never fall along a log. So an answer or an entry below the base whose epoch is above
 * the base's, or another entry at the base's place, cannot be of one log with it. The member then counts nothing and takes over the
 * master's state, even if that ends further down than its own. For the same reason nobody reports in a HAVE, or serves, before what it
 * was served has reached its base: what it said to hold down there it may be about to give up.
 *
 * <h2>Lemmas</h2>
 *
 * The simulation checks each after every step, by number, and never by calling this code.
 *
 * <ol>
 *   <li>There is at most one master in an epoch of a metadata log; a member's epoch never falls. <em>Views come from one log.</em>
 *   <li>Two logs that hold the same (epoch, offset) hold the same entries below it, as far as both keep them. <em>One master orders in
 *       a reign, and appending needs a common point.</em>
 *   <li>A master holds every entry that was counted stable in an earlier epoch; after the loss of all in-sync processes, only what
 *       durable covers by force; unless its promotion is marked unsynchronised. <em>Stable waited for it: it was in sync.</em>
 *   <li>Members deliver the same entries in the same order; nothing delivered is cut, save transient entries after the loss of all
 *       in-sync processes, and what an unsynchronised promotion gave up. <em>By 3, every later master has them at the same place.</em>
 *   <li>Known stable never falls in a process, with the same exception; a master counts an entry only when every in-sync member has
 *       reported it durable in that view.
 *   <li>What was delivered is held by every in-sync member, and the persistent part is on the disk of every in-sync or kept member.
 *       After the loss of all in-sync processes transient entries may be held by some only, until the new master has served them.
 *   <li>A frame changes only a member of its log and epoch. What a fenced master still delivers is in its successor's log: <em>the
 *       successor reported it before it left the old epoch, and holds it still.</em> With the exceptions of 3.
 *   <li>The in-sync set changes only by a commit; a growth counts while it is pending; nothing relies on a shrink before its commit.
 *   <li>A sender's broadcasts are in the sequence once and in order.
 *   <li>A message ends by one settle entry, caused only in the reign and attachment of its delivery. <em>This is the mirrored
 *       queue's; the ring knows no messages.</em>
 *   <li>No buffer exceeds its limit, whatever one member does: the master orders nothing while its window above stable is full.
 *   <li>When faults end, within a bounded number of ticks every member is in sync and equal and every broadcast is answered.
 *   <li>An in-sync member never needs an entry that its left has forgotten.
 *   <li>A node that hears neither the controller nor a majority of voters confirms nothing and hands out nothing once its lease is
 *       over. <em>This is the node's; nothing above rests on it.</em>
 *   <li>A change of the topology that a client was told of is seen by every running node, and what was deleted stays deleted. <em>This
 *       is the metadata's.</em>
 * </ol>
 *
 * <h2>What goes wrong on A -&gt; B -&gt; C -&gt; D</h2>
 *
 * A is the master, B and C are in sync, D is catching up. The limit is 2.
 *
 * <dl>
 *   <dt>C dies.
 *   <dd>The controller commits a view A, B, D. Everyone says HELLO in it. D was served by C; now B answers D from their common point and
 *       sends what died with C. A waits for C until it has installed the view, then for B alone. Two are in sync, which is the limit:
 *       C may go, and stable moves on without it.
 *   <dt>B dies when it has forwarded 7 and A has not sent 8.
 *   <dd>C says HELLO to A: "I end at 7". A answers with 7 and sends 8. Nobody compared anything with anyone else.
 *   <dt>A dies when 9 has reached B only.
 *   <dd>B is promoted: the second of the ring. It orders its view at 10, above 9, and serves C from C's last entry. 9 becomes stable
 *       under B. The other way round, if 9 had reached nobody, B's view is at 9; and when A returns with its own 9, which was never
 *       stable, B's view differs from it there and A cuts. A's process is new, so A is not in sync until it was proposed again.
 *   <dt>A is frozen, declared dead, and wakes as a master.
 *   <dd>HAVEs of the old epoch lie in its mailbox. It may count them: whoever sent one held the entries then, and holds them now, B
 *       too, which reported before it left the epoch. So what A delivers is in B's log. Nobody answers A any more in the old epoch, so
 *       it counts nothing new. When it learns that it was declared down, it comes back as a new incarnation.
 *   <dt>B and C die: one in-sync member is left, below the limit.
 *   <dd>B and C become kept, since stable stands still from here on. A's further entries are confirmed to nobody. If A dies now and B returns first,
 *       B carries on from its disk and has lost nothing that was confirmed. If B's process returns while A lives, B is caught up by the
 *       ring, proposed, and when that is committed two are in sync: kept is emptied in the same commit, and stable moves.
 *   <dt>A, B and C lose power.
 *   <dd>Nobody in sync survived. Those that come back carry on from their disks, the first as master. Persistent entries that were
 *       stable are on each of the disks; transient ones may be gone, from the end on, and on some more than on others. So nobody's
 *       knowledge of what is stable outlives such a view: D, which survived and knew 10 to be stable, may see the master's view at 9 and
 *       has to take back what it delivered there. A sender that saw its 10 delivered does not send it again; its next number is
 *       accepted because it says that nothing older is undelivered.
 *   <dt>A, B and C are gone, D runs, and the policy says {@code always}.
 *   <dd>D ends at 7; 8 to 12 were stable, A had forgotten up to 10 and B up to 6. The group is down until the controller has D promoted.
 *       D's view is entry 8 of its reign, with a higher epoch than anything A, B and C hold. When B returns, its common point with D is
 *       7; it cuts its own 8 to 12, delivered or not. When A returns, D answers its HELLO with 7, which is below A's base 10, and so
 *       far A cannot tell. The next entry, D's view at 8, can: in A's log no epoch below 10 is above that of 10. A takes over D's
 *       state and says HELLO from there. What A had is for the queue above to set aside before it calls {@code onSynchronised}.
 *   <dt>The link from B to C breaks and comes back, within one view.
 *   <dd>Whatever was under way is lost. C says HELLO, B answers and serves from there, and C keeps what it has. A HAVE may have
 *       been lost as well; lists are sent again whenever the link they go over comes up.
 *   <dt>A proposes D, and the answer is <em>unknown</em>.
 *   <dd>A has counted D since it proposed it. Whether the commit comes now, in a second or never: if it comes, D holds everything that
 *       was counted; if a newer view comes first, the proposal names an old epoch and is refused.
 *   <dt>C's HELLO reaches B before B has heard of the view.
 *   <dd>B keeps it, of several the one of the highest epoch, and looks at it when it has installed that view. Were it dropped,
 *       C would wait for ever, for it has no reason to say it twice.
 * </dl>
 *
 * <h2>A well-formed state</h2>
 *
 * base &lt;= delivered &lt;= last of a member's log; epochs along it never fall; its first entry of each epoch is that reign's view. Of a
 * view: unsynchronised &lt;= recovered &lt;= reign &lt;= epoch; nobody in sync is among the others or kept, though a kept node that is
 * back is among the others as well; while the group is up and its in-sync set at the limit, kept is empty.
 * In a view, what counts at a member is a prefix of what counts at its left, and of the master's log. stable &lt;= the least durable of
 * all in-sync and proposed members; forget &lt;= stable and &lt;= the least received of the ring, and names a persistent entry.
 *
 * <h2>What became of RabbitMQ's gm</h2>
 *
 * The ring is its ring, and the idea that the left neighbour of a failure is in charge is its idea. There, a newcomer asked a member chosen at
 * random, each member watched its neighbours and wrote deaths into a shared record that a partition could split, every member
 * broadcast and inherited the unfinished messages of the dead, a second lap told that a message could be forgotten, and "synchronised" was
 * decided by counting. Here the metadata place a newcomer at the end, the controller alone declares deaths, only the master orders,
 * HAVE and forget replace both laps, and in sync means: by offset, committed.
 */
@NullMarked
package io.warren.mirroring.ring;

import org.jspecify.annotations.NullMarked;
