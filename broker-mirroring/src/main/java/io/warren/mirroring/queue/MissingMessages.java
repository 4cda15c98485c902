package io.warren.mirroring.queue;

import io.warren.mirroring.ring.Position;
import java.util.List;
import java.util.Map;

/**
 * The messages of before that a member lacks which follows the ring only from some entry on, and how they are put in. A {@link MirroredQueue} seen by
 * whoever gets them for it.
 */
public interface MissingMessages {

    /** Below this offset messages may be missing; 0 if none is. */
    long missingBelow();

    /** Place in the ring's log of the last entry delivered. */
    long delivered();

    /** The publish entries here of unsettled messages below an offset, by offset; a copy. */
    Map<Long, byte[]> entriesBelow(long offset);

    /**
     * Missing messages will come. From now on it is remembered which of them are settled.
     *
     * @return the entry up to which the state goes: only of a state that goes as far may messages be put in
     */
    Position beginFill();

    /** Missing messages, of a state that goes at least as far as this one did when {@link #beginFill} was called. */
    void fill(List<byte[]> entries);

    /** No more come for now. */
    void endFill();

    /**
     * All that was missing has come, or is settled, as of this entry of the ring's log, which is firm: when it is delivered here nothing is missing
     * any more.
     */
    void onFilled(long firmOffset);
}
