package io.warren.mirroring.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import org.junit.jupiter.api.Test;

class GroupTableTest {
    private static final Member MASTER = new Member("A", 1);
    private static final View UP = Succession.alone(1, 1, 1, MASTER);
    private static final View DOWN = Succession.onNodes(UP, 2, node -> null);

    private final GroupTable groups = new GroupTable();

    @Test
    void shouldKnowTheGroupsThatNobodyLeads() {
        groups.put("b", true, UP);
        groups.put("a", true, UP);
        groups.put("c", true, UP);
        assertThat(groups.down()).isEmpty();

        groups.put("b", true, DOWN);
        groups.put("a", true, DOWN);
        assertThat(groups.down()).containsExactly("a", "b");

        groups.put("a", true, UP);
        assertThat(groups.down()).containsExactly("b");

        groups.delete("b");
        assertThat(groups.down()).isEmpty();
    }

    @Test
    void shouldKnowThemInAStateThatWasRead() {
        groups.put("a", true, UP);
        groups.put("b", true, DOWN);
        GroupTable read = new GroupTable();

        read.begin(groups.all());

        assertThat(read.down()).containsExactly("b");
    }
}
