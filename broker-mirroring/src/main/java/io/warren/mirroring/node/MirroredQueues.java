package io.warren.mirroring.node;

import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MirrorStatus;
import io.warren.mirroring.transfer.Giver;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongFunction;

/** The mirrored queues of a state of the metadata, by virtual host and name. */
final class MirroredQueues {

    private MirroredQueues() {}

    /** @param given by a queue's number how far its slaves have been given what they lack */
    static List<MirroredQueue> of(Metadata metadata, LongFunction<List<Giver.Progress>> given) {
        List<MirroredQueue> found = new ArrayList<>();
        metadata.topology().vhosts().values().forEach(vhost -> vhost.queues()
                .values()
                .forEach(queue -> {
                    MirrorStatus copies = metadata.mirrors(queue.id());
                    if (copies != null) {
                        found.add(new MirroredQueue(vhost.name(), queue.name(), copies, given.apply(queue.id())));
                    }
                }));
        found.sort(Comparator.comparing(MirroredQueue::vhost).thenComparing(MirroredQueue::name));
        return found;
    }
}
