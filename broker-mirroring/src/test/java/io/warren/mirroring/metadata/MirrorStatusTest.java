package io.warren.mirroring.metadata;

import static io.warren.mirroring.metadata.MirroredTopology.all;
import static io.warren.mirroring.metadata.MirroredTopology.durable;
import static io.warren.mirroring.metadata.MirroredTopology.exactly;
import static io.warren.mirroring.metadata.MirroredTopology.exclusive;
import static io.warren.mirroring.metadata.MirroredTopology.policy;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes A, B and C; clients at A. */
class MirrorStatusTest {
    private final MirroredTopology topology = new MirroredTopology();

    @BeforeEach
    void threeNodes() {
        topology.up("A", "B", "C");
    }

    private @Nullable MirrorStatus find(String queue) {
        return topology.metadata()
                .mirrors(Objects.requireNonNull(topology.queue(queue)).id());
    }

    private MirrorStatus status(String queue) {
        return Objects.requireNonNull(find(queue));
    }

    @Test
    void shouldNameTheMasterAndTheSlavesByAge() { // T01
        topology.submit(all(), durable("q"));
        topology.down("B");
        topology.up("B");

        assertThat(status("q").master()).isEqualTo("A");
        assertThat(status("q").slaves()).containsExactly("C", "B");
        assertThat(status("q").inSync()).containsExactly("C");
        assertThat(status("q").unsynchronisedCount()).isEqualTo(1);
        assertThat(status("q").recoverable()).isEmpty();
    }

    @Test
    void shouldTellAQueueThatIsNotMirroredFromOneWithoutSlaves() { // T05, T08
        topology.submit(exactly(1), durable("alone"), exclusive("mine"));

        assertThat(find("mine")).isNull();
        assertThat(status("alone").slaves()).isEmpty();
        assertThat(status("alone").master()).isEqualTo("A");
    }

    @Test
    void shouldNameThoseTheQueueWaitsFor() {
        topology.submit(all(), durable("q"));
        topology.down("C");
        topology.down("A", "B");
        topology.up("C");

        assertThat(status("q").master()).isNull();
        assertThat(status("q").slaves()).isEmpty();
        assertThat(status("q").recoverable()).containsExactly("A", "B");
        assertThat(status("q").takesPublishes()).isFalse();
    }

    @Test
    void shouldNameThoseThatHoldWhatWasConfirmedBelowTheLimit() { // T49
        topology.submit(policy("p", 0, "ha-mode", "all", "ha-min-insync", 2), durable("q"));
        assertThat(status("q").takesPublishes()).isTrue();
        topology.down("B", "C");

        assertThat(status("q").recoverable()).containsExactly("B", "C");
        assertThat(status("q").takesPublishes()).isFalse();
        assertThat(status("q").inSyncMin()).isEqualTo(2);
    }
}
