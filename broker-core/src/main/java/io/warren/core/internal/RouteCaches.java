package io.warren.core.internal;

import io.warren.core.metadata.Destination;
import io.warren.core.metadata.Exchange;
import io.warren.core.metadata.ExchangeType;
import io.warren.core.metadata.MessageRouting.Bindings;
import io.warren.routing.RouteCache;
import io.warren.routing.Router;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The route caches of the topic exchanges, one for each exchange that was routed through; none at all unless asked for.
 *
 * <p>A cache belongs to one value of an exchange's bindings. When a message meets another value, a new cache takes the
 * place of the old one, so that no answer outlives the bindings it came from. Any thread routes.
 */
final class RouteCaches {

    private final int limit;
    private final Map<ScopedName, RouteCache<Destination>> caches = new ConcurrentHashMap<>();

    /**
     * @param limit routes for each exchange, or 0 for no caches
     */
    RouteCaches(int limit) {
        this.limit = limit;
    }

    /** How to follow the bindings of this virtual host's exchanges. */
    Bindings bindingsOf(String vhost) {
        if (limit == 0) {
            return Bindings.UNCACHED;
        }
        return (exchange, key, headers, sink) -> {
            if (exchange.definition().type() == ExchangeType.TOPIC) {
                cache(vhost, exchange).route(key, headers, sink);
            } else {
                Bindings.UNCACHED.follow(exchange, key, headers, sink);
            }
        };
    }

    @SuppressWarnings("ReferenceEquality") // a router is an immutable value: another object, other bindings
    private RouteCache<Destination> cache(String vhost, Exchange exchange) {
        ScopedName name = new ScopedName(vhost, exchange.name());
        Router<Destination> router = exchange.router();
        RouteCache<Destination> cache = caches.get(name);
        if (cache == null || cache.router() != router) {
            cache = new RouteCache<>(router, limit);
            caches.put(name, cache);
        }
        return cache;
    }

    /** The exchange is gone. */
    void forget(String vhost, String exchange) {
        caches.remove(new ScopedName(vhost, exchange));
    }
}
