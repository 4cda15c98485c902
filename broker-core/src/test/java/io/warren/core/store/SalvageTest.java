package io.warren.core.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.store.StoreFixture.TestQueue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written out of a directory that no broker starts on. */
class SalvageTest {

    @TempDir
    private Path target;

    private final SimulatedDisk disk = new SimulatedDisk();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private long salvage() throws IOException {
        return new Salvage(disk, target, new PrintStream(printed, true, UTF_8)).run();
    }

    private TestQueue live(int messages) throws IOException {
        StoreFixture store = new StoreFixture(disk, StoreSettings.small(4096));
        TestQueue queue = store.queue("orders");
        for (int i = 0; i < messages; i++) {
            queue.publish();
            store.round();
        }
        queue.settle(2);
        queue.log.barrier();
        store.round();
        store.close();
        return queue;
    }

    @Test
    void shouldWriteEveryMessageThatWaitsWhenNothingIsDamaged() throws IOException {
        TestQueue queue = live(60);
        assertThat(disk.list()).anyMatch(FileNames::isSegment);

        assertThat(salvage()).isEqualTo(59);

        List<String> lines = Files.readAllLines(target.resolve("queue-1.json"));
        assertThat(lines).hasSize(59).allMatch(line -> line.startsWith("{\"vhost\":\"/\",\"queue\":\"orders\""));
        String body = Base64.getEncoder().encodeToString(queue.body(5).getBytes(UTF_8));
        assertThat(lines)
                .filteredOn(line -> line.contains("\"offset\":5,"))
                .singleElement()
                .asString()
                .contains(body);
        assertThat(printed.toString(UTF_8)).contains("59 messages of 1 queues were written to");
    }

    @Test
    void shouldLeaveOutOnlyWhatIsDamagedWhenBrokerRefusesToStart() throws IOException {
        live(20);
        String log = disk.list().stream()
                .filter(name -> name.startsWith("wal-"))
                .sorted()
                .findFirst()
                .orElseThrow();
        disk.damage(log, (byte) 'x');
        assertThatThrownBy(() -> new StoreFixture(disk, StoreSettings.small(4096)))
                .isInstanceOf(DamagedStoreException.class)
                .hasMessageContaining(log + " is damaged at byte")
                .hasMessageContaining("Salvage");

        assertThat(salvage()).isEqualTo(18);
    }
}
