package io.warren.mirroring.simulation;

/** What can go wrong, on purpose. */
public enum FaultKind {
    /** Messages between two nodes take long. */
    DELAY,
    /** A link breaks, with what was in it, and comes back by itself. */
    RESET,
    /** Some nodes cannot reach the others. */
    PARTITION,
    /** Two nodes cannot reach each other; everyone else reaches both. */
    PARTIAL,
    /** A node's messages to another do not arrive; those of the other do. */
    ONE_WAY,
    /** A process dies and starts again; some of what was not forced is lost. */
    CRASH,
    /** Several processes die at once. */
    POWER,
    /** Forcing takes long. */
    SLOW_DISK,
    /** Forcing does not come back until the fault is over. */
    HANGING_DISK,
    /** A process does nothing for a while, and then goes on as if nothing had happened. */
    FREEZE,
    /** A slave's mailbox stands still while its node answers heartbeats; it may outlast all other faults. */
    STALL,
    /** A node's clock jumps. */
    CLOCK,
    /** A new node joins the cluster. */
    JOIN,
    /** A node leaves for good. */
    LEAVE,
    /** The policy of the group changes: who is to be a member, or how many have to be in sync. */
    POLICY,
    /** A command to change the members arrives that nobody's placement wanted. */
    MEMBERS,
    /** The controller is gone, and for a time there is none. */
    CONTROLLER,
    /** Whoever submits commands does not hear what became of them: they may be lost, late or there twice. */
    UNKNOWN,
    /** An earlier command is committed once more. */
    REPEAT,
    /** While it lasts, a member that does not hold everything is promoted where nobody who does is up. Counted when one was. */
    ALWAYS,
    /** A node is stopped and founds a new metadata log from what it knows. */
    FOUND,
    /** Of two nodes one sees the other die, or seem to, and founds a new metadata log by itself. */
    ALONE
}
