package io.warren.routing;

/**
 * Receives the destinations of one message.
 *
 * <p>A callback rather than a returned list, so that a route allocates nothing for its answer. It runs on the thread
 * that routes, inside {@link Router#route}.
 *
 * @param <D> the destination
 */
@FunctionalInterface
public interface RouteSink<D> {

    /** Takes one destination; within one route the same one may come several times. */
    void accept(D destination);
}
