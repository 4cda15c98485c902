package io.warren.routing;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Remembers, for one {@link Router} value, where the last routing keys led.
 *
 * <p>Worth having where few keys meet many wildcard patterns. A miss costs more than the trie alone, so the cache turns
 * itself off where keys do not repeat: lookups are counted in windows, each ending with the miss that makes as many
 * misses as the limit allows entries, at least {@link #WINDOW_MISSES}. The first window fills the cache and is not
 * judged; the first later one with fewer hits than misses (a hit rate below 50 %) ends the caching for good, and every
 * message goes to the router again.
 *
 * <p>It belongs to one immutable router: a changed exchange has a new router and takes a new cache, so nothing is ever
 * invalidated. A headers exchange does not route by key; its cache is off from the start. Limit: one unit for each key
 * and each destination of it, as given on creation; beyond it Caffeine drops the keys of least use, or refuses new ones.
 *
 * <p>Any thread may route. Caffeine's upkeep runs in the calling thread, so a seeded run has no thread beside its
 * own. Which keys Caffeine keeps at the limit is partly chance; where a message goes never depends on it.
 *
 * @param <D> the destination
 */
public final class RouteCache<D> {

    /** Fewest misses in a window. Below about a thousand, a burst of new keys would count for a habit. */
    static final int WINDOW_MISSES = 1_024;

    private final Router<D> router;
    private final int windowMisses;

    /** Since creation. */
    private final AtomicLong misses = new AtomicLong();

    /** In this window. */
    private final LongAdder hits = new LongAdder();

    /** Null when off. An array holds each destination once. */
    private volatile @Nullable Cache<String, Object[]> destinationsOfKey;

    /**
     * A cache in front of this router.
     *
     * @param limit most keys and destinations of keys, counted together, that are kept; above zero
     */
    public RouteCache(Router<D> router, int limit) {
        if (limit <= 0) {
            throw new IllegalArgumentException("limit=" + limit + ", expected above 0");
        }
        this.router = router;
        this.windowMisses = Math.max(limit, WINDOW_MISSES);
        this.destinationsOfKey = router instanceof HeadersRouter ? null : newCache(limit);
    }

    private static Cache<String, Object[]> newCache(int limit) {
        return Caffeine.newBuilder()
                .maximumWeight(limit)
                .weigher((String key, Object[] destinations) -> 1 + destinations.length)
                .executor(Runnable::run)
                .build();
    }

    /** The router whose answers these are; a cache for another router value is another cache. */
    public Router<D> router() {
        return router;
    }

    /** Whether it still remembers anything; once off it stays off. */
    public boolean isOn() {
        return destinationsOfKey != null;
    }

    /** As {@link Router#route}. */
    public void route(String routingKey, Map<String, ?> headers, RouteSink<? super D> sink) {
        Cache<String, Object[]> cache = destinationsOfKey;
        if (cache == null) {
            router.route(routingKey, headers, sink);
            return;
        }
        Object[] destinations = cache.getIfPresent(routingKey);
        if (destinations == null) {
            destinations = resolve(routingKey, headers);
            cache.put(routingKey, destinations);
            onMiss();
        } else {
            hits.increment();
        }
        emit(destinations, sink);
    }

    private Object[] resolve(String routingKey, Map<String, ?> headers) {
        Set<D> once = new LinkedHashSet<>();
        router.route(routingKey, headers, once::add);
        return once.toArray();
    }

    private void onMiss() {
        long count = misses.incrementAndGet();
        if (count % windowMisses != 0) {
            return;
        }
        long windowHits = hits.sumThenReset();
        boolean isFirstWindow = count == windowMisses;
        if (!isFirstWindow && windowHits < windowMisses) {
            destinationsOfKey = null;
        }
    }

    @SuppressWarnings("unchecked")
    private static <D> void emit(Object[] destinations, RouteSink<? super D> sink) {
        for (Object destination : destinations) {
            sink.accept((D) destination);
        }
    }
}
