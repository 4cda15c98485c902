/**
 * How a member of a mirrored queue that the ring cannot bring up to date comes to hold everything: synchronisation, natural
 * synchronisation and return are one mechanism.
 *
 * <p>The obvious design copies the queue and then lets the member follow the ring. While that goes on, the ring has to keep everything that
 * came since; for a large queue it will not, and finds the member lagging; the copy is old when it is there, and begins again. RabbitMQ stopped the
 * queue instead. Here the member follows first:
 *
 * <ol>
 *   <li><b>Tables.</b> The ring has told that the member is behind. It asks the master, which answers with its state up to a firm entry, all of it
 *       but the messages: what channels have published, the hand-out limits, dead letters under way, the next offset. That is small. With it the
 *       member follows the ring from that entry on. What was published before is <em>missing</em> to it: below an offset that it knows.
 *   <li><b>Messages.</b> It asks for what is missing, and names what it holds of it: from before it was away, or from an attempt that was broken off.
 *       The master sends its unsettled messages below that offset, naming those the member has. The queue works on meanwhile. What is settled
 *       since the member asked it remembers, and does not put in. Every message that it has put in is good, whatever happens next, so with a new
 *       master it goes on where it was.
 *   <li><b>Complete.</b> When all has come, and the member has delivered what the master's state was made of, nothing is missing.
 * </ol>
 *
 * <p>Instead of the second step the master may find that everything below the member's offset is settled: nothing is missing then either. That is
 * natural synchronisation, and all there is under {@code ha-sync-mode: manual} until somebody asks for more. A member that held everything
 * before is sent the difference in either mode.
 *
 * <p><b>The ring does not know of missing messages</b>, and proposes any member that follows it. So a master's shell does not submit what the ring
 * proposes: it hands it to the {@link io.warren.mirroring.transfer.Giver}, which asks the member how far it is, and passes the proposal on when
 * nothing is missing. That is asked anew in each view, so a new master, who has never heard of this member, does not propose it by mistake. Who is not
 * in sync is never promoted unless a policy says {@code always}; what is missing is given up then.
 *
 * <p>Both ends are pure and owned by the mailbox of their queue. Frames go over the link's messages, in order with each other; a broken link ends what
 * was under way. No more than {@link io.warren.mirroring.transfer.Giver#PIECES_MAX} pieces of {@link
 * io.warren.mirroring.transfer.Giver#PIECE_BYTES} bytes are under way to a member.
 */
@NullMarked
package io.warren.mirroring.transfer;

import org.jspecify.annotations.NullMarked;
