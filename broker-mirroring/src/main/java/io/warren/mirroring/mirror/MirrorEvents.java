package io.warren.mirroring.mirror;

import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whoever asked, and the log, what becomes of the copies of mirrored queues. Thread-safe.
 *
 * <p>Every node tells its listeners of every queue; to the log, in RabbitMQ's words, the master's node says it, and of a queue that is down all.
 */
final class MirrorEvents {
    private static final Logger LOG = LoggerFactory.getLogger("io.warren.mirroring.mirror");

    private final List<Consumer<MirrorEvent>> listeners = new CopyOnWriteArrayList<>();

    void listen(Consumer<MirrorEvent> listener) {
        listeners.add(listener);
    }

    /** A queue's group has another view. */
    void onView(MirroredHome home, @Nullable View before, View now, @Nullable Member self) {
        List<MirrorEvent> events =
                ViewChanges.between(home.vhost(), home.queue().name(), before, now);
        Member master = now.master();
        boolean isLogged = master == null || master.equals(self);
        for (MirrorEvent event : events) {
            if (isLogged) {
                log(event, before == null);
            }
            tell(event);
        }
    }

    /** The master here had to do without messages. */
    void onLost(Mirror.Place place, String node, long messages) {
        LOG.warn(
                "Mirrored queue '{}' in vhost '{}': {} messages are lost, which the promoted mirror did not hold",
                place.queue().name(),
                place.vhost(),
                messages < 0 ? "all" : messages);
        tell(new MirrorEvent.MessagesLost(place.vhost(), place.queue().name(), node, messages));
    }

    private void tell(MirrorEvent event) {
        listeners.forEach(listener -> listener.accept(event));
    }

    private static void log(MirrorEvent event, boolean isFirst) {
        String text = "Mirrored queue '{}' in vhost '{}': ";
        if (event instanceof MirrorEvent.Joined joined) {
            LOG.info(text + "Adding mirror on node {}", event.queue(), event.vhost(), joined.node());
        } else if (event instanceof MirrorEvent.Left left) {
            LOG.info(text + "Dropping queue mirror on node {}", event.queue(), event.vhost(), left.node());
        } else if (event instanceof MirrorEvent.InSync inSync) {
            LOG.info(text + "mirror on node {} is synchronised", event.queue(), event.vhost(), inSync.node());
        } else if (event instanceof MirrorEvent.Lagging lagging) {
            LOG.warn(
                    text + "mirror on node {} is not synchronised any more",
                    event.queue(),
                    event.vhost(),
                    lagging.node());
        } else if (event instanceof MirrorEvent.Promoted promoted) {
            if (!isFirst) {
                LOG.info(text + "Promoting mirror on node {} to leader", event.queue(), event.vhost(), promoted.node());
            }
        } else if (event instanceof MirrorEvent.PromotedUnsynchronised promoted) {
            LOG.warn(
                    text + "the mirror on node {} that is promoted is not synchronised",
                    event.queue(),
                    event.vhost(),
                    promoted.node());
        } else if (event instanceof MirrorEvent.Down down) {
            LOG.warn(
                    text + "no synchronised mirror is available; it waits for one of {}",
                    event.queue(),
                    event.vhost(),
                    down.waitsFor());
        }
    }
}
