package io.warren.routing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Short ways to bind and route in tests. */
final class Routes {

    private Routes() {}

    /** Every destination emitted, repetitions included. */
    static <D> List<D> route(Router<D> router, String routingKey) {
        return route(router, routingKey, Map.of());
    }

    static <D> List<D> route(Router<D> router, String routingKey, Map<String, ?> headers) {
        List<D> emitted = new ArrayList<>();
        router.route(routingKey, headers, emitted::add);
        return emitted;
    }

    static Router<String> bind(Router<String> router, String destination, String bindingKey) {
        return router.bind(destination, bindingKey, Map.of());
    }

    /** A table in the order given; unlike Map.of it takes null for void. */
    static Map<String, @Nullable Object> table(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> table = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            table.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return table;
    }
}
