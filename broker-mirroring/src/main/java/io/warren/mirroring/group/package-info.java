/**
 * The members of one node's groups, each with its mailbox, on top of the node's links.
 *
 * <p>A {@link io.warren.mirroring.ring.RingMember} thinks and touches nothing. Here it is wired, once for everybody, to what it needs: its
 * inputs come through a mailbox and are taken in turns, all that waits at once; its frames go out over the link that it knows of, and
 * over no later one; whatever came over a link is given back to it when the turn ends. A group that does not keep up loses
 * its link and not the node's: see {@link io.warren.mirroring.group.Group}.
 */
@NullMarked
package io.warren.mirroring.group;

import org.jspecify.annotations.NullMarked;
