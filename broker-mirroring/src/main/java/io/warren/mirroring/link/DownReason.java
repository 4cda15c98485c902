package io.warren.mirroring.link;

/** Why a link went down. Neither proves that the process at the other end is dead; {@link LinkListener#onRefused} does. */
public enum DownReason {
    /** The connection ended: the process ended, or cut it, or something between cut it. */
    CUT,
    /** Nothing was heard for as many heartbeats as may be missed. */
    TIMEOUT
}
