package io.warren.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RoutingKeyTest {

    static Stream<Arguments> keys() {
        return Stream.of(
                Arguments.of("", List.of()),
                Arguments.of("a", List.of("a")),
                Arguments.of(".", List.of("", "")),
                Arguments.of("a.", List.of("a", "")),
                Arguments.of(".a", List.of("", "a")),
                Arguments.of("a..b", List.of("a", "", "b")),
                Arguments.of("stock.usd.nyse", List.of("stock", "usd", "nyse")));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void shouldCutAtDots(String text, List<String> words) {
        RoutingKey key = new RoutingKey(text);

        assertThat(IntStream.range(0, key.wordCount()).mapToObj(key::word)).isEqualTo(words);
        assertThat(IntStream.range(0, key.wordCount()).mapToObj(key::hashOfWord))
                .isEqualTo(words.stream().map(String::hashCode).toList());
    }

    @Test
    void shouldCompareWholeWords() {
        RoutingKey key = new RoutingKey("abc.de");

        assertThat(key.isWord(0, "abc")).isTrue();
        assertThat(key.isWord(1, "de")).isTrue();
        assertThat(key.isWord(0, "ab")).isFalse();
        assertThat(key.isWord(0, "abd")).isFalse();
        assertThat(key.isWord(1, "abc")).isFalse();
        assertThat(key.isWord(1, 7)).isFalse();
    }
}
