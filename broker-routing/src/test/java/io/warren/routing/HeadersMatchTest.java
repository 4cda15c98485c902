package io.warren.routing;

import static io.warren.routing.Routes.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersMatchTest {

    @ParameterizedTest
    @ValueSource(strings = {"all", "any", "all-with-x", "any-with-x"})
    void shouldAcceptTheFourModes(String mode) {
        assertThat(HeadersMatch.invalidReason(table("x-match", mode, "a", 1))).isNull();
    }

    @Test
    void shouldAcceptArgumentsWithoutMode() {
        assertThat(HeadersMatch.invalidReason(Map.of())).isNull();
        assertThat(HeadersMatch.invalidReason(table("a", null))).isNull();
    }

    static Stream<Arguments> strings() {
        return Stream.of(
                Arguments.of("zz", "<<\"zz\">>"),
                Arguments.of("ALL", "<<\"ALL\">>"),
                Arguments.of("", "<<>>"),
                Arguments.of("a\"b\\c\n", "<<\"a\\\"b\\\\c\\n\">>"),
                Arguments.of("\b\t\u000b\f\r\u001b", "<<\"\\b\\t\\v\\f\\r\\e\">>"),
                Arguments.of("~ ", "<<\"~ \">>"),
                Arguments.of("\u00e9", "<<\"\u00e9\">>"),
                Arguments.of("\u00a0", "<<\"\u00a0\">>"),
                Arguments.of("\u20ac", "<<226,130,172>>"),
                Arguments.of("a\u0000", "<<97,0>>"),
                Arguments.of("\u0007", "<<7>>"),
                Arguments.of("\u000e", "<<14>>"),
                Arguments.of("\u001f", "<<31>>"),
                Arguments.of("\u007f", "<<127>>"));
    }

    @DisplayName("HD-01: a bad x-match is refused in RabbitMQ's words")
    @ParameterizedTest
    @MethodSource("strings")
    void shouldRefuseOtherModes(String mode, String printed) {
        assertThat(HeadersMatch.invalidReason(table("x-match", mode)))
                .isEqualTo("Invalid x-match field value " + printed + "; expected all, any, all-with-x, or any-with-x");
    }

    static Stream<Arguments> types() {
        return Stream.of(
                Arguments.of(1, "signedint", "1"),
                Arguments.of(1L, "long", "1"),
                Arguments.of((short) 1, "short", "1"),
                Arguments.of((byte) 1, "byte", "1"),
                Arguments.of(true, "bool", "true"),
                Arguments.of(1.5, "double", "1.5"),
                Arguments.of(1.0, "double", "1.0"),
                Arguments.of(1e22, "double", "1.0e22"),
                Arguments.of(1e-7, "double", "1.0e-7"),
                Arguments.of(1.5f, "float", "1.5"),
                Arguments.of(new BigDecimal("1.5"), "decimal", "{1,15}"),
                Arguments.of(Date.from(Instant.ofEpochSecond(5)), "timestamp", "5"),
                Arguments.of(Instant.ofEpochSecond(5), "timestamp", "5"),
                Arguments.of(new byte[] {-1, 1}, "binary", "<<255,1>>"),
                Arguments.of(new byte[] {'a', 'l', 'l'}, "binary", "<<\"all\">>"),
                Arguments.of(List.of(), "array", "[]"),
                Arguments.of(List.of("a", 1), "array", "[{longstr,<<\"a\">>},{signedint,1}]"),
                Arguments.of(Map.of(), "table", "[]"),
                Arguments.of(
                        table("k", "v", "j", 1), "table", "[{<<\"k\">>,longstr,<<\"v\">>},{<<\"j\">>,signedint,1}]"));
    }

    @DisplayName("HD-01: an x-match that is no string is refused in RabbitMQ's words")
    @ParameterizedTest
    @MethodSource("types")
    void shouldRefuseModeOfOtherType(Object mode, String type, String printed) {
        assertThat(HeadersMatch.invalidReason(table("x-match", mode)))
                .isEqualTo("Invalid x-match field type " + type + " (value " + printed + "); expected longstr");
    }

    @Test
    void shouldRefuseVoidMode() {
        assertThat(HeadersMatch.invalidReason(table("x-match", null)))
                .isEqualTo("Invalid x-match field type void (value undefined); expected longstr");
    }
}
