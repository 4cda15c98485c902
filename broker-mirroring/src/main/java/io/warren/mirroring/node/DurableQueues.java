package io.warren.mirroring.node;

import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.VirtualHost;
import io.warren.mirroring.metadata.Metadata;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The durable queues whose only copy lives at a node, as {@code vhost/name}, sorted: what is lost with it. */
public final class DurableQueues {

    private DurableQueues() {}

    /** As a state of the metadata knows them; of a queue that has a group, the group says who else holds it. */
    public static List<String> of(String home, Metadata metadata) {
        return select(home, metadata.topology(), queue -> metadata.mirrors(queue.id()) == null);
    }

    /** Those that another state of the topology does not have; one of the same name that was declared apart is another queue. */
    static List<String> missing(String home, Definitions topology, Definitions other) {
        Set<Long> there = new HashSet<>();
        for (VirtualHost vhost : other.vhosts().values()) {
            vhost.queues().values().forEach(queue -> there.add(queue.id()));
        }
        return select(home, topology, queue -> !there.contains(queue.id()));
    }

    private static List<String> select(String home, Definitions topology, Predicate<Queue> wanted) {
        List<String> queues = new ArrayList<>();
        for (VirtualHost vhost : topology.vhosts().values()) {
            for (Queue queue : vhost.queues().values()) {
                boolean isThere = home.equals(queue.definition().home());
                if (isThere && queue.definition().durable() && wanted.test(queue)) {
                    queues.add(vhost.name() + "/" + queue.name());
                }
            }
        }
        Collections.sort(queues);
        return queues;
    }
}
