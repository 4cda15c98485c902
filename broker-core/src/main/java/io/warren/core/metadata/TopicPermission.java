package io.warren.core.metadata;

/**
 * Which routing keys a user may use on one topic exchange; {@code {username}} and {@code {vhost}} stand for their values.
 *
 * @param write keys it may publish with
 * @param read keys it may bind with
 */
public record TopicPermission(String write, String read) {

    boolean allows(Permission.Operation operation, String routingKey, String user, String vhost) {
        String expression = operation == Permission.Operation.WRITE ? write : read;
        String expanded = expression.replace("{username}", user).replace("{vhost}", vhost);
        return Permission.compile(expanded).matcher(routingKey).find();
    }
}
