package io.warren.core.metadata;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Commands about users. */
final class UserCommands {

    private UserCommands() {}

    static Outcome put(Definitions definitions, String name, @Nullable PasswordHash password, Set<String> tags) {
        User existing = definitions.user(name);
        User user = existing == null ? User.created(name, password, tags) : existing.with(password, tags);
        return Outcome.applied(definitions.withUsers(definitions.users().put(name, user)), List.of());
    }

    static Outcome delete(Definitions definitions, String name) {
        return change(definitions, name, null);
    }

    static Outcome setPermission(Definitions definitions, String name, String vhost, @Nullable Permission permission) {
        if (definitions.vhost(vhost) == null) {
            return Outcome.refused(definitions, Definitions.noVhost(vhost));
        }
        return change(
                definitions,
                name,
                user -> user.withPermissions(
                        permission == null
                                ? user.permissions().remove(vhost)
                                : user.permissions().put(vhost, permission)));
    }

    static Outcome setTopicPermission(
            Definitions definitions, String name, String vhost, String exchange, @Nullable TopicPermission permission) {
        if (definitions.vhost(vhost) == null) {
            return Outcome.refused(definitions, Definitions.noVhost(vhost));
        }
        User.TopicScope scope = new User.TopicScope(vhost, exchange);
        return change(
                definitions,
                name,
                user -> user.withTopicPermissions(
                        permission == null
                                ? user.topicPermissions().remove(scope)
                                : user.topicPermissions().put(scope, permission)));
    }

    private static Outcome change(Definitions definitions, String name, @Nullable UnaryOperator<User> change) {
        User user = definitions.user(name);
        if (user == null) {
            return Outcome.refused(
                    definitions, AmqpError.channel(ReplyCode.NOT_FOUND, "user '" + name + "' not found"));
        }
        if (change == null) {
            return Outcome.applied(
                    definitions.withUsers(definitions.users().remove(name)), List.of(new Change.UserDeleted(name)));
        }
        return Outcome.applied(definitions.withUsers(definitions.users().put(name, change.apply(user))), List.of());
    }
}
