package io.warren.mirroring.node;

import io.warren.mirroring.ring.Member;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a node asks the engine of its metadata store about who decides. Does not block, but where it says so. */
public interface Quorum {

    /** The node that leads the metadata log, as far as this one knows. */
    @Nullable String controller();

    /** The nodes that vote in it, as far as this one knows. */
    Set<String> voters();

    /** This node starts: it wants to vote again. */
    void askForVote();

    /**
     * A node was forgotten: it does not vote any more. Waits for a majority to have it so.
     *
     * @throws IllegalStateException if none does
     */
    void dropVote(String node);

    /** A process is proven to have ended: if it led, nobody need wait until its silence is long enough. */
    void onEnded(Member process);

    /**
     * Runs this each time this node has come to lead and what it submits is carried out. An engine whose leaders need not be waited for leaves it
     * out, and is asked with every tick.
     *
     * @param then on any thread; must not wait
     */
    default void onControl(Runnable then) {}

    /**
     * This node goes on alone: it founds a new metadata log from what it knows, of which it is the only voter. Completes when it follows
     * that, which listeners are told as of any other log; exceptionally if it could not.
     */
    CompletableFuture<Void> found();

    /**
     * This node stops: it gives up its vote, and those of nodes that are down, unless it is the last voter. Waits for that, for a while.
     *
     * @param down voters that are down
     */
    void giveUpVote(Set<String> down);
}
