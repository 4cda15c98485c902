package io.warren.test.mirrored;

import static io.warren.test.mirrored.Mirrored.DETECTED;
import static io.warren.test.mirrored.Mirrored.texts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.core.message.Message;
import io.warren.mirroring.entrylog.SetAside;
import io.warren.mirroring.node.Node;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A queue that went on without what its master held: that is kept when the master's node is back, and can be put back. */
class SetAsideTest {
    private Mirrored mirrored;

    @BeforeEach
    void promoteASlaveWithoutMessages(@TempDir Path directory) {
        mirrored = Mirrored.onDisk(3, directory);
        mirrored.policy(Map.of("ha-mode", "nodes", "ha-params", List.of("a")));
        mirrored.declare("a");
        mirrored.publishConfirmed("a", 0, 10);
        mirrored.policy(Map.of("ha-mode", "all", "ha-promote-on-failure", "always"));
        mirrored.pass(DETECTED);
        mirrored.assertInSync();
        mirrored.cluster().kill("a");
        mirrored.awaitMaster("b");
        mirrored.publishConfirmed("b", 10, 15);
        mirrored.cluster().start("a");
        await().until(() -> {
            mirrored.pass(DETECTED);
            return !node("a").copiesSetAside().isEmpty();
        });
    }

    @AfterEach
    void stop() {
        mirrored.close();
    }

    private Node node(String name) {
        return mirrored.cluster().node(name);
    }

    private SetAside onlySet() {
        assertThat(node("a").copiesSetAside()).hasSize(1);
        return node("a").copiesSetAside().get(0);
    }

    @Test
    @Scenario("T25")
    void shouldKeepWhatTheOldMasterHeld() {
        assertThat(onlySet().messages())
                .extracting(message -> new String(message.body(), UTF_8))
                .isEqualTo(texts(0, 10));
        assertThat(onlySet().messages()).extracting(Message::properties).containsOnly(Mirrored.PERSISTENT);
        assertThat(onlySet().firstAddress()).isEqualTo("'' 'orders'");
        assertThat(node("b").copiesSetAside()).isEmpty();

        mirrored.cluster().restart("a");
        mirrored.pass(DETECTED);
        assertThat(onlySet().messages()).hasSize(10);
        assertThat(mirrored.drainTexts("c")).isEqualTo(texts(10, 15));
    }

    @Test
    void shouldPutItBackBehindWhatIsThere() {
        String name = onlySet().name();

        assertThat(node("a").putBack(name, "/", "orders")).isEqualTo(10);

        List<String> all = mirrored.drainTexts("c");
        assertThat(all.subList(0, 5)).isEqualTo(texts(10, 15));
        assertThat(all.subList(5, 15)).isEqualTo(texts(0, 10));
        assertThat(node("a").copiesSetAside()).isEmpty();
    }

    @Test
    void shouldDeleteIt() {
        node("a").deleteSetAside(onlySet().name());

        assertThat(node("a").copiesSetAside()).isEmpty();
        assertThat(mirrored.drainTexts("c")).isEqualTo(texts(10, 15));
    }

    @Test
    void shouldRefuseWhatIsNotThereAndKeepTheSet() {
        String name = onlySet().name();

        assertThatThrownBy(() -> node("a").putBack(name, "/", "invoices"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("there is no queue 'invoices' in vhost '/'");
        assertThatThrownBy(() -> node("a").putBack("lock", "/", "orders"))
                .hasMessage("nothing was set aside as 'lock'; there are [" + name + "]");
        assertThatThrownBy(() -> node("a").deleteSetAside("lock"))
                .hasMessage("cannot be deleted: 'lock' is not one of [" + name + "]");
        assertThat(onlySet().name()).isEqualTo(name);
    }

    @Test
    void shouldKeepTheSetWhereTheQueueRefusesIt() {
        mirrored.policy("limited", ".*", 1, Map.of("ha-mode", "all", "max-length", 5, "overflow", "reject-publish"));
        String name = onlySet().name();

        assertThatThrownBy(() -> node("a").putBack(name, "/", "orders"))
                .hasMessage("queue 'orders' refused messages of '" + name
                        + "', which is kept; others of it may be in the queue");

        assertThat(onlySet().messages()).hasSize(10);
    }
}
