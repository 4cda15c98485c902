package io.warren.mirroring.node;

import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MirrorStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The mirrored queues of a state of the metadata, by virtual host and name. */
final class MirroredQueues {

    private MirroredQueues() {}

    static List<MirroredQueue> of(Metadata metadata) {
        List<MirroredQueue> found = new ArrayList<>();
        metadata.topology().vhosts().values().forEach(vhost -> vhost.queues()
                .values()
                .forEach(queue -> {
                    MirrorStatus copies = metadata.mirrors(queue.id());
                    if (copies != null) {
                        found.add(new MirroredQueue(vhost.name(), queue.name(), copies));
                    }
                }));
        found.sort(Comparator.comparing(MirroredQueue::vhost).thenComparing(MirroredQueue::name));
        return found;
    }
}
