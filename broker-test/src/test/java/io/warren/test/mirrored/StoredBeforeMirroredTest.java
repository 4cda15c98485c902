package io.warren.test.mirrored;

import static io.warren.test.mirrored.Mirrored.texts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.QueueOptions;
import io.warren.core.message.Properties;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A durable queue whose messages are on its home's disk when it comes to be mirrored: none is lost, and none is there twice. */
class StoredBeforeMirroredTest {
    private static final Map<String, ?> ALL_AUTOMATIC = Map.of("ha-mode", "all", "ha-sync-mode", "automatic");

    @TempDir
    Path directory;

    private Mirrored mirrored;

    @BeforeEach
    void begin() {
        mirrored = new Mirrored(3, node -> node.broker(broker -> broker.dataDirectory(directory.resolve(node.name()))));
    }

    @AfterEach
    void stop() {
        mirrored.close();
    }

    @Test
    @Scenario("T10")
    void shouldBringWhatIsOnTheDisk() {
        mirrored.declare("a", QueueOptions.durable("orders").argument("x-queue-mode", "lazy"));
        mirrored.publishConfirmed("b", 0, 2_000);

        mirrored.policy(ALL_AUTOMATIC);
        mirrored.publishConfirmed("b", 2_000, 2_100);
        mirrored.awaitInSync("b", "c");

        mirrored.cluster().kill("a");
        assertThat(mirrored.drainTexts("c")).isEqualTo(texts(0, 2_100));
    }

    @Test
    @Scenario("T10")
    void shouldFindWhatIsOnTheDiskWhenThePolicyCameWhileItsHomeWasDown() {
        mirrored.declare("a");
        mirrored.publishConfirmed("b", 0, 100);
        mirrored.cluster().kill("a");

        mirrored.policy(ALL_AUTOMATIC);
        mirrored.cluster().start("a");
        mirrored.awaitInSync("b", "c");

        mirrored.cluster().kill("a");
        assertThat(mirrored.drainTexts("c")).isEqualTo(texts(0, 100));
    }

    @Test
    @Scenario("T10")
    void shouldNotBringItBackWhenItsHomeComesBack() {
        mirrored.declare("a");
        mirrored.publishConfirmed("b", 0, 100);
        mirrored.policy(ALL_AUTOMATIC);
        mirrored.awaitInSync("b", "c");
        assertThat(mirrored.drain("c")).isEqualTo(texts(0, 100));
        // Behind the settlements: what nobody waits for may be lost with the master.
        mirrored.publishConfirmed("c", 100, 105);

        mirrored.cluster().restart("a");
        mirrored.publishConfirmed("c", 105, 110);

        assertThat(mirrored.drain("c")).isEqualTo(texts(100, 110));
    }

    @Test
    @Scenario("T10")
    void shouldNotLoseDeadLettersThatAreUnderWay() {
        mirrored.declare("b", QueueOptions.durable("dead"));
        mirrored.declare(
                "a", QueueOptions.durable("orders").deadLetterExchange("").deadLetterRoutingKey("dead"));
        Properties shortLived =
                Properties.builder().persistent().expiration("1000").build();
        Channel publisher = mirrored.channel("a");
        texts(0, 500).forEach(text -> publisher.publish("", "orders", shortLived, text.getBytes(UTF_8)));
        mirrored.assertConfirmed("a");

        mirrored.cluster().advance(Duration.ofSeconds(1));
        mirrored.policy(ALL_AUTOMATIC);
        mirrored.cluster().advance(Duration.ofSeconds(1));

        List<String> dead = new ArrayList<>();
        await().until(() -> {
            for (var next = publisher.get("dead", true); next != null; next = publisher.get("dead", true)) {
                dead.add(next.text());
            }
            return dead.size() >= 500;
        });
        assertThat(dead).containsExactlyInAnyOrderElementsOf(texts(0, 500));
    }
}
