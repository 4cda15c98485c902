/**
 * The cluster's metadata as one deterministic state machine: nodes, groups and their views, and the core's topology.
 *
 * <p>Guarantee: replicas that apply the same commands in the same order hold the same state and announce the same views in the
 * same order. It reads no clock and draws no numbers; whoever proposes a command puts what it drew into it. How the commands get
 * into one order is the business of a {@link io.warren.mirroring.metadata.MetadataStore}.
 *
 * <p>Three rules carry what the ring's essay relies on. They stand in {@code Succession}, and nowhere else is a view made:
 *
 * <ol>
 *   <li>The master is the first in-sync member that still runs in the incarnation in which it came in sync. A restarted process
 *       may have lost what was not forced, so the name of its node counts for nothing.
 *   <li>Whoever has to leave the in-sync set while fewer than the limit would remain is kept: it still holds every confirmed
 *       persistent entry, because below the limit stable stands still. When the limit is reached again, kept is emptied in the
 *       same commit, for from then on stable moves without them.
 *   <li>If no in-sync member survived, those of in-sync and kept that are up carry on from their disks; if none is up, the group
 *       is down and both sets stay, so that it is known whom it waits for.
 * </ol>
 *
 * <p>And some that somebody has to ask for. {@code Promote} makes master of a group that is down a member that does not hold everything;
 * its view is marked. {@code HandOver} makes master of a group that is up another member that does. {@code Metadata.found} begins a new log with one voter, its founder, as the only holder of every group; the founder
 * is in it under its next incarnation, since its numbers in the old log, of broadcasts and of topology commands, must not meet those in
 * the new one. {@code PartitionHandling} says when a node may do that by itself.
 *
 * <p>The topology is the core's {@code Definitions}, changed by the core's commands. A node submits what its clients ask in numbered
 * groups, one at a time, so that a group that arrives again, late, is recognised: a late declare must not undo the delete that followed
 * it. {@code TopologyRequests} answers when every running node has told that it applied the command.
 *
 * <p>A mirrored queue has a group, {@code QueueGroups} says which and when. It is made, changed and deleted by the commands that declare
 * queues, set policies and tell which nodes run, in the very same command, so no node ever sees a queue without its group; and the queue's
 * home follows the master. Where a command changes a group in several steps, only the last view is installed and told.
 *
 * <p>An epoch is the index of the command that made the view. So it grows within a metadata log, is never given twice, not even
 * to a group that was deleted and made again, and tells an operator where to look.
 */
@org.jspecify.annotations.NullMarked
package io.warren.mirroring.metadata;
