package io.warren.mirroring.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static final LinkReports ALL_UP = (a, b) -> true;
    private static final List<String> RUNNING = List.of("A", "B", "C", "D");

    @Test
    void shouldAddEveryRunningNodeUnderAll() {
        assertThat(place(new PlacementPolicy.All(), view(List.of("A"), List.of()), ALL_UP))
                .containsExactly("A", "B", "C", "D");
    }

    @Test
    void shouldAddTheLeastLoadedWhenThereAreTooFew() {
        List<String> wanted = Placement.place(
                new PlacementPolicy.Exactly(2),
                view(List.of("A"), List.of()),
                RUNNING,
                ALL_UP,
                node -> node.equals("D") ? 0 : 5);

        assertThat(wanted).containsExactly("A", "D");
    }

    @Test
    void shouldKeepTheOldestWhenThereAreTooMany() {
        assertThat(place(new PlacementPolicy.Exactly(2), view(List.of("C", "A"), List.of("B")), ALL_UP))
                .containsExactly("C", "A");
    }

    @Test
    void shouldKeepAnUnlistedMasterUntilAListedNodeIsInSync() {
        PlacementPolicy onB = new PlacementPolicy.Nodes(List.of("B"));

        assertThat(place(onB, view(List.of("A"), List.of("B")), ALL_UP)).containsExactly("A", "B");
        assertThat(place(onB, view(List.of("A", "B"), List.of()), ALL_UP)).containsExactly("B");
    }

    @Test
    void shouldNotAddANodeThatIsNotLinkedWithEveryMember() {
        LinkReports cut = (a, b) -> !new HashSet<>(List.of(a, b)).equals(Set.of("A", "D"));

        assertThat(place(new PlacementPolicy.All(), view(List.of("A"), List.of()), cut))
                .containsExactly("A", "B", "C");
    }

    @Test
    void shouldRemoveTheEndWithFewerLinksWhenALinkOfTheRingIsCut() {
        LinkReports cut = (a, b) -> !new HashSet<>(List.of(a, b)).equals(Set.of("A", "B"))
                && !new HashSet<>(List.of(a, b)).equals(Set.of("A", "C"));

        assertThat(Placement.withoutCut(view(List.of("A", "B", "C"), List.of()), cut))
                .containsExactly("B", "C");
    }

    @Test
    void shouldRemoveTheYoungerOnATieAndNobodyForALinkTheRingDoesNotNeed() {
        View view = view(List.of("A", "B", "C", "D"), List.of());
        LinkReports neighbours = (a, b) -> !new HashSet<>(List.of(a, b)).equals(Set.of("B", "C"));
        LinkReports across = (a, b) -> !new HashSet<>(List.of(a, b)).equals(Set.of("A", "C"));

        assertThat(Placement.withoutCut(view, neighbours)).containsExactly("A", "B", "D");
        assertThat(Placement.withoutCut(view, across)).containsExactly("A", "B", "C", "D");
    }

    @Test
    void shouldChooseTheFirstNodeByLocator() {
        List<String> nodes = List.of("B", "A", "C");

        assertThat(Locator.CLIENT_LOCAL.choose("C", nodes, node -> 0, 5)).isEqualTo("C");
        assertThat(Locator.MIN_MASTERS.choose("C", nodes, node -> node.equals("A") ? 2 : 1, 5))
                .isEqualTo("B");
        assertThat(Locator.RANDOM.choose("C", nodes, node -> 0, -1)).isEqualTo("C");
    }

    private static List<String> place(PlacementPolicy policy, View view, LinkReports links) {
        return Placement.place(policy, view, RUNNING, links, node -> 0);
    }

    private static View view(List<String> inSync, List<String> others) {
        return new View(
                1,
                1,
                1,
                0,
                0,
                1,
                true,
                inSync.stream().map(node -> new Member(node, 1)).toList(),
                others.stream().map(node -> new Member(node, 1)).toList(),
                List.of());
    }
}
