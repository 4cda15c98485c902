package io.warren.routing;

/**
 * The destinations that one binding key (or one node of a topic trie) leads to, each with the bindings that lead there.
 *
 * <p>Bindings that differ in arguments only are several bindings but one destination to emit, and the destination goes
 * when the last of them goes. Immutable.
 *
 * @param <D> the destination
 * @param <B> what tells bindings to the same destination apart
 */
final class Destinations<D, B> {

    private static final Destinations<?, ?> NONE = new Destinations<>(PersistentMap.empty());

    /** No destination with an empty map of bindings in it. */
    private final PersistentMap<D, PersistentMap<B, Boolean>> bindings;

    private Destinations(PersistentMap<D, PersistentMap<B, Boolean>> bindings) {
        this.bindings = bindings;
    }

    @SuppressWarnings("unchecked")
    static <D, B> Destinations<D, B> none() {
        return (Destinations<D, B>) NONE;
    }

    /** With this binding too; this object if it is there already. */
    Destinations<D, B> with(D destination, B binding) {
        PersistentMap<B, Boolean> known = bindings.get(destination);
        PersistentMap<B, Boolean> before = known == null ? PersistentMap.empty() : known;
        if (before.containsKey(binding)) {
            return this;
        }
        return new Destinations<>(bindings.put(destination, before.put(binding, Boolean.TRUE)));
    }

    /** Without this binding; this object if it is not there. */
    Destinations<D, B> without(D destination, B binding) {
        PersistentMap<B, Boolean> before = bindings.get(destination);
        if (before == null || !before.containsKey(binding)) {
            return this;
        }
        PersistentMap<B, Boolean> after = before.remove(binding);
        return new Destinations<>(after.isEmpty() ? bindings.remove(destination) : bindings.put(destination, after));
    }

    boolean isEmpty() {
        return bindings.isEmpty();
    }

    /** Emits each destination once. */
    void emit(RouteSink<? super D> sink) {
        bindings.forEach((destination, same) -> sink.accept(destination));
    }
}
