package io.warren.mirroring.node;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.message.Message;
import io.warren.mirroring.entrylog.SetAside;
import io.warren.mirroring.mirror.Copies;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a node's operator does with copies that were set aside. */
final class SetsAside {
    private static final Logger LOG = LoggerFactory.getLogger("io.warren.mirroring.node");
    /** So many are confirmed at a time. */
    private static final int WINDOW = 1_000;

    private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(60);

    private final Copies copies;

    SetsAside(Copies copies) {
        this.copies = copies;
    }

    List<SetAside> all() {
        try {
            return copies.setAside();
        } catch (IOException unreadable) {
            throw new IllegalStateException(
                    "what was set aside cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    void delete(String name) {
        try {
            copies.deleteAside(name);
            LOG.info("what was set aside as '{}' is deleted", name);
        } catch (IOException refused) {
            throw new IllegalStateException("cannot be deleted: " + refused.getMessage(), refused);
        }
    }

    int putBack(String name, Broker broker, String vhost, String queue) {
        SetAside set = find(name);
        try (Connection connection = broker.connect(vhost);
                Channel channel = connection.openChannel()) {
            channel.confirmSelect();
            int published = 0;
            for (Message message : set.messages()) {
                channel.publish("", queue, message.properties(), message.body());
                if (++published % WINDOW == 0) {
                    awaitConfirmed(channel, name, queue);
                }
            }
            awaitConfirmed(channel, name, queue);
        }
        delete(name);
        return set.messages().size();
    }

    private SetAside find(String name) {
        List<SetAside> all = all();
        return all.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("nothing was set aside as '" + name + "'; there are "
                        + all.stream().map(SetAside::name).toList()));
    }

    private static void awaitConfirmed(Channel channel, String name, String queue) {
        if (!channel.waitForConfirms(CONFIRM_TIMEOUT)) {
            throw new IllegalStateException("queue '" + queue + "' refused messages of '" + name
                    + "', which is kept; others of it may be in the queue");
        }
    }
}
