package io.warren.mirroring.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.mirroring.metadata.Command.Change;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartitionHandlingTest {
    private static final Set<String> BOTH = Set.of("A", "B");

    private final Metadata known = new Metadata(LogId.first(1), new MetadataListener() {});

    @Test
    void shouldRefuseToIgnorePartitionsWhereAMajorityCanGoOn() {
        assertThat(PartitionHandling.IGNORE.refusal(BOTH, BOTH)).isNull();
        assertThat(PartitionHandling.IGNORE.refusal(Set.of("A", "B", "C"), Set.of("A", "B", "C")))
                .endsWith("use quorum");
        assertThat(PartitionHandling.IGNORE.refusal(BOTH, Set.of("A", "B", "witness")))
                .endsWith("use quorum");
        assertThat(PartitionHandling.QUORUM.refusal(Set.of("A", "B", "C"), BOTH))
                .isNull();
    }

    @Test
    void shouldFoundOnlyWhenAVoterWasServingAsItSawTheOtherDie() {
        given("A", "B");

        assertThat(PartitionHandling.IGNORE.isFoundedBy("A", known, BOTH, true)).isTrue();
        assertThat(PartitionHandling.IGNORE.isFoundedBy("A", known, BOTH, false))
                .isFalse();
        assertThat(PartitionHandling.IGNORE.isFoundedBy("A", known, Set.of("B"), true))
                .isFalse();
        assertThat(PartitionHandling.QUORUM.isFoundedBy("A", known, BOTH, true)).isFalse();
    }

    @Test
    void shouldNotFoundByItselfWhatWouldDropAGroup() {
        given("B");

        assertThat(PartitionHandling.IGNORE.isFoundedBy("B", known, BOTH, true)).isTrue();
        assertThat(PartitionHandling.IGNORE.isFoundedBy("A", known, BOTH, true)).isFalse();
    }

    private void given(String... members) {
        known.apply(new Command.Nodes(Map.of("A", Change.up(1, "a"), "B", Change.up(1, "b"))));
        known.apply(new Command.CreateGroup("q", true, 1, List.of(members)));
    }
}
