package io.warren.routing;

import static io.warren.routing.Routes.route;
import static io.warren.routing.Routes.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows of the tables are answers that RabbitMQ 3.10.8 gave, but where a comment says otherwise. */
class HeadersRouterTest {

    private static final byte[] BYTES_ABC = "abc".getBytes(StandardCharsets.UTF_8);

    private final Router<String> empty = Router.headers();

    static Stream<Arguments> modes() {
        return Stream.of(
                row(true, table(), table()),
                row(true, table(), table("a", 1)),
                row(true, table("x-match", "all"), table()),
                row(true, table("x-match", "all"), table("a", 1)),
                row(false, table("x-match", "any"), table()),
                row(false, table("x-match", "any"), table("a", 1)),
                row(true, table("x-match", "all-with-x"), table("a", 1)),
                row(false, table("x-match", "any-with-x"), table("a", 1)),
                row(true, table("a", 1, "b", 2), table("a", 1, "b", 2, "c", 3)),
                row(false, table("a", 1, "b", 2), table("a", 1)),
                row(false, table("a", 1, "b", 2), table("a", 1, "b", 3)),
                row(false, table("a", 1, "b", 2), table("c", 3)),
                row(true, table("x-match", "all", "a", 1, "b", 2), table("a", 1, "b", 2)),
                row(false, table("x-match", "all", "a", 1, "b", 2), table("a", 1)),
                row(true, table("x-match", "any", "a", 1, "b", 2), table("a", 1)),
                row(true, table("x-match", "any", "a", 1, "b", 2), table("a", 9, "b", 2)),
                row(false, table("x-match", "any", "a", 1, "b", 2), table("c", 3)),
                row(false, table("x-match", "any", "a", 1, "b", 2), table("a", 2)),
                // x-match itself never counts
                row(false, table("x-match", "any"), table("x-match", "any")),
                row(false, table("x-match", "any-with-x"), table("x-match", "any-with-x")),
                // other names with x- count only -with-x
                row(true, table("x-match", "all", "x-a", "1"), table("x-a", "2")),
                row(true, table("x-match", "all", "x-a", "1"), table()),
                row(true, table("x-match", "all", "x-a", "1", "b", "2"), table("b", "2")),
                row(true, table("x-match", "all", "x-", "1"), table("x-", "2")),
                row(false, table("x-match", "any", "x-a", "1"), table("x-a", "1")),
                row(true, table("x-match", "any", "x-a", "1", "b", "2"), table("b", "2")),
                row(false, table("x-match", "all", "x", "1"), table("x", "2")),
                row(false, table("x-match", "all", "X-a", "1"), table("X-a", "2")),
                row(true, table("x-match", "all-with-x", "x-a", "1"), table("x-a", "1")),
                row(false, table("x-match", "all-with-x", "x-a", "1"), table("x-a", "2")),
                row(false, table("x-match", "all-with-x", "x-a", "1"), table()),
                row(false, table("x-match", "all-with-x", "x-a", "1", "b", "2"), table("b", "2")),
                row(true, table("x-match", "any-with-x", "x-a", "1"), table("x-a", "1")),
                row(false, table("x-match", "any-with-x", "x-a", "1"), table("x-a", "2")),
                row(true, table("x-match", "any-with-x", "x-a", "1", "b", "2"), table("b", "2")),
                // void asks for presence only
                row(true, table("a", null), table("a", "z")),
                row(true, table("a", null), table("a", null)),
                row(false, table("a", null), table("b", 1)),
                row(false, table("a", null), table()),
                row(false, table("a", "z"), table("a", null)),
                row(false, table("a", ""), table("a", null)),
                row(true, table("x-match", "any", "a", null, "b", 1), table("a", 7)));
    }

    @DisplayName("HD-01: x-match, x- arguments and void")
    @ParameterizedTest
    @MethodSource("modes")
    void shouldMatchAsRabbitMqInEveryMode(boolean isMatch, Map<String, Object> arguments, Map<String, Object> headers) {
        Router<String> router = empty.bind("q", "", arguments);

        assertThat(route(router, "any.key", headers)).hasSize(isMatch ? 1 : 0);
    }

    static Stream<Arguments> values() {
        return Stream.of(
                row(true, 1, 1L),
                row(true, 1, (short) 1),
                row(true, (byte) 1, 1),
                row(true, -1, -1L),
                row(true, 1L, new AtomicInteger(1)),
                row(false, 1, 2),
                row(true, 1, 1.0),
                row(true, 1L, 1.0f),
                row(true, 0.5, 0.5f),
                row(false, 0.1, 0.1f),
                row(false, 1, 1.5),
                row(true, 0.0, -0.0),
                row(true, 0, -0.0),
                row(true, 9007199254740992L, 9007199254740992.0),
                row(false, 9007199254740993L, 9007199254740992.0),
                row(false, Long.MAX_VALUE, 0x1p63),
                row(true, Long.MIN_VALUE, -0x1p63),
                row(false, "1", 1),
                row(false, 1, "1"),
                row(true, true, true),
                row(false, true, false),
                row(false, true, "true"),
                row(false, true, 1),
                row(true, "abc", "abc"),
                row(false, "a", "A"),
                row(true, "abc", BYTES_ABC),
                row(true, BYTES_ABC, "abc"),
                row(true, "", new byte[0]),
                row(true, "\u00e9", "\u00e9".getBytes(StandardCharsets.UTF_8)),
                row(true, new byte[] {1}, new byte[] {1}),
                row(false, new byte[] {1}, new byte[] {2}),
                row(true, new byte[] {-1}, new byte[] {-1}),
                row(false, new byte[] {-1}, "\uFFFD"),
                row(true, new BigDecimal("1.0"), new BigDecimal("1.0")),
                row(false, new BigDecimal("1.0"), new BigDecimal("1.00")),
                row(false, new BigDecimal("1"), 1),
                row(false, new BigDecimal("1.5"), 1.5),
                row(true, BigInteger.TWO.pow(70), BigInteger.TWO.pow(70)),
                row(false, BigInteger.TWO.pow(70), 0),
                row(true, Date.from(Instant.ofEpochSecond(5)), 5),
                row(true, 5L, Date.from(Instant.ofEpochMilli(5_999))),
                row(true, Instant.ofEpochSecond(5), Date.from(Instant.ofEpochSecond(5))),
                row(false, Instant.ofEpochSecond(5), 6),
                row(true, List.of(1), List.of(1)),
                row(false, List.of(1), List.of(2)),
                row(false, List.of(1, 2), List.of(2, 1)),
                row(false, List.of(1), 1),
                row(true, List.of(), List.of()),
                row(true, List.of(), table()),
                row(true, table(), List.of()),
                row(false, List.of(), List.of(1)),
                // inside arrays and tables types count
                row(false, List.of(1), List.of(1L)),
                row(false, List.of(1), List.of(1.0)),
                row(false, List.of(0.5), List.of(0.5f)),
                row(false, List.of("abc"), List.of(BYTES_ABC)),
                row(true, List.of(new byte[] {1}), List.of(new byte[] {1})),
                row(false, List.of(List.of()), List.of(table())),
                row(true, table("k", 1), table("k", 1)),
                row(false, table("k", 1), table("k", 1L)),
                row(false, table("k", 1), table("j", 1)),
                row(true, table("k", new byte[] {1}), table("k", new byte[] {1})),
                row(true, table("k", null), table("k", null)),
                row(false, table("k", null), table("k", 1)),
                row(true, List.of(List.of(table("a", 1))), List.of(List.of(table("a", 1)))),
                row(false, List.of(List.of(table("a", 1))), List.of(List.of(table("a", 1L)))),
                // RabbitMQ says false here; a Java map has no order that could count
                row(true, table("k", 1, "j", 2), table("j", 2, "k", 1)));
    }

    @DisplayName("HD-01: comparison by value across integer widths, never across string and integer")
    @ParameterizedTest
    @MethodSource("values")
    void shouldCompareValuesAsRabbitMq(boolean isMatch, Object bound, Object sent) {
        Router<String> router = empty.bind("q", "", Map.of("a", bound));

        assertThat(route(router, "", Map.of("a", sent))).hasSize(isMatch ? 1 : 0);
    }

    @Test
    void shouldTakeUnknownModeForAll() {
        Router<String> router = empty.bind("q", "", table("x-match", 7, "a", 1, "b", 2));

        assertThat(route(router, "", table("a", 1))).isEmpty();
        assertThat(route(router, "", table("a", 1, "b", 2))).containsExactly("q");
    }

    @Test
    void shouldRouteToEveryMatchingBinding() {
        Router<String> router = empty.bind("q1", "", table("a", 1))
                .bind("q2", "", table("b", 1))
                .bind("q3", "", table("c", 1));

        assertThat(route(router, "", table("a", 1, "b", 1))).containsExactlyInAnyOrder("q1", "q2");
    }

    @Test
    void shouldKeepOneBindingWhenBoundTwice() {
        Router<String> router = empty.bind("q", "k", table("a", 1, "b", new byte[] {1}));

        assertThat(router.bind("q", "k", table("b", new byte[] {1}, "a", 1))).isSameAs(router);
        assertThat(router.size()).isEqualTo(1);
    }

    @Test
    void shouldKeepBindingsApartWhenKeyTypeOrValueDiffers() {
        Router<String> router = empty.bind("q", "k", table("a", 1))
                .bind("q", "k2", table("a", 1))
                .bind("q", "k", table("a", 1L))
                .bind("q", "k", table("a", 1.0))
                .bind("q", "k", table("a", "s"))
                .bind("q", "k", table("a", "s".getBytes(StandardCharsets.UTF_8)))
                .bind("p", "k", table("a", 1));

        assertThat(router.size()).isEqualTo(7);
        assertThat(router.unbind("q", "k", table("a", 1L)).size()).isEqualTo(6);
    }

    @Test
    void shouldTakeBothZerosForOneArgument() {
        Router<String> router = empty.bind("q", "k", table("a", 0.0));

        assertThat(router.bind("q", "k", table("a", -0.0))).isSameAs(router);
    }

    /** A timestamp has whole seconds on the wire, and is no integer where types count. */
    @Test
    void shouldTakeTimestampsOfOneSecondForOneArgument() {
        Router<String> router = empty.bind("q", "k", table("a", Date.from(Instant.ofEpochMilli(5_100))));

        assertThat(router.bind("q", "k", table("a", Date.from(Instant.ofEpochMilli(5_900)))))
                .isSameAs(router);
        assertThat(router.bind("q", "k", table("a", Instant.ofEpochMilli(5_999))))
                .isSameAs(router);
        assertThat(router.bind("q", "k", table("a", Date.from(Instant.ofEpochSecond(6))))
                        .size())
                .isEqualTo(2);
        assertThat(router.bind("q", "k", table("a", 5L)).size()).isEqualTo(2);
    }

    @Test
    void shouldForgetBindingWhenUnbound() {
        Router<String> router = empty.bind("q1", "", table("a", 1)).bind("q2", "", table("a", 1));

        Router<String> after = router.unbind("q1", "", table("a", 1));

        assertThat(route(after, "", table("a", 1))).containsExactly("q2");
        assertThat(route(router, "", table("a", 1))).containsExactlyInAnyOrder("q1", "q2");
        assertThat(after.unbind("q2", "", table("a", 1)).isEmpty()).isTrue();
    }

    @Test
    void shouldReturnItselfWhenUnboundBindingIsAbsent() {
        Router<String> router = empty.bind("q", "k", table("a", 1));

        assertThat(router.unbind("q", "k", table("a", 2))).isSameAs(router);
        assertThat(router.unbind("q", "j", table("a", 1))).isSameAs(router);
    }

    @Test
    void shouldNotFollowLaterChangesOfTheArguments() {
        byte[] bytes = {1};
        Map<String, Object> arguments = table("a", bytes);
        Router<String> router = empty.bind("q", "", arguments);

        bytes[0] = 2;
        arguments.put("b", 1);

        assertThat(route(router, "", table("a", new byte[] {1}))).containsExactly("q");
        assertThat(router.unbind("q", "", table("a", new byte[] {1})).isEmpty()).isTrue();
    }

    private static Arguments row(boolean isMatch, Object bound, Object sent) {
        return Arguments.of(isMatch, bound, sent);
    }
}
