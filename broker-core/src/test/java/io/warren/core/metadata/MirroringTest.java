package io.warren.core.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.message.FieldTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** T16: a policy about mirroring that means nothing is refused when it is set. */
final class MirroringTest {

    private static FieldTable table(Object... keysAndValues) {
        Map<String, Object> fields = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            fields.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return FieldTable.of(fields);
    }

    private static @Nullable String problem(Object... keysAndValues) {
        return Mirroring.problem(table(keysAndValues));
    }

    @Test
    void shouldWantAModeWhenAnythingElseIsAsked() {
        for (String key : Mirroring.KEYS) {
            if (!key.equals("ha-mode")) {
                assertThat(problem(key, 1)).as(key).startsWith("ha-mode must be specified");
            }
        }
        assertThat(problem("max-length", 1)).isNull();
    }

    @Test
    void shouldRefuseAModeNobodyKnows() {
        assertThat(problem("ha-mode", "some")).isEqualTo("\"some\" is not a valid ha-mode value");
        assertThat(problem("ha-mode", 2)).isEqualTo("2 is not a valid ha-mode value");
    }

    @Test
    void shouldRefuseParametersThatDoNotFitTheMode() {
        assertThat(problem("ha-mode", "all", "ha-params", 2)).isEqualTo("ha-mode=\"all\" does not take parameters");
        assertThat(problem("ha-mode", "exactly", "ha-params", "2"))
                .isEqualTo("ha-mode=\"exactly\" takes an integer, \"2\" given");
        assertThat(problem("ha-mode", "exactly", "ha-params", 0))
                .isEqualTo("ha-mode=\"exactly\" takes an integer, 0 given");
        assertThat(problem("ha-mode", "exactly")).isEqualTo("ha-mode=\"exactly\" takes an integer, none given");
        assertThat(problem("ha-mode", "nodes", "ha-params", List.of()))
                .isEqualTo("ha-mode=\"nodes\" list must be non-empty");
        assertThat(problem("ha-mode", "nodes", "ha-params", List.of("a", 1)))
                .isEqualTo("ha-mode=\"nodes\" takes a list of strings, [1] was not a string");
        assertThat(problem("ha-mode", "nodes", "ha-params", "a"))
                .isEqualTo("ha-mode=\"nodes\" takes a list, \"a\" given");
    }

    @Test
    void shouldRefuseValuesThatAreNotOffered() {
        assertThat(problem("ha-mode", "all", "ha-sync-mode", "auto"))
                .isEqualTo("ha-sync-mode must be \"manual\" or \"automatic\", got \"auto\"");
        assertThat(problem("ha-mode", "all", "ha-sync-batch-size", 0))
                .isEqualTo("ha-sync-batch-size takes an integer greater than 0, 0 given");
        assertThat(problem("ha-mode", "all", "ha-promote-on-shutdown", true))
                .isEqualTo("ha-promote-on-shutdown must be \"always\" or \"when-synced\", got true");
        assertThat(problem("ha-mode", "all", "ha-promote-on-failure", "never"))
                .isEqualTo("ha-promote-on-failure must be \"always\" or \"when-synced\", got \"never\"");
    }

    @Test
    void shouldRefuseToWaitForMoreCopiesThanThereAre() {
        assertThat(problem("ha-mode", "exactly", "ha-params", 2, "ha-min-insync", 3))
                .isEqualTo("ha-min-insync 3 is more than the 2 copies that ha-params asks for");
        assertThat(problem("ha-mode", "nodes", "ha-params", List.of("a"), "ha-min-insync", 2))
                .isEqualTo("ha-min-insync 2 is more than the 1 copies that ha-params asks for");
        assertThat(problem("ha-mode", "all", "ha-min-insync", "2"))
                .isEqualTo("ha-min-insync takes an integer greater than 0, \"2\" given");
        assertThat(problem("ha-mode", "exactly", "ha-params", 2, "ha-min-insync", 2))
                .isNull();
        assertThat(problem("ha-mode", "all", "ha-min-insync", 9)).isNull();
    }

    @Test
    void shouldSayWhatAPolicyAsks() {
        assertThat(Mirroring.of(table("max-length", 1))).isNull();
        assertThat(Mirroring.of(table("ha-mode", "all")))
                .isEqualTo(new Mirroring(Mirroring.Mode.ALL, 0, List.of(), false, false, false, 1));
        assertThat(Mirroring.of(table(
                        "ha-mode",
                        "exactly",
                        "ha-params",
                        2L,
                        "ha-sync-mode",
                        "automatic",
                        "ha-promote-on-failure",
                        "always",
                        "ha-min-insync",
                        2)))
                .isEqualTo(new Mirroring(Mirroring.Mode.EXACTLY, 2, List.of(), true, false, true, 2));
        assertThat(Mirroring.of(
                        table("ha-mode", "nodes", "ha-params", List.of("a", "b"), "ha-promote-on-shutdown", "always")))
                .isEqualTo(new Mirroring(Mirroring.Mode.NODES, 0, List.of("a", "b"), false, true, false, 1));
    }
}
