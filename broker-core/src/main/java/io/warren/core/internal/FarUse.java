package io.warren.core.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a queue that lives here has to do with other nodes: channels there that use it, and queues there that its dead letters
 * have gone to. Most queues have none of this. Owned by the queue's mailbox.
 */
final class FarUse {

    private final Set<HomeChannel> channels = new HashSet<>();
    private final Set<RemoteQueue> deadLetterTargets = new HashSet<>();
    private final List<Runnable> afterFetch = new ArrayList<>();

    void used(HomeChannel channel) {
        channels.add(channel);
    }

    void unused(HomeChannel channel) {
        channels.remove(channel);
    }

    void sendsDeadLettersTo(RemoteQueue target) {
        deadLetterTargets.add(target);
    }

    void afterFetch(Runnable task) {
        afterFetch.add(task);
    }

    /** The head's body, which was on its way, has come. */
    void fetched() {
        if (!afterFetch.isEmpty()) {
            List<Runnable> waiting = List.copyOf(afterFetch);
            afterFetch.clear();
            waiting.forEach(Runnable::run);
        }
    }

    /** The queue is mirrored from now on, and has answered all it ever will. */
    void mirrored() {
        channels.forEach(HomeChannel::mirrored);
        channels.clear();
        afterFetch.clear();
    }

    /** No dead letter is under way any more. */
    void letGoOfTargets(QueueProcess queue) {
        deadLetterTargets.forEach(target -> target.sourceGone(queue));
        deadLetterTargets.clear();
    }

    /** This node leads the queue no more. */
    void reignEnded(QueueProcess queue) {
        channels.forEach(HomeChannel::silence);
        afterFetch.clear();
        letGoOfTargets(queue);
    }

    /** The queue was deleted. */
    void deleted(QueueProcess queue) {
        List.copyOf(channels).forEach(HomeChannel::queueGone);
        letGoOfTargets(queue);
    }
}
