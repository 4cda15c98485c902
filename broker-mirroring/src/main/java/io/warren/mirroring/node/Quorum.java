package io.warren.mirroring.node;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a node asks the engine of its metadata store about who decides. Does not block. */
public interface Quorum {

    /** The node that leads the metadata log, as far as this one knows. */
    @Nullable String controller();

    /** The nodes that vote in it, as far as this one knows. */
    Set<String> voters();

    /** This node starts: it wants to vote again. */
    void askForVote();

    /** A node was forgotten: it does not vote any more. */
    void dropVote(String node);

    /** This node stops: it gives up its vote, and those of nodes that are down, unless it is the last voter. */
    void giveUpVote();
}
