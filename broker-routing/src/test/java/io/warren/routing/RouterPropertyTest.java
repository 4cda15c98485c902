package io.warren.routing;

import static io.warren.routing.Routes.route;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

class RouterPropertyTest {

    /** 5,000 routers of up to 10 patterns (about 5) and 10 keys for each: some 250,000 pairs of pattern and key. */
    @Property(tries = 5_000)
    void shouldRouteTopicsAsTheNaiveMatcher(
            @ForAll("patterns") Set<String> patterns, @ForAll("routingKeys") List<String> routingKeys) {
        Router<String> router = bindAll(Router.topic(), patterns);

        for (String routingKey : routingKeys) {
            Set<String> expected = new HashSet<>();
            for (String pattern : patterns) {
                boolean isMatch = matches(words(pattern), words(routingKey));
                Statistics.label("pairs that match").collect(isMatch);
                if (isMatch) {
                    expected.add(pattern);
                }
            }

            assertThat(new HashSet<>(route(router, routingKey))).isEqualTo(expected);
        }

        Statistics.label("pairs that match").coverage(coverage -> {
            coverage.check(true).count(matching -> matching > 10_000);
            coverage.check(false).count(others -> others > 90_000);
        });
    }

    /** Lemma 3: a destination comes once for each end node, and each end node has one pattern here. */
    @Property(tries = 2_000)
    void shouldEmitNoPatternTwice(
            @ForAll("patterns") Set<String> patterns, @ForAll("routingKeys") List<String> routingKeys) {
        Router<String> router = bindAll(Router.topic(), patterns);

        for (String routingKey : routingKeys) {
            assertThat(route(router, routingKey)).doesNotHaveDuplicates();
        }
    }

    /** Lemmas 1 and 2. */
    @Property(tries = 2_000)
    void shouldRouteAsBeforeWhenBoundAndUnbound(
            @ForAll("routers") Router<String> empty,
            @ForAll("patterns") Set<String> patterns,
            @ForAll("patterns") Set<String> passing,
            @ForAll("routingKeys") List<String> routingKeys) {
        Router<String> before = bindAll(empty, patterns);
        List<List<String>> routesBefore = routes(before, routingKeys);

        Router<String> after = before;
        for (String pattern : passing) {
            after = after.bind("passing", pattern, Map.of("a", 1));
        }
        int sizeBetween = after.size();
        for (String pattern : passing) {
            after = after.unbind("passing", pattern, Map.of("a", 1));
        }

        assertThat(sizeBetween).isEqualTo(patterns.size() + passing.size());
        assertThat(after.size()).isEqualTo(patterns.size());
        assertThat(routes(after, routingKeys)).isEqualTo(routesBefore);
        assertThat(routes(before, routingKeys)).isEqualTo(routesBefore);
    }

    @Provide
    Arbitrary<Set<String>> patterns() {
        return key("a", "b", "", "*", "*", "#", "#").set().ofMaxSize(10);
    }

    @Provide
    Arbitrary<List<String>> routingKeys() {
        return key("a", "b", "a", "b", "", "*", "#").list().ofSize(10);
    }

    @Provide
    Arbitrary<Router<String>> routers() {
        return Arbitraries.of(Router.direct(), Router.fanout(), Router.topic(), Router.headers());
    }

    private static Arbitrary<String> key(String... words) {
        return Arbitraries.of(words).list().ofMaxSize(6).map(list -> String.join(".", list));
    }

    private static Router<String> bindAll(Router<String> empty, Set<String> patterns) {
        Router<String> router = empty;
        for (String pattern : patterns) {
            router = router.bind(pattern, pattern, Map.of());
        }
        return router;
    }

    private static List<List<String>> routes(Router<String> router, List<String> routingKeys) {
        List<List<String>> routes = new ArrayList<>();
        for (String routingKey : routingKeys) {
            routes.add(route(router, routingKey));
        }
        return routes;
    }

    private static List<String> words(String key) {
        return key.isEmpty() ? List.of() : Arrays.asList(key.split("\\.", -1));
    }

    /** The definition of topic matching, word by word, with no care for its cost. */
    private static boolean matches(List<String> pattern, List<String> words) {
        if (pattern.isEmpty()) {
            return words.isEmpty();
        }
        List<String> rest = pattern.subList(1, pattern.size());
        if (pattern.get(0).equals("#")) {
            return matches(rest, words) || (!words.isEmpty() && matches(pattern, words.subList(1, words.size())));
        }
        boolean isFirstMatch = !words.isEmpty()
                && (pattern.get(0).equals("*") || pattern.get(0).equals(words.get(0)));
        return isFirstMatch && matches(rest, words.subList(1, words.size()));
    }
}
