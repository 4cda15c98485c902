package io.warren.mirroring.topology;

import io.warren.core.metadata.Change;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Outcome;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.VirtualHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What a running broker must act on when its topology has moved on by commands that it was not told one by one. A queue is the same if its
 * id is: one of the same name that was deleted and declared again is another.
 */
final class Differences {

    private Differences() {}

    static Outcome between(Definitions before, Definitions after) {
        List<Change> changes = new ArrayList<>();
        for (VirtualHost vhost : before.vhosts().values()) {
            VirtualHost now = after.vhosts().get(vhost.name());
            for (Queue queue : vhost.queues().values()) {
                Queue present = now == null ? null : now.queues().get(queue.name());
                if (present == null || present.id() != queue.id()) {
                    changes.add(new Change.QueueDeleted(vhost.name(), queue));
                } else {
                    sameQueue(vhost.name(), queue, present, changes);
                }
            }
            for (String exchange : vhost.exchanges().keys()) {
                if (now == null || !now.exchanges().containsKey(exchange)) {
                    changes.add(new Change.ExchangeDeleted(vhost.name(), exchange));
                }
            }
            if (now == null) {
                changes.add(new Change.VhostDeleted(vhost.name()));
            }
        }
        for (String user : before.users().keys()) {
            if (!after.users().containsKey(user)) {
                changes.add(new Change.UserDeleted(user));
            }
        }
        declared(before, after, changes);
        return new Outcome(after, null, changes);
    }

    private static void sameQueue(String vhost, Queue then, Queue now, List<Change> changes) {
        if (!now.settings().equals(then.settings()) || !Objects.equals(now.policy(), then.policy())) {
            changes.add(new Change.QueueSettingsChanged(vhost, now));
        }
        if (!Objects.equals(now.definition().home(), then.definition().home())) {
            changes.add(new Change.QueueMoved(vhost, now));
        }
    }

    private static void declared(Definitions before, Definitions after, List<Change> changes) {
        for (VirtualHost vhost : after.vhosts().values()) {
            VirtualHost then = before.vhosts().get(vhost.name());
            for (Queue queue : vhost.queues().values()) {
                Queue known = then == null ? null : then.queues().get(queue.name());
                if (known == null || known.id() != queue.id()) {
                    changes.add(new Change.QueueDeclared(vhost.name(), queue));
                }
            }
        }
    }
}
