package io.warren.routing;

import static io.warren.routing.Routes.bind;
import static io.warren.routing.Routes.route;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FanoutRouterTest {

    private final Router<String> empty = Router.fanout();

    @Test
    void shouldRouteEverywhereWhateverTheKey() {
        Router<String> router = bind(bind(empty, "q1", "a"), "q2", "");

        assertThat(route(router, "a")).containsExactlyInAnyOrder("q1", "q2");
        assertThat(route(router, "zz")).containsExactlyInAnyOrder("q1", "q2");
        assertThat(route(empty, "a")).isEmpty();
    }

    @Test
    void shouldCountBindingsButEmitOnceWhenKeysOrArgumentsDiffer() {
        Router<String> router = bind(bind(empty, "q", "a"), "q", "b").bind("q", "a", Map.of("x", 1));

        assertThat(router.size()).isEqualTo(3);
        assertThat(route(router, "")).containsExactly("q");
    }

    @Test
    void shouldKeepOneBindingWhenBoundTwice() {
        Router<String> router = bind(empty, "q", "a");

        assertThat(bind(router, "q", "a")).isSameAs(router);
    }

    @Test
    void shouldRouteUntilLastBindingOfDestinationIsGone() {
        Router<String> router = bind(bind(empty, "q", "a"), "q", "b");

        Router<String> one = router.unbind("q", "a", Map.of());
        Router<String> none = one.unbind("q", "b", Map.of());

        assertThat(route(one, "")).containsExactly("q");
        assertThat(one.size()).isEqualTo(1);
        assertThat(route(none, "")).isEmpty();
        assertThat(none.isEmpty()).isTrue();
        assertThat(router.size()).isEqualTo(2);
    }

    @Test
    void shouldReturnItselfWhenUnboundBindingIsAbsent() {
        Router<String> router = bind(empty, "q", "a");

        assertThat(router.unbind("q", "b", Map.of())).isSameAs(router);
        assertThat(router.unbind("q", "a", Map.of("x", 1))).isSameAs(router);
        assertThat(router.unbind("p", "a", Map.of())).isSameAs(router);
    }
}
