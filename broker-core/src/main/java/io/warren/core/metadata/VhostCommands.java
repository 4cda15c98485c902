package io.warren.core.metadata;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.routing.PersistentMap;
import java.util.ArrayList;
import java.util.List;

/** Commands about virtual hosts as a whole. */
final class VhostCommands {

    private VhostCommands() {}

    static Outcome put(Definitions definitions, String name) {
        if (definitions.vhost(name) != null) {
            return Outcome.applied(definitions, List.of());
        }
        return Outcome.applied(definitions.withVhost(VirtualHost.created(name)), List.of());
    }

    static Outcome delete(Definitions definitions, String name) {
        VirtualHost vhost = definitions.vhost(name);
        if (vhost == null) {
            return Outcome.refused(definitions, AmqpError.channel(ReplyCode.NOT_FOUND, "vhost " + name + " not found"));
        }
        List<Change> changes = new ArrayList<>();
        queuesGone(vhost, changes);
        changes.add(new Change.VhostDeleted(name));
        return Outcome.applied(
                definitions.withoutVhost(name).withUsers(withoutPermissionsIn(definitions.users(), name)), changes);
    }

    private static void queuesGone(VirtualHost vhost, List<Change> changes) {
        for (Queue queue : vhost.queues().values()) {
            changes.add(new Change.QueueDeleted(vhost.name(), queue));
        }
    }

    private static PersistentMap<String, User> withoutPermissionsIn(PersistentMap<String, User> users, String vhost) {
        PersistentMap<String, User> changed = users;
        for (User user : users.values()) {
            PersistentMap<User.TopicScope, TopicPermission> topics = user.topicPermissions();
            for (User.TopicScope scope : user.topicPermissions().keys()) {
                topics = scope.vhost().equals(vhost) ? topics.remove(scope) : topics;
            }
            changed = changed.put(
                    user.name(),
                    user.withPermissions(user.permissions().remove(vhost)).withTopicPermissions(topics));
        }
        return changed;
    }

    static Outcome reset(Definitions definitions) {
        List<Change> changes = new ArrayList<>();
        Definitions changed = definitions;
        for (VirtualHost vhost : definitions.vhosts().values()) {
            queuesGone(vhost, changes);
            for (Exchange exchange : vhost.exchanges().values()) {
                changes.add(new Change.ExchangeDeleted(vhost.name(), exchange.name()));
            }
            changed = changed.withVhost(VirtualHost.created(vhost.name()));
        }
        return Outcome.applied(changed, changes);
    }
}
