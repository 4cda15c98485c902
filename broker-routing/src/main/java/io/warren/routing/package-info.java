/**
 * The four exchange types and their binding tables, as immutable values.
 *
 * <p><b>What is promised.</b> {@link io.warren.routing.Router} answers where a message goes exactly as RabbitMQ 3.10
 * does for direct, fanout, topic and headers exchanges (the differences that remain are listed at
 * {@link io.warren.routing.HeadersMatch}). Every change returns a new value; the old one stays as it was. A change
 * copies one path, never a table.
 *
 * <p><b>What is not.</b> A destination may be emitted several times for one message, and the order of destinations
 * means nothing. Nothing here knows of queues, virtual hosts or alternate exchanges: destinations are a type
 * parameter.
 *
 * <p><b>The obvious design and why it fails.</b> A mutable table behind a lock makes publishers wait for binders and
 * lets them see half of a command (an exchange gone, its bindings still there). Copying the table on every change
 * gives whole commands, but binding n keys one after the other then copies n * n / 2 entries: ten thousand bindings
 * copy fifty million. So the tables are tries that share structure: {@link io.warren.routing.PersistentMap} for the
 * keys, and a trie over words of such maps for topic patterns. A publisher reads one reference and works on one
 * consistent topology for as long as it likes.
 *
 * <p><b>Lemmas</b> that the tests cite.
 *
 * <ol>
 *   <li>Old values are unchanged: what a router answered before a change it answers after it.
 *   <li>bind then unbind of a binding that was absent leaves a router that routes as before, and holds no more memory.
 *   <li>A topic route visits a trie node at most once for each position in the routing key, however many {@code #}
 *       the patterns have: its work is at most (nodes) * (words + 1).
 *   <li>A map's shape depends on its contents only, not on the order of changes that led there.
 * </ol>
 *
 * <p>The package is pure but for {@link io.warren.routing.RouteCache}, the one class that uses Caffeine.
 */
@org.jspecify.annotations.NullMarked
package io.warren.routing;
