package io.warren.core.metadata;

import io.warren.routing.PersistentMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A user: how it proves itself, its tags, and what it may do where.
 *
 * @param password null for a user that cannot log in with one
 * @param permissions by virtual host
 * @param topicPermissions by virtual host and exchange
 */
public record User(
        String name,
        @Nullable PasswordHash password,
        Set<String> tags,
        PersistentMap<String, Permission> permissions,
        PersistentMap<TopicScope, TopicPermission> topicPermissions) {

    /** One topic exchange of a virtual host. */
    public record TopicScope(String vhost, String exchange) {}

    public User {
        tags = Set.copyOf(tags);
    }

    static User created(String name, @Nullable PasswordHash password, Set<String> tags) {
        return new User(name, password, tags, PersistentMap.empty(), PersistentMap.empty());
    }

    User with(@Nullable PasswordHash newPassword, Set<String> newTags) {
        return new User(name, newPassword, newTags, permissions, topicPermissions);
    }

    User withPermissions(PersistentMap<String, Permission> changed) {
        return new User(name, password, tags, changed, topicPermissions);
    }

    User withTopicPermissions(PersistentMap<TopicScope, TopicPermission> changed) {
        return new User(name, password, tags, permissions, changed);
    }

    /** Whether it may use the virtual host at all. */
    public boolean mayAccess(String vhost) {
        return permissions.containsKey(vhost);
    }

    public boolean may(Permission.Operation operation, String vhost, String objectName) {
        Permission permission = permissions.get(vhost);
        return permission != null && permission.allows(operation, objectName);
    }

    /** Without a topic permission for the exchange every key is allowed. */
    public boolean mayUseKey(Permission.Operation operation, String vhost, String exchange, String routingKey) {
        TopicPermission permission = topicPermissions.get(new TopicScope(vhost, exchange));
        return permission == null || permission.allows(operation, routingKey, name, vhost);
    }
}
