package io.warren.examples.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class RehearsalTest {

    @Test
    void shouldTakeOverAndLeaveNoThreadOfIt() throws IOException {
        Rehearsal.run();

        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("warren-rehearsal")));
    }
}
