package io.warren.mirroring.raft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeaderClassesTest {
    @Test
    void shouldNameClassesThatThisRatisHas() {
        assertThat(LeaderClasses.load()).isEqualTo(LeaderClasses.NAMES.size());
    }
}
