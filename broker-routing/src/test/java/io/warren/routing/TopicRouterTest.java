package io.warren.routing;

import static io.warren.routing.Routes.bind;
import static io.warren.routing.Routes.route;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each row of the tables below is an answer that RabbitMQ 3.10.8 gave. */
class TopicRouterTest {

    private final Router<String> empty = Router.topic();

    @DisplayName("TP-01: '#' matches no word too, '*' exactly one, a dot only a dot")
    @ParameterizedTest(name = "{0} matches <{1}>: {2}")
    @CsvSource({
        "#, '', true",
        "*, '', false",
        "'', '', true",
        "'', ., false",
        "*, ., false",
        "*.*, ., true",
        "., ., true",
        "#.#, '', true",
        "#.#, a.b.c, true",
        "#.*, '', false",
        "#.*, a, true",
        "*.#, '', false",
        "*.#, a, true",
        "*.#, a.b.c, true",
        "a.#, a, true",
        "a.#, b, false",
        "a.*.c.#, a.b.c, true",
        "a.*.c.#, a.b, false",
        "a.b, axb, false",
        "a, a., false",
        ".a, a, false",
        ".a, .a, true",
        "*.a, .a, true",
        "a.*, a., true",
        "a.*, a, false",
        "a.b, a.*, false",
        "a.b, a.#, false",
        "a.*, a.*, true",
        "a.#, a.#, true",
        "*, #, true",
        "a*, ab, false",
        "a#, ab, false",
    })
    void shouldMatchAsRabbitMq(String bindingKey, String routingKey, boolean isMatch) {
        Router<String> router = bind(empty, "q", bindingKey);

        assertThat(route(router, routingKey)).hasSize(isMatch ? 1 : 0);
    }

    @DisplayName("TP-02: '#' in the middle stands for any number of words, '*' never spans dots")
    @ParameterizedTest(name = "{0} matches <{1}>: {2}")
    @CsvSource({
        "a.#.b, a.b, true",
        "a.#.b, a.x.b, true",
        "a.#.b, a.x.y.b, true",
        "a.#.b, a..b, true",
        "a.#.b, a.#.b, true",
        "a.#.b, ab, false",
        "a.#.b, a.b.c, false",
        "a..b, a..b, true",
        "a..b, a.b, false",
        "a.*.b, a..b, true",
        "*, a.b, false",
        "#.a, a, true",
        "#.a, .a, true",
        "#..#, a..b, true",
        "#..#, ., true",
        "#..#, '', false",
        "#.a.#.a.#, a, false",
        "#.a.#.a.#, a.a, true",
        "#.a.#.b.*, a.x.b.b.c, true",
        "#.a.#.b.*, a.x.b.b, true",
        "#.a.#.b.*, a.x.b, false",
    })
    void shouldMatchHashInTheMiddle(String bindingKey, String routingKey, boolean isMatch) {
        Router<String> router = bind(empty, "q", bindingKey);

        assertThat(route(router, routingKey)).hasSize(isMatch ? 1 : 0);
    }

    @Test
    @DisplayName("TP-03: the empty key of one exchange does not reach the bindings of another")
    void shouldKeepEmptyKeyWithinItsRouter() {
        Router<String> one = bind(empty, "q1", "");
        Router<String> other = bind(Router.topic(), "q2", "");

        assertThat(route(one, "")).containsExactly("q1");
        assertThat(route(other, "")).containsExactly("q2");
        assertThat(route(empty, "")).isEmpty();
    }

    @Test
    void shouldRouteToEveryMatchingPattern() {
        Router<String> router = bind(bind(bind(bind(empty, "q1", "a.b"), "q2", "a.*"), "q3", "#"), "q4", "a.c");

        assertThat(route(router, "a.b")).containsExactlyInAnyOrder("q1", "q2", "q3");
    }

    @Test
    void shouldTellWordsWithSameHashCodeApart() {
        // "Aa" and "BB" have one hash code.
        Router<String> router = bind(bind(empty, "q1", "x.Aa"), "q2", "x.BB");

        assertThat(route(router, "x.Aa")).containsExactly("q1");
        assertThat(route(router, "x.BB")).containsExactly("q2");
        assertThat(route(bind(empty, "q", "x.Aa"), "x.BB")).isEmpty();
    }

    /** Lemma 3: without the bound, each of these would be emitted thousands of times. */
    @Test
    void shouldVisitEachPositionOnceWhenHashesNest() {
        Router<String> router = bind(bind(empty, "q1", "#.a.#.a.#.a"), "q2", "#.a.#.#.a.#");
        String routingKey = "a" + ".a".repeat(99);

        assertThat(route(router, routingKey)).containsExactlyInAnyOrder("q1", "q2");
    }

    /** Lemma 3, where no end is ever reached: the obvious walk would try some 10^14 ways. */
    @Test
    void shouldEndSoonWhenManyHashesMatchNothing() {
        Router<String> router = bind(empty, "q", "#.a.#.a.#.a.#.a.#.a.#.a.#.a.#.a.#.a.#.a.#.b");
        String routingKey = "a" + ".a".repeat(119);

        assertThat(route(router, routingKey)).isEmpty();
    }

    @Test
    void shouldKeepOneBindingWhenBoundTwice() {
        Router<String> router = bind(bind(bind(empty, "q", "a.*"), "q", "a.#"), "q", "a.b");

        assertThat(bind(router, "q", "a.*")).isSameAs(router);
        assertThat(bind(router, "q", "a.#")).isSameAs(router);
        assertThat(bind(router, "q", "a.b")).isSameAs(router);
        assertThat(router.size()).isEqualTo(3);
    }

    @Test
    void shouldCountBindingsButEmitOncePerPatternWhenArgumentsDiffer() {
        Router<String> router = bind(empty, "q", "a.*").bind("q", "a.*", Map.of("x", 1));

        assertThat(router.size()).isEqualTo(2);
        assertThat(route(router, "a.b")).containsExactly("q");
    }

    @Test
    void shouldReturnItselfWhenUnboundBindingIsAbsent() {
        Router<String> router = bind(empty, "q", "a.b.c");

        assertThat(router.unbind("q", "a.b", Map.of())).isSameAs(router);
        assertThat(router.unbind("q", "a.b.c.d", Map.of())).isSameAs(router);
        assertThat(router.unbind("q", "a.b.*", Map.of())).isSameAs(router);
        assertThat(router.unbind("q", "a.b.c", Map.of("x", 1))).isSameAs(router);
        assertThat(router.unbind("p", "a.b.c", Map.of())).isSameAs(router);
    }

    @ParameterizedTest
    @CsvSource({"a.b.c", "a.*.c", "a.#.c", "*", "#"})
    void shouldForgetPatternAndKeepOthersWhenUnbound(String bindingKey) {
        Router<String> before = bind(bind(bind(empty, "q1", "a.b"), "q1", "a.*"), "q1", "a.b.c.d");

        Router<String> after = bind(before, "q2", bindingKey).unbind("q2", bindingKey, Map.of());

        assertThat(route(after, "a.b")).containsExactly("q1", "q1");
        assertThat(route(after, "a.b.c")).isEmpty();
        assertThat(route(after, "a.b.c.d")).containsExactly("q1");
        assertThat(after.size()).isEqualTo(3);
    }

    /** Lemma 2: nothing is left of a pattern that is gone, neither its node nor those on the way to it. */
    @ParameterizedTest
    @CsvSource({"a.b.c", "*.*", "#.a", "a.*.#"})
    void shouldDropNodesWhenLastBindingIsGone(String bindingKey) {
        RoutingKey key = new RoutingKey(bindingKey);
        TopicNode<String> root = TopicNode.root();

        TopicNode<String> after = root.with(key, 0, "q", BindingArguments.of(Map.of()))
                .without(key, 0, "q", BindingArguments.of(Map.of()));

        assertThat(after.isLeaf()).isTrue();
    }

    @Test
    void shouldKeepLongerPatternWhenShorterIsUnbound() {
        Router<String> router = bind(bind(empty, "q1", "a.#"), "q2", "a.#.b").unbind("q1", "a.#", Map.of());

        assertThat(route(router, "a.x")).isEmpty();
        assertThat(route(router, "a.x.b")).containsExactly("q2");
    }

    /** Lemma 1. */
    @Test
    void shouldLeaveOldRouterUnchangedWhenBindingAndUnbinding() {
        Router<String> old = bind(empty, "q1", "a.#");

        Router<String> more = bind(old, "q2", "a.*");
        Router<String> less = old.unbind("q1", "a.#", Map.of());

        assertThat(route(old, "a.b")).containsExactly("q1");
        assertThat(route(more, "a.b")).containsExactlyInAnyOrder("q1", "q2");
        assertThat(route(less, "a.b")).isEmpty();
        assertThat(less.isEmpty()).isTrue();
    }
}
