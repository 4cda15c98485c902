/**
 * Apache Ratis behind {@link io.warren.mirroring.metadata.MetadataStore}: the metadata log of a cluster of processes.
 *
 * <p>{@link io.warren.mirroring.raft.RatisMetadataStore} is one node's end. A command goes into {@code Submissions}, which puts many into
 * one entry; {@code Sending} takes the entry to the leader, this node's own server or another's; Ratis replicates it; {@code MetadataMachine}
 * applies it, at every node, to a {@code Metadata}; {@code Replicas} passes on what that tells; then whoever submitted is answered.
 *
 * <p><b>What is on disk.</b> The settings' directory holds the file {@code followed-log}, which says what log the node follows, and a
 * directory for this log: Ratis' segments of entries and, in {@code sm}, the snapshots. Its name is the log's id. A log begins
 * with a state, in one entry or several, not with nothing: so a founded log is like any other.
 *
 * <p><b>Votes.</b> A node votes when a leader says so. One that starts asks first; one that is told that it does not vote throws
 * its copy away, begins an empty one, and asks for its vote, which it gets when it has caught up. Only a leader may
 * tell, and one that names a node neither before nor after a change under way: a copy whose node votes holds promises, and consensus
 * rests on them. A
 * node that stops gives up its vote, but for the last. One whose directory is lost and which is still a voter is refused: it
 * has to be forgotten first.
 *
 * <p><b>Founding.</b> A lone survivor takes all that is in its copy, whether it has heard that it is committed or not: the dead may
 * have told clients so, and relied on it. What nobody was told of may be in it too, as after any unknown answer. From this state
 * it begins a log of which it is the only voter. The old one's directory goes when the new one has its state, so a crash in between
 * leaves the old log and nothing else.
 *
 * <p><b>When logs meet.</b> A node that votes alone, or hears of no leader, asks those it was together with for a summary of the log they
 * follow. If that log wins over its own, it goes over: what it had goes, and it asks for a vote as a new node does. A node that the leader's
 * metadata do not know, though its own copy does, was forgotten: it keeps its copy, asks for nothing, and says so.
 *
 * <p><b>Who may connect.</b> Both ends of every connection prove that they have the key that follows from the cluster's secret
 * ({@code ClusterKey}); there is nothing else on the port. Behind that proof peers are trusted: Ratis reads exceptions of its peers with
 * Java's serialization.
 *
 * <p><b>Limits.</b> A command has at most 8 MiB, those not answered yet 64 MiB, an entry 64 KiB or one command; 16 entries are under
 * way. A node's address must not change while it votes: the others keep the one it joined with.
 */
@NullMarked
package io.warren.mirroring.raft;

import org.jspecify.annotations.NullMarked;
