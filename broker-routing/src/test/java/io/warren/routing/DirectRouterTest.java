package io.warren.routing;

import static io.warren.routing.Routes.bind;
import static io.warren.routing.Routes.route;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DirectRouterTest {

    private final Router<String> empty = Router.direct();

    @Test
    void shouldRouteToEqualKeyOnly() {
        Router<String> router = bind(bind(empty, "q1", "a.b"), "q2", "a.*");

        assertThat(route(router, "a.b")).containsExactly("q1");
        assertThat(route(router, "a.*")).containsExactly("q2");
        assertThat(route(router, "a")).isEmpty();
        assertThat(route(router, "")).isEmpty();
    }

    @Test
    void shouldRouteToEveryDestinationOfKey() {
        Router<String> router = bind(bind(bind(empty, "q1", "k"), "q2", "k"), "q3", "other");

        assertThat(route(router, "k")).containsExactlyInAnyOrder("q1", "q2");
        assertThat(router.size()).isEqualTo(3);
    }

    @Test
    void shouldKeepOneBindingWhenBoundTwice() {
        Router<String> router = empty.bind("q", "k", Map.of("a", 1));

        Router<String> again = router.bind("q", "k", Map.of("a", 1));

        assertThat(again).isSameAs(router);
        assertThat(again.size()).isEqualTo(1);
    }

    @Test
    void shouldCountBindingsButEmitOnceWhenArgumentsDiffer() {
        Router<String> router = empty.bind("q", "k", Map.of("a", 1)).bind("q", "k", Map.of("a", 2));

        assertThat(router.size()).isEqualTo(2);
        assertThat(route(router, "k")).containsExactly("q");
    }

    @Test
    void shouldRouteUntilLastBindingOfDestinationIsGone() {
        Router<String> router = empty.bind("q", "k", Map.of("a", 1)).bind("q", "k", Map.of("a", 2));

        Router<String> one = router.unbind("q", "k", Map.of("a", 1));
        Router<String> none = one.unbind("q", "k", Map.of("a", 2));

        assertThat(route(one, "k")).containsExactly("q");
        assertThat(one.size()).isEqualTo(1);
        assertThat(one.isEmpty()).isFalse();
        assertThat(route(none, "k")).isEmpty();
        assertThat(none.isEmpty()).isTrue();
    }

    @Test
    void shouldKeepOtherDestinationWhenOneIsUnbound() {
        Router<String> router = bind(bind(empty, "q1", "k"), "q2", "k").unbind("q1", "k", Map.of());

        assertThat(route(router, "k")).containsExactly("q2");
        assertThat(router.size()).isEqualTo(1);
    }

    @Test
    void shouldReturnItselfWhenUnboundBindingIsAbsent() {
        Router<String> router = empty.bind("q", "k", Map.of("a", 1));

        assertThat(router.unbind("q", "k", Map.of())).isSameAs(router);
        assertThat(router.unbind("q", "k", Map.of("a", 2))).isSameAs(router);
        assertThat(router.unbind("q", "j", Map.of("a", 1))).isSameAs(router);
        assertThat(router.unbind("p", "k", Map.of("a", 1))).isSameAs(router);
    }

    @Test
    void shouldLeaveOldRouterUnchangedWhenBindingAndUnbinding() {
        Router<String> old = bind(empty, "q1", "k");

        Router<String> more = bind(old, "q2", "k");
        Router<String> less = old.unbind("q1", "k", Map.of());

        assertThat(route(empty, "k")).isEmpty();
        assertThat(route(old, "k")).containsExactly("q1");
        assertThat(route(more, "k")).containsExactlyInAnyOrder("q1", "q2");
        assertThat(route(less, "k")).isEmpty();
        assertThat(old.size()).isEqualTo(1);
    }
}
