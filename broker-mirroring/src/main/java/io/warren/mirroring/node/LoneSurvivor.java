package io.warren.mirroring.node;

import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.PartitionHandling;
import java.util.Set;

/**
 * Whether a node goes on alone: it was serving when it last heard the other one, and that one is dead or silent since.
 *
 * <p>One that starts has not seen anybody die. It may be the one that died first and know nothing of what the other has done since,
 * so it waits, whatever its partition handling says.
 *
 * <p>Pure; one owner at a time.
 */
final class LoneSurvivor {
    private final String self;
    private final PartitionHandling handling;
    private boolean wasServing;

    LoneSurvivor(String self, PartitionHandling handling) {
        this.self = self;
        this.handling = handling;
    }

    /**
     * Time has passed.
     *
     * @param isHeld whether this node hears the controller or a majority, or did a moment ago
     * @param isServing whether clients are served here
     */
    void onTick(boolean isHeld, boolean isServing) {
        if (isHeld) {
            wasServing = isServing;
        }
    }

    /**
     * Whether it founds a log now, in which it goes on.
     *
     * @param voters who votes in the log it follows
     * @param dead those of them whose process has ended or that have been silent for too long
     */
    boolean goesOn(Set<String> voters, Set<String> dead, Metadata known) {
        boolean othersAreDead = voters.stream().allMatch(voter -> voter.equals(self) || dead.contains(voter));
        return !dead.isEmpty() && othersAreDead && handling.isFoundedBy(self, known, voters, wasServing);
    }
}
