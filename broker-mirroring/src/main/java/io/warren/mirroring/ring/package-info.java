/**
 * Guaranteed multicast along a ring: one sequence of entries, held by every member of a group before anyone acts on it.
 *
 * <p>This text stands by itself. Read it before the code; the code is the same text once more.
 *
 * <h2>Words</h2>
 *
 * <dl>
 *   <dt>node, incarnation, member
 *   <dd>A node is a broker with a stable name; each start of its process is a new incarnation. A member is a node in one incarnation.
 *   <dt>metadata, voter, controller, declared down
 *   <dd>The metadata are the outcome of one log of commands, each committed by a majority of the voters (nodes, members of a group or not).
 *       The voters' leader is the controller. It alone has processes declared down, by heartbeats that stay away; a wrong verdict costs time
 *       only. Who was declared down comes back as a new incarnation, even if it never stopped.
 *   <dt>group, broadcast, log, entry, offset
 *   <dd>The members of a group have copies of one log. A broadcast is a payload that one of them wants in it; an entry is a broadcast that
 *       got its place, or a view (below). Offsets number the entries from 1.
 *   <dt>persistent, transient, durable
 *   <dd>A disk is written in log order, and a force makes safe everything written before it. A persistent entry has to be forced, for a
 *       transient one nobody waits: a member is durable up to an offset when its process has forced every persistent entry up to there.
 *   <dt>view, ring, master, slave, left, right
 *   <dd>A view says who is in a group. The ring is its members in order: the master, then slaves, each with its left nearer to the master. A
 *       group that nobody leads is down and has no ring; otherwise it is up.
 *   <dt>epoch, reign
 *   <dd>Commits make views; each replaces the last as a whole, and its number, the epoch, grows. The epoch in which the present master was
 *       promoted is its reign; a view that keeps the master keeps the reign.
 *   <dt>in sync, others, stable, limit, kept
 *   <dd>First in the ring stand the members in sync, then the others. Stable is how far the master knows every in-sync member to be durable;
 *       the others may lack some of it. The limit is the least number in sync at which stable may move. Kept are nodes that left the in-sync
 *       set below it.
 *   <dt>position
 *   <dd>The name of an entry: (reign that ordered it, offset); in code the reign is called epoch here. Positions compare by reign first,
 *       then by offset. Along a log neither falls.
 *   <dt>matched, received
 *   <dd>A slave's copy is matched up to where it is known, in the present view, to equal its left's; the master's is matched throughout.
 *       Received is that number when reported. (Comments in the code: it counts.)
 *   <dt>delivered, confirmed
 *   <dd>Delivered is what a member has handed to the application above; what that tells a client afterwards is confirmed.
 *   <dt>firm, forget, base
 *   <dd>A persistent entry that is stable is firm. Members forget the log from its beginning; the last forgotten entry is the base, and is
 *       firm.
 *   <dt>window
 *   <dd>How many bytes of entries the master may have ordered above stable: 16 MiB unless set.
 *   <dt>turn, tick
 *   <dd>A turn is what a member takes in at once: one input, or all that waited; what follows goes out at its end. A tick tells it the time.
 * </dl>
 *
 * <h2>What is guaranteed</h2>
 *
 * Any member may broadcast. Then:
 *
 * <ul>
 *   <li>There is one sequence. Every process delivers a stretch of it from its base on: in order, no gap, no entry twice.
 *   <li>An entry is delivered only when it is stable.
 *   <li>What is stable is delivered by every in-sync member that survives.
 *   <li>All members come to a new master's first entry at the same point of the sequence.
 * </ul>
 *
 * <h2>What is not</h2>
 *
 * That an entry which is not stable survives, if its sender has died too; else that sends it again. Anything outside the view. That anybody
 * is replaced while the metadata have no majority. That a transient entry survives the death of all in-sync members. And two things that
 * somebody has to ask for: where a policy (the operator's wishes for a group) says {@code always}, a member that does not hold everything
 * may be promoted, and what it lacks is lost; where an operator, or the setting {@code ignore}, lets one node go on alone, what only the
 * others hold is set aside.
 *
 * <p>So after such a death, or by {@code always}, a member may have to cut what it delivered; its application takes back everything from the
 * cut on.
 *
 * <h2>The obvious design, and why it fails</h2>
 *
 * The master sends each entry to every slave and counts the answers. If it dies in the middle of a round, some slaves hold the entry, some
 * do not, and they would have to compare everything with everyone. Its network carries every entry once for each slave. And if the slaves
 * judge by themselves that the master is gone, two of them may lead, or one and a master that is only slow.
 *
 * <h2>The ring</h2>
 *
 * The master alone decides the order. An entry travels once, from the master over the slaves; each member sends to one other. When one dies,
 * its left is in charge of whatever its right is missing, and no one else needs to think. Word of what the members hold travels the same
 * way, and from the end of the ring straight to the master.
 *
 * <pre>
 *            APPEND            APPEND            APPEND
 *   A master ------&gt; B in sync ------&gt; C in sync ------&gt; D, one of the others
 *      ^     &lt;------           &lt;------    |     &lt;------    |
 *      |      HELLO             HELLO     |      HELLO     |
 *      +------------- HAVE ---------------+----------------+
 * </pre>
 *
 * Ring order is age order: the master, the rest of the in-sync members by the time they came in sync, the others by the time they joined. So
 * each holds everything that any younger one was ever told is stable.
 *
 * <p>The first entry of a reign is its view, always persistent. It overwrites whatever tail the old reign may have left. A view that keeps
 * the master adds no entry. A bare offset names nothing: two masters in a row may both have ordered something at offset 9.
 *
 * <h3>Who leads, and who is in sync</h3>
 *
 * One command tells the metadata of all deaths and births. In each group the in-sync members that still run, in the same incarnation, stay
 * in sync, and the first of them is the master: the second of the ring, if the first has died. If there is none, a group made not to outlive
 * that ends; any other carries on from disk: of the nodes in sync and then kept, in the view's order, all that run at that commit become the
 * in-sync set, and the rest are kept if these are below the limit. If none runs, the group is down until a commit at which one does. A view
 * names the last epoch in which this happened: {@code recovered}. Whoever joins or comes back later stands at the end of the ring, as one of
 * the others.
 *
 * <p>A process that starts, or was declared down, makes its member from its disk alone. It delivers again from its base, its undelivered
 * broadcasts are gone, and it is durable nowhere before it has forced again what it found.
 *
 * <p>The in-sync set changes only by a commit; it grows before, and shrinks after, whatever relies on it. The master proposes one of the
 * others when it is durable up to stable <em>and</em> up to the reign's first entry: a new master does not know how far its predecessors'
 * stable went, but all of that lies below this entry. From the proposal on stable waits for that member too, whatever is heard of the
 * proposal, until the next view. For a dead or slow one stable waits until the commit that removes it.
 *
 * <p>The removal of a slow one is proposed by the master. On a tick it looks at each slave in ring order. One for which stable waits has to
 * become durable, within the lag limit (10 s unless set), up to where the master's log ended when it last caught up; one of the others only
 * has to receive something. Only the first that fails is proposed: those behind it may lag because of it. If it was in sync, it becomes the
 * last of the others; if not, it leaves the ring until the controller adds it again.
 *
 * <p>The limit stops neither deaths nor removals; it stops stable. Whoever leaves the set by a commit after which fewer than the limit are
 * in sync is <em>kept</em>: stable waited for it up to then, and stands still from then on, so its disk holds everything persistent that was
 * confirmed. Who leaves while the limit is still met is not kept. The commit that meets the limit again empties kept.
 *
 * <h3>HELLO and its answer: finding the common point</h3>
 *
 * In every view, and whenever the link to its left comes up, a slave says HELLO: the position of its last entry, matched or not. The left
 * sends nothing before. It answers with its last matched entry that is not above that position, or with its base if all are above, and
 * serves from there. The right
 *
 * <ul>
 *   <li>holds that entry: everything below is equal (lemma 2), this is the common point;
 *   <li>or its base lies at a higher offset: it joins, skips what is served up to its base, and compares there;
 *   <li>or does not hold it, and it is above the HELLO: it is the left's base, the left has forgotten what would be needed. The right is
 *       <em>lost</em> and takes over the master's state (below);
 *   <li>or does not hold it, and it is below the HELLO: it says HELLO again, with its own last entry not above the answer. Within one
 *       history the positions only sink, so this ends. By offsets alone it would not: where the left has 9 of reign 2, and the right 9 to 12
 *       of reign 1, it is by their reign that all of these are below.
 * </ul>
 *
 * A member answers once it is matched up to its own base in this view; the master at once. So agreement spreads from the master, link by
 * link. A link that breaks only ends the serving, until the next HELLO.
 *
 * <p>What a copy holds above the common point is not matched: not reported, delivered or passed on until the left serves the same position;
 * the first entry that differs cuts it off from there. Not sooner: that tail may hold stable entries which the left itself is about to be
 * served, and a crash between the cut and the refill would lose them.
 *
 * <h3>What a frame may meet</h3>
 *
 * While a link is up, frames arrive in the order in which they were sent; when it breaks, those under way are lost, and none arrives on the
 * next link. One HELLO at a time waits on a link. Every frame names its metadata log and epoch. At a member of another log or view it
 * changes nothing. But a HELLO of a view not installed yet is kept, of several the one of the highest epoch. Nothing else can come so early:
 * a left speaks only to a right that said HELLO in the view, and a slave to the master when it has its common point, which came from there.
 *
 * <dl>
 *   <dt>APPEND, to the right: the position before the first entry, entries (or none), stable, forget
 *   <dd>An answer is marked. While a HELLO waits only that is looked at: the tail of an answer that did not help would look like the answer
 *       to the second HELLO. Otherwise a frame that leaves a gap above matched is dropped. A new entry is put into the log and handed to the
 *       disk; now it is received. At the end of the turn it is sent on, <em>before</em> it is forced. An empty APPEND goes when only stable
 *       or forget has grown.
 *   <dt>HAVE, to the right: the pairs (received, durable) of all members from the master to the sender
 *   <dd>A member adds its own pair to its left's list. The list goes at the end of a turn in which a number grew, and after each answer to
 *       the right's HELLO; never to a right that is not served. The last in-sync member and everyone behind it send theirs to the master as
 *       well, and again when they find their common point and when that link comes up. In every view the pairs begin at zero, so an idle
 *       ring reports too.
 *   <dt>BROADCAST, to the master: sender, number, the sender's oldest number not delivered yet, payload
 *   <dd>Numbers start at 1 in each incarnation. The sender keeps what it has not delivered (no more than a window) and sends it all again
 *       when it finds its common point in a view, when the link to the master comes up, and when the oldest has waited for 1 s. The master
 *       orders what comes next after the highest number ordered of this sender, or is above that and the oldest not delivered: then nothing
 *       before it is missing. Anything else, and everything while the window is full, it drops; its own wait. The <em>table of senders</em>,
 *       the highest number of each node in its newest incarnation, follows from the log; that of the base is kept with it. So any master
 *       recognises a repetition.
 * </dl>
 *
 * No word goes left of how much may be sent. The master orders nothing while the window is full; that limits what is new. A member that
 * catches up is sent all above the common point, 64 KiB a frame; to press back is the link's business.
 *
 * <h3>Stable, and what is never forgotten</h3>
 *
 * Stable is the least durable that the in-sync and the proposed members have reported in this view; below the limit it stands still.
 *
 * <p>Nobody keeps what nobody will ask for: the master computes <em>forget</em>, the least received over the whole ring, never above stable,
 * and only up to a firm entry. Everyone in sync has forced that one and all before it, so if all processes die and come back with what their
 * disks hold, none comes back shorter than another has forgotten. Without this rule a survivor could have forgotten transient entries which
 * the others then lose. (Where nothing persistent is broadcast, all since the reign's view is kept; a queue settles by persistent entries.)
 *
 * <p>So the log below stable has no limit in bytes. It reaches down to the slowest member of the ring, and only one that stands still for
 * the lag limit is removed.
 *
 * <h3>Taking over the master's state</h3>
 *
 * The ring has no frames for this. A lost member says so to the process around it, which fetches from the master the application's state at
 * the last firm entry delivered there, with its position and table of senders. Not further, or it could begin above what the others have
 * when they come back from their disks. Forced to disk, this replaces the old copy in one step; then the member is told
 * ({@code onSynchronised}), is empty above this base, and says HELLO from there. Until then it reports, delivers and serves nothing; if that
 * takes longer than the lag limit, it leaves the ring.
 *
 * <h3>When a member that does not hold everything is promoted</h3>
 *
 * Nobody who holds everything is up, and a policy does not want to wait. The controller names one of the others; the view says so for ever
 * ({@code unsynchronised}), and the guarantee starts afresh with what the new master holds, even what an earlier such promotion gave up.
 * Whoever was in sync or kept is so no more. When it comes back, its log is of <em>another history</em>: it may hold, have delivered, and
 * even have forgotten what is no longer part of the sequence. Above its base it cuts at the first entry that differs, as ever. Of the rest
 * only the base's position is left to compare, but every later reign is higher. So an answer or an entry below the base's offset with a
 * higher reign, an answer above it with a lower one, or another entry at that offset, cannot be of one log with the base. The member is lost
 * then, and takes over the master's state even if that ends further down than its own. For the same reason nobody reports in a HAVE, or
 * serves, before what it was served has reached its base: what it said to hold down there it may be about to give up.
 *
 * <h3>Going on alone</h3>
 *
 * When the voters have no majority, one node may <em>found</em> a new metadata log: with a new identity, itself as the only voter, and the
 * state it knows. Of each group in which it was in sync or kept it is the only member, and master of a new reign; the limit stays. Groups it
 * does not hold are gone, and named beforehand. It takes its next incarnation, for it numbers its broadcasts anew. When two nodes of
 * different logs meet, a founded log wins over those it descends from; of two founded from one, that of the node that joined the cluster
 * first. The loser joins as new: its copies are emptied, and what they held is set aside.
 *
 * <p>An operator may have this done anywhere. By itself, under {@code ignore}, a node does it only in a cluster of two without a further
 * voter, if it votes, was serving when it saw the other die, and holds every group.
 *
 * <h2>Lemmas</h2>
 *
 * The simulation checks each after every step, by number, and never by calling this code.
 *
 * <ol>
 *   <li>There is at most one master in an epoch of a metadata log; a member's epoch never falls. <em>Views come from one log.</em>
 *   <li>Two logs that hold the same position hold the same entries below it, as far as both keep them. <em>One master orders in a reign, and
 *       appending needs a common point.</em>
 *   <li>A master holds every entry that was stable in an earlier epoch; after the loss of all in-sync processes, all up to the last firm
 *       one; unless its promotion is marked unsynchronised. <em>Stable waited for it: it was in sync.</em>
 *   <li>Members deliver the same entries in the same order; nothing delivered is cut, save transient entries after the loss of all in-sync
 *       processes, and what an unsynchronised promotion gave up. <em>By 3, every later master has them at the same place.</em>
 *   <li>Known stable never falls in a process, with the same exception; a master calls an entry stable only when every in-sync member has
 *       reported it durable in that view.
 *   <li>What was delivered is held by every in-sync member, and the persistent part is on the disk of every in-sync or kept member. After
 *       the loss of all in-sync processes transient entries may be held by some only, until the new master has served them.
 *   <li>A frame changes only a member of its log and epoch. What a master delivers after it was replaced is in its successor's log: <em>the
 *       successor reported it before it left the old epoch, and holds it still.</em> With the exceptions of 3.
 *   <li>The in-sync set changes only by a commit; stable waits for a pending growth; nothing relies on a shrink before its commit.
 *   <li>A sender's broadcasts are in the sequence once and in order; gaps come only of the loss of all in-sync processes.
 *   <li>A message is done with once, and only in the reign and over the connection to the master in which it was handed out. <em>This is the
 *       mirrored queue's; the ring knows no messages.</em>
 *   <li>The master orders nothing while its window is full, whatever one member does.
 *   <li>When faults end, within a bounded number of ticks every member is in sync and equal and every broadcast is answered.
 *   <li>An in-sync member never needs an entry that its left has forgotten.
 *   <li>A node that hears neither the controller nor a majority of voters for three heartbeats, its lease, confirms and hands out nothing.
 *       <em>This is the node's; nothing above rests on it.</em>
 *   <li>A change of the topology that a client was told of is seen by every running node, and what was deleted stays deleted. <em>This is
 *       the metadata's.</em>
 * </ol>
 *
 * <h2>What goes wrong on A -&gt; B -&gt; C -&gt; D</h2>
 *
 * Unless a story says otherwise, A is the master, B and C are in sync, D is one of the others, and the limit is 2.
 *
 * <dl>
 *   <dt>C dies.
 *   <dd>The next view is A, B, D. Everyone says HELLO in it; B answers D from their common point and sends what died with C. Until A
 *       installs the view stable waits for C, then for B alone (8). Two are in sync, so C is not kept, and stable moves on without it.
 *   <dt>B dies when it has forwarded 7 and A has not sent 8.
 *   <dd>C says HELLO to A: "I end at 7". A answers with 7 and sends 8. Nobody compared anything with anyone else (2).
 *   <dt>A dies when 9 has reached B only.
 *   <dd>B is promoted. It orders its view at 10 and serves C from C's last entry; 9 becomes stable under B. If 9 had reached nobody, B's
 *       view would be at 9 (3: nothing stable is missing); when A returns with its own 9, B's view differs from it there and A cuts (4).
 *   <dt>A is frozen, declared down, and wakes as a master.
 *   <dd>HAVEs of the old epoch lie in its mailbox. It may use them: whoever sent one held the entries then, and holds them now, B too. So
 *       what A delivers is in B's log (7). Nobody answers A any more in the old epoch, so nothing new becomes stable. When it learns of its
 *       fate it becomes a new incarnation, made from its disk.
 *   <dt>All four are in sync, and C's disk is slow.
 *   <dd>C passes entries on before it forces them, so D receives at full speed, and D's list tells A what all four hold. Stable waits for C
 *       (5), the window fills, and A orders at C's pace (11). If C does not catch up within the lag limit, A proposes to remove it and goes
 *       on waiting until the commit (8). The ring is then A, B, D, C: three are in sync, C is not kept and delays nobody. When it is durable
 *       up to stable, it is proposed again. Were C frozen, D would lag as well, but only C is proposed; then B serves D. Had D died instead,
 *       the view A, B, C would be all: C now sends its list to A.
 *   <dt>B and C die in one commit: one in-sync member is left, below the limit.
 *   <dd>Both are kept, for stable stands still from here on. (Had C died in an earlier one, two would have been left then, and B alone would
 *       be kept.) What A orders now is confirmed to nobody. If A dies too, and B runs or returns first, B carries on from its disk; nothing
 *       persistent that was confirmed is lost (6). If B returns while A lives, it catches up and is proposed; the commit that puts it in
 *       sync empties kept: stable moves, without C.
 *   <dt>A, B and C lose power, and B and C return.
 *   <dd>They die in one commit: the group is down and waits for any of the three; D is not asked. B and C, back in one commit, are in sync
 *       from their disks, B as master: two, so A is not waited for. (Were B back first, it would lead alone, A and C kept, and stable would
 *       stand still until C is in sync.) Everything firm is on both disks (6). Above that B's copy decides: what it holds stays in the
 *       sequence, stable before or not, and its view cuts C where C held more. Stable waits until both have forced and reported again.
 *       Nobody has forgotten what another needs (13). A will be one of the others.
 *       <br>D survived. It knew 10 to be stable and delivered it, and may find B's view at 9. It sees another {@code recovered} than in its
 *       old view, so what it knew of stable is void (5); it cuts from 9, and the application takes back 9 and 10 (4). If the 10 was D's own
 *       broadcast, D does not send it again; its next names itself as the oldest not delivered, and is ordered (9).
 *   <dt>A, B and C are gone, D runs, and the policy says {@code always}.
 *   <dd>D ends at 7; 8 to 12 were stable, and while D was out of the ring A had forgotten up to 10 and B up to 6. The group is down until
 *       the controller has D promoted. D's view takes offset 8, in the highest reign so far (3: marked). When B returns, its common point
 *       with D is 7; it cuts its own 8 to 12, delivered or not (4). When A returns, D answers its HELLO with 7, below A's base, and A cannot
 *       tell yet. By the next entry it can: D's view at 8 has a higher reign than A's 10. A takes over D's state; what A had is for the
 *       queue above to set aside first.
 *   <dt>Of two nodes, A the master and B in sync, limit 1, the link is cut, under {@code ignore}.
 *   <dd>Neither hears a majority, so both fall silent (14). Each takes the other for dead and founds a log; in each of the two the group is
 *       its founder alone, and confirms. When the link is back, each drops the other's frames (7). A joined the cluster first, so its log
 *       wins: B joins it as new, its copies emptied and what it had set aside, and says HELLO from the start. Had B really died, the end
 *       would be the same: A's log descends from the one B knows. With limit 2, A would confirm nothing until B is in sync again.
 *   <dt>The link from B to C breaks and comes back.
 *   <dd>C says HELLO; B answers, serves from there and sends its list again. C keeps what it has (2, 12).
 *   <dt>A proposes D, and the answer is <em>unknown</em>.
 *   <dd>Stable has waited for D since. If the commit comes, now or late, D holds everything that became stable; if a newer view comes first,
 *       the proposal names an old epoch and is refused (8).
 *   <dt>C's HELLO reaches B before B has heard of the view.
 *   <dd>B keeps it. Were it dropped, C would wait for ever, for it has no reason to say it twice (12).
 * </dl>
 *
 * <h2>A well-formed state</h2>
 *
 * base &lt;= delivered &lt;= last of a member's copy; reigns along it never fall; its first entry of each reign is that reign's view. Of a
 * view: unsynchronised &lt;= recovered &lt;= reign &lt;= epoch; nobody in sync is among the others or kept, though a kept node that is back
 * is among the others as well; while the group is up and its in-sync set at the limit, kept is empty. In a view, what is matched at a member
 * is a beginning of what is matched at its left. stable &lt;= what each in-sync and proposed member is durable up to; forget &lt;= stable
 * and &lt;= the least received of the ring, and names a persistent entry.
 *
 * <h2>What became of RabbitMQ's gm</h2>
 *
 * The ring, and that the left neighbour of a failure is in charge, are its ideas. There, newcomers asked a random member, members wrote
 * their neighbours' deaths into a shared record that a partition could split, everyone broadcast and inherited the unfinished messages of
 * the dead, a second lap let messages be forgotten, and "synchronised" was decided by counting. Here the metadata place newcomers, the
 * controller alone declares deaths, only the master orders, HAVE and forget replace both laps, and in sync is decided by offset and
 * committed.
 */
@NullMarked
package io.warren.mirroring.ring;

import org.jspecify.annotations.NullMarked;
