package io.warren.mirroring.node;

import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.VirtualHost;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The durable queues whose only copy lives at a node, as {@code vhost/name}, sorted: what is lost with it. */
public final class DurableQueues {

    private DurableQueues() {}

    public static List<String> of(String home, Definitions topology) {
        return of(home, topology, Set.of());
    }

    /** @param elsewhere ids of mirrored queues of which other nodes hold everything */
    static List<String> of(String home, Definitions topology, Set<Long> elsewhere) {
        return missing(home, topology, Definitions.initial(), elsewhere);
    }

    /** Those that another state of the topology does not have; one of the same name that was declared apart is another queue. */
    static List<String> missing(String home, Definitions topology, Definitions other) {
        return missing(home, topology, other, Set.of());
    }

    private static List<String> missing(String home, Definitions topology, Definitions other, Set<Long> elsewhere) {
        List<String> queues = new ArrayList<>();
        for (VirtualHost vhost : topology.vhosts().values()) {
            for (Queue queue : vhost.queues().values()) {
                boolean isItsOnly = home.equals(queue.definition().home())
                        && queue.definition().durable();
                if (isItsOnly && !elsewhere.contains(queue.id()) && !isIn(other.vhosts().get(vhost.name()), queue)) {
                    queues.add(vhost.name() + "/" + queue.name());
                }
            }
        }
        Collections.sort(queues);
        return queues;
    }

    private static boolean isIn(@Nullable VirtualHost vhost, Queue queue) {
        Queue there = vhost == null ? null : vhost.queues().get(queue.name());
        return there != null && there.id() == queue.id();
    }
}
