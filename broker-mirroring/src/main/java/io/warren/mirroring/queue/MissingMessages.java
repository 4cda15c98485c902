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
     * The entry behind which it is remembered what is settled of the missing messages, since the state was taken over or read from disk: only of a
     * state that goes as far may messages be put in.
     */
    Position rememberedFrom();

    /** Missing messages, of a state that goes at least as far as {@link #rememberedFrom}. */
    void fill(List<byte[]> entries);

    /**
     * All that was missing has come, or is settled, as of this entry of the ring's log, which is firm: when it is delivered here nothing is missing
     * any more.
     */
    void onFilled(long firmOffset);
}
