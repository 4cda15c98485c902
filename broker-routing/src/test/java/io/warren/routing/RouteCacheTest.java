package io.warren.routing;

import static io.warren.routing.Routes.bind;
import static io.warren.routing.Routes.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RouteCacheTest {

    private static final int WINDOW = RouteCache.WINDOW_MISSES;

    @Test
    void shouldAskRouterOncePerKey() {
        CountingRouter router = new CountingRouter(bind(Router.topic(), "q", "a.*"));
        RouteCache<String> cache = new RouteCache<>(router, 100);

        List<String> first = route(cache, "a.b");
        List<String> second = route(cache, "a.b");
        List<String> other = route(cache, "b.b");
        List<String> otherAgain = route(cache, "b.b");

        assertThat(first).containsExactly("q");
        assertThat(second).containsExactly("q");
        assertThat(other).isEmpty();
        assertThat(otherAgain).isEmpty();
        assertThat(router.routes).isEqualTo(2);
    }

    @Test
    void shouldRememberEachDestinationOnce() {
        RouteCache<String> cache = new RouteCache<>(bind(bind(Router.topic(), "q", "a.*"), "q", "#"), 100);

        assertThat(route(cache, "a.b")).containsExactly("q");
        assertThat(route(cache, "a.b")).containsExactly("q");
    }

    @Test
    void shouldKeepWithinLimitWhenKeysHaveManyDestinations() {
        Router<String> three = bind(bind(bind(Router.fanout(), "q1", ""), "q2", ""), "q3", "");
        CountingRouter router = new CountingRouter(three);
        RouteCache<String> tooSmall = new RouteCache<>(router, 3);
        RouteCache<String> fits = new RouteCache<>(router, 4);

        route(tooSmall, "a");
        route(tooSmall, "a");
        int routesOfTooSmall = router.routes;
        route(fits, "a");
        route(fits, "a");

        assertThat(routesOfTooSmall).isEqualTo(2);
        assertThat(router.routes - routesOfTooSmall).isEqualTo(1);
    }

    @Test
    void shouldTurnOffWhenSecondWindowHasFewerHitsThanMisses() {
        CountingRouter router = new CountingRouter(bind(Router.direct(), "q", "k"));
        RouteCache<String> cache = new RouteCache<>(router, 10);

        miss(cache, 0, 2 * WINDOW - 1);
        boolean isOnBeforeLastMiss = cache.isOn();
        miss(cache, 2 * WINDOW - 1, 1);
        int routes = router.routes;
        List<String> first = route(cache, "k");
        List<String> second = route(cache, "k");

        assertThat(isOnBeforeLastMiss).isTrue();
        assertThat(cache.isOn()).isFalse();
        assertThat(first).isEqualTo(second).containsExactly("q");
        assertThat(router.routes).isEqualTo(routes + 2);
    }

    @Test
    void shouldStayOnWhenHalfOfTheLookupsHit() {
        RouteCache<String> cache = withFullFirstWindow();

        for (int i = 0; i < WINDOW; i++) {
            route(cache, "k");
            miss(cache, WINDOW + i, 1);
        }

        assertThat(cache.isOn()).isTrue();
    }

    @Test
    void shouldTurnOffWhenOneHitIsLacking() {
        RouteCache<String> cache = withFullFirstWindow();

        miss(cache, WINDOW, 1);
        for (int i = 1; i < WINDOW; i++) {
            route(cache, "k");
            miss(cache, WINDOW + i, 1);
        }

        assertThat(cache.isOn()).isFalse();
    }

    @Test
    void shouldNotCountHitsOfEarlierWindow() {
        RouteCache<String> cache = new RouteCache<>(bind(Router.direct(), "q", "k"), 10);

        for (int i = 0; i < 3 * WINDOW; i++) {
            route(cache, "k");
        }
        miss(cache, 0, 2 * WINDOW);

        assertThat(cache.isOn()).isFalse();
    }

    @Test
    void shouldNotJudgeBeforeCacheCanBeFull() {
        RouteCache<String> cache = new RouteCache<>(bind(Router.direct(), "q", "k"), 2 * WINDOW);

        miss(cache, 0, 4 * WINDOW - 1);
        boolean isOnBeforeLastMiss = cache.isOn();
        miss(cache, 4 * WINDOW - 1, 1);

        assertThat(isOnBeforeLastMiss).isTrue();
        assertThat(cache.isOn()).isFalse();
    }

    @Test
    void shouldBeOffForHeaders() {
        RouteCache<String> cache = new RouteCache<>(Router.<String>headers().bind("q", "", table("a", 1)), 10);
        List<String> emitted = new ArrayList<>();

        cache.route("k", table("a", 1), emitted::add);
        cache.route("k", table("a", 2), emitted::add);

        assertThat(cache.isOn()).isFalse();
        assertThat(emitted).containsExactly("q");
    }

    @Test
    void shouldNameItsRouter() {
        Router<String> router = Router.direct();

        assertThat(new RouteCache<>(router, 1).router()).isSameAs(router);
    }

    @Test
    void shouldRefuseLimitOfZero() {
        assertThatThrownBy(() -> new RouteCache<>(Router.<String>direct(), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limit=0, expected above 0");
    }

    /** With "k" in it, asked for so often that no other key drives it out. */
    private static RouteCache<String> withFullFirstWindow() {
        RouteCache<String> cache = new RouteCache<>(bind(Router.direct(), "q", "k"), 800);
        route(cache, "k");
        for (int i = 1; i < WINDOW; i++) {
            route(cache, "k");
            miss(cache, i, 1);
        }
        return cache;
    }

    /** Asks for keys that were not asked for before; each is a miss. */
    private static void miss(RouteCache<String> cache, int from, int count) {
        for (int i = from; i < from + count; i++) {
            route(cache, "missing" + i);
        }
    }

    private static List<String> route(RouteCache<String> cache, String routingKey) {
        List<String> emitted = new ArrayList<>();
        cache.route(routingKey, Map.of(), emitted::add);
        return emitted;
    }

    /** Counts the routes that reach the router behind the cache. */
    private static final class CountingRouter implements Router<String> {

        private final Router<String> router;
        private int routes;

        CountingRouter(Router<String> router) {
            this.router = router;
        }

        @Override
        public Router<String> bind(String destination, String bindingKey, Map<String, ?> arguments) {
            return new CountingRouter(router.bind(destination, bindingKey, arguments));
        }

        @Override
        public Router<String> unbind(String destination, String bindingKey, Map<String, ?> arguments) {
            return new CountingRouter(router.unbind(destination, bindingKey, arguments));
        }

        @Override
        public void route(String routingKey, Map<String, ?> headers, RouteSink<? super String> sink) {
            routes++;
            router.route(routingKey, headers, sink);
        }

        @Override
        public int size() {
            return router.size();
        }
    }
}
