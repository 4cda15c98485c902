package io.warren.mirroring.mirror;

import io.warren.core.spi.AttachedChannel;

/** A channel's end at the node of the master: the queue's words go through it, and what becomes of the attachment. Called in the queue's mailbox. */
public interface MirrorEnd extends AttachedChannel {

    /** The reign is over, and with it everything the queue knew of this attachment. */
    void onReignOver();

    /** The queue has let go of it: it may attach again. */
    void onLetGo();
}
