package io.warren.examples.server;

import io.warren.mirroring.metadata.MirrorStatus;
import io.warren.mirroring.node.MirroredQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Mirrored queues as {@code cluster queues} prints them: one a line. */
final class QueueReport {

    private QueueReport() {}

    static String of(List<MirroredQueue> queues) {
        return queues.isEmpty()
                ? "no queue is mirrored"
                : queues.stream().map(QueueReport::line).collect(Collectors.joining("\n"));
    }

    private static String line(MirroredQueue queue) {
        MirrorStatus copies = queue.copies();
        String where = copies.master() == null
                ? "down, waits for " + String.join(" ", copies.recoverable())
                : "master " + copies.master() + " " + signs(copies) + ", slaves " + names(copies.slaves())
                        + ", in sync " + names(copies.inSync())
                        + synchronising(queue)
                        + (copies.takesPublishes() ? "" : ", too few in sync for publishes");
        return "vhost " + queue.vhost() + ", queue " + queue.name() + ": " + where;
    }

    /** As RabbitMQ's pages have it: slaves in sync, in blue, and those that are not, in red. */
    private static String signs(MirrorStatus copies) {
        List<String> signs = new ArrayList<>();
        if (!copies.inSync().isEmpty() || copies.slaves().isEmpty()) {
            signs.add("+" + copies.inSync().size());
        }
        if (copies.unsynchronisedCount() > 0) {
            signs.add("+" + copies.unsynchronisedCount() + " unsynchronised");
        }
        return String.join(" ", signs);
    }

    /** Known at the master's node only. */
    private static String synchronising(MirroredQueue queue) {
        return queue.synchronising().stream()
                .map(each -> ", synchronising " + each.node() + ": " + each.given() + " of " + each.all() + " messages")
                .collect(Collectors.joining());
    }

    private static String names(List<String> nodes) {
        return nodes.isEmpty() ? "none" : String.join(" ", nodes);
    }
}
