package io.warren.mirroring.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TakeoverClassesTest {
    @Test
    void shouldNameNoClassThatIsNotThere() {
        assertThat(TakeoverClasses.load()).isEmpty();
    }
}
