/**
 * Links: one connection for each pair of nodes, for everything that nodes tell one another.
 *
 * <p>A link is up between two processes, each a node in one incarnation. While it is up, what one sends for a group arrives at the
 * other, in order, once; when it goes down, what was under way is lost, and none of it arrives on the next link. Nothing is promised
 * about the order between groups: a group whose receiver is slow waits by itself, and the others pass it.
 *
 * <p>What the death of a process looks like from here: its link is cut, and then a connection to its address is <em>refused</em>. Only
 * that proves it dead. A link that falls silent, or a connection that is not answered, proves nothing: the process may be frozen, or
 * the network cut.
 *
 * <p>Two implementations: {@link io.warren.mirroring.link.MemoryNetwork} for nodes inside one JVM, with faults on demand, and {@code
 * io.warren.mirroring.link.tcp} between processes.
 */
@NullMarked
package io.warren.mirroring.link;

import org.jspecify.annotations.NullMarked;
