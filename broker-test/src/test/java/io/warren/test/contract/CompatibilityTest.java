package io.warren.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** docs/compatibility.md is what the contracts say; {@code -Dwarren.record=true} writes it anew. */
class CompatibilityTest {

    private static final Path PAGE = Path.of("..", "docs", "compatibility.md");

    @Test
    void shouldSayWhatContractsShow() throws Exception {
        String page = new Compatibility(ContractIndex.read(), ContractIndex.lines("/compatibility-notes.txt")).page();

        if (Boolean.getBoolean("warren.record")) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(page);
    }
}
