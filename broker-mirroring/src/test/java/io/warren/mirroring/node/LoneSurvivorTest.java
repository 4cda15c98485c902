package io.warren.mirroring.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.Command.Change;
import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.PartitionHandling;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoneSurvivorTest {
    private static final Set<String> BOTH = Set.of("a", "b");

    private final Metadata known = new Metadata(LogId.first(1), new MetadataListener() {});
    private final LoneSurvivor survivor = new LoneSurvivor("a", PartitionHandling.IGNORE);

    @BeforeEach
    void registerBoth() {
        known.apply(new Command.Nodes(Map.of("a", Change.up(1, "a"), "b", Change.up(1, "b"))));
    }

    @Test
    void shouldGoOnWhenItWasServingAsTheOtherFellSilent() {
        survivor.onTick(true, true);
        assertThat(survivor.goesOn(BOTH, Set.of(), known)).isFalse();

        // Without a majority it serves nobody any more, before the other counts as dead.
        survivor.onTick(false, false);

        assertThat(survivor.goesOn(BOTH, Set.of("b"), known)).isTrue();
    }

    @Test
    void shouldWaitWhenItHasNotServedSinceItsStart() {
        survivor.onTick(true, false);
        survivor.onTick(false, false);

        assertThat(survivor.goesOn(BOTH, Set.of("b"), known)).isFalse();
    }

    @Test
    void shouldHaveNothingToDoWhenItVotesAlone() {
        survivor.onTick(true, true);

        assertThat(survivor.goesOn(Set.of("a"), Set.of(), known)).isFalse();
    }

    @Test
    void shouldNotGoOnByItselfWithQuorumOrBesideAThirdVoter() {
        LoneSurvivor withQuorum = new LoneSurvivor("a", PartitionHandling.QUORUM);
        withQuorum.onTick(true, true);
        survivor.onTick(true, true);

        assertThat(withQuorum.goesOn(BOTH, Set.of("b"), known)).isFalse();
        assertThat(survivor.goesOn(Set.of("a", "b", "w"), Set.of("b", "w"), known))
                .isFalse();
    }
}
