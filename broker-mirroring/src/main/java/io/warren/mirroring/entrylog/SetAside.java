package io.warren.mirroring.entrylog;

import io.warren.core.message.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node held of a queue that goes on without it: kept in a file of its own until somebody puts it back or deletes it.
 *
 * @param name of the file, in the directory of the copies
 * @param queueId number of the queue, which may be deleted by now
 * @param messages those that were not settled, in the order of the queue
 */
public record SetAside(String name, long queueId, List<Message> messages) {

    public SetAside {
        messages = List.copyOf(messages);
    }

    /** Exchange and routing key of the first message, which tell people more than the number of a queue; null if there is none. */
    public @Nullable String firstAddress() {
        if (messages.isEmpty()) {
            return null;
        }
        Message first = messages.get(0);
        return "'" + first.exchange() + "' '" + first.routingKey() + "'";
    }
}
