package io.warren.management.definitions;

import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Binding;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Destination;
import io.warren.core.metadata.Exchange;
import io.warren.core.metadata.PasswordHash;
import io.warren.core.metadata.Policy;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.User;
import io.warren.core.metadata.VirtualHost;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * A topology as the values of RabbitMQ's definitions; keys and objects in the order of their names, so that two exports
 * of the same differ in nothing.
 */
final class DefinitionsExport {

    /** The RabbitMQ whose format it is: who imports it looks at that. */
    private static final String RABBITMQ_VERSION = "3.10.8";

    /** Every virtual host has exchanges of these names from the start. */
    private static final String PREDECLARED = "amq.";

    private final Map<String, Object> all = new TreeMap<>();

    private DefinitionsExport() {}

    static Map<String, Object> of(Definitions definitions) {
        DefinitionsExport export = new DefinitionsExport();
        export.all.put("rabbit_version", RABBITMQ_VERSION);
        export.all.put("rabbitmq_version", RABBITMQ_VERSION);
        export.all.put("global_parameters", List.of());
        List<User> users = sorted(definitions.users().values(), User::name);
        List<VirtualHost> vhosts = sorted(definitions.vhosts().values(), VirtualHost::name);
        export.put("users", users, user -> List.of(user(user)));
        export.put("permissions", users, DefinitionsExport::permissions);
        export.put("topic_permissions", users, DefinitionsExport::topicPermissions);
        export.put("vhosts", vhosts, vhost -> List.of(vhost(vhost)));
        export.put("policies", vhosts, DefinitionsExport::policies);
        export.put("parameters", vhosts, DefinitionsExport::operatorPolicies);
        export.put("queues", vhosts, DefinitionsExport::queues);
        export.put("exchanges", vhosts, DefinitionsExport::exchanges);
        export.put("bindings", vhosts, DefinitionsExport::bindings);
        return export.all;
    }

    private static <T> List<T> sorted(Iterable<T> values, Function<T, String> name) {
        List<T> sorted = new ArrayList<>();
        values.forEach(sorted::add);
        sorted.sort(Comparator.comparing(name));
        return sorted;
    }

    private <T> void put(String kind, List<T> from, Function<T, List<Map<String, Object>>> objects) {
        all.put(kind, from.stream().map(objects).flatMap(List::stream).toList());
    }

    private static Map<String, Object> fields(Object... namesAndValues) {
        Map<String, Object> fields = new TreeMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }

    // ---- users

    private static Map<String, Object> user(User user) {
        PasswordHash password = user.password();
        return fields(
                "name",
                user.name(),
                "tags",
                List.copyOf(new TreeSet<>(user.tags())),
                "limits",
                Map.of(),
                "hashing_algorithm",
                (password == null ? PasswordHash.Algorithm.SHA256 : password.algorithm()).algorithmName(),
                "password_hash",
                password == null ? "" : password.base64());
    }

    private static List<Map<String, Object>> permissions(User user) {
        return sorted(user.permissions().keys(), Function.identity()).stream()
                .map(vhost -> {
                    var permission = user.permissions().get(vhost);
                    return permission == null
                            ? fields()
                            : fields(
                                    "user", user.name(),
                                    "vhost", vhost,
                                    "configure", permission.configure(),
                                    "write", permission.write(),
                                    "read", permission.read());
                })
                .toList();
    }

    private static List<Map<String, Object>> topicPermissions(User user) {
        return sorted(user.topicPermissions().keys(), User.TopicScope::toString).stream()
                .map(scope -> {
                    var permission = user.topicPermissions().get(scope);
                    return permission == null
                            ? fields()
                            : fields(
                                    "user", user.name(),
                                    "vhost", scope.vhost(),
                                    "exchange", scope.exchange(),
                                    "write", permission.write(),
                                    "read", permission.read());
                })
                .toList();
    }

    // ---- virtual hosts and policies

    private static Map<String, Object> vhost(VirtualHost vhost) {
        return fields(
                "name", vhost.name(), "limits", List.of(), "metadata", fields("description", "", "tags", List.of()));
    }

    private static List<Map<String, Object>> policies(VirtualHost vhost) {
        return sorted(vhost.policies().values(), Policy::name).stream()
                .map(policy -> {
                    Map<String, Object> fields = policy(policy);
                    fields.put("name", policy.name());
                    fields.put("vhost", vhost.name());
                    return fields;
                })
                .toList();
    }

    private static List<Map<String, Object>> operatorPolicies(VirtualHost vhost) {
        return sorted(vhost.operatorPolicies().values(), Policy::name).stream()
                .map(policy -> fields(
                        "component",
                        "operator_policy",
                        "name",
                        policy.name(),
                        "vhost",
                        vhost.name(),
                        "value",
                        policy(policy)))
                .toList();
    }

    private static Map<String, Object> policy(Policy policy) {
        return fields(
                "pattern",
                policy.pattern(),
                "apply-to",
                policy.appliesTo().argument(),
                "priority",
                policy.priority(),
                "definition",
                sorted(policy.definition()));
    }

    private static Map<String, Object> sorted(FieldTable table) {
        return new TreeMap<>(table.asMap());
    }

    // ---- exchanges, queues, bindings

    private static List<Map<String, Object>> queues(VirtualHost vhost) {
        return sorted(vhost.queues().values(), Queue::name).stream()
                .map(Queue::definition)
                .filter(queue -> !queue.isExclusive())
                .map(queue -> fields(
                        "name",
                        queue.name(),
                        "vhost",
                        vhost.name(),
                        "durable",
                        queue.durable(),
                        "auto_delete",
                        queue.autoDelete(),
                        "type",
                        "classic",
                        "arguments",
                        sorted(queue.arguments())))
                .toList();
    }

    private static List<Map<String, Object>> exchanges(VirtualHost vhost) {
        return sorted(vhost.exchanges().values(), Exchange::name).stream()
                .map(Exchange::definition)
                .filter(exchange -> !isPredeclared(exchange.name()))
                .map(exchange -> {
                    Map<String, Object> fields = fields(
                            "name",
                            exchange.name(),
                            "vhost",
                            vhost.name(),
                            "type",
                            exchange.type().typeName(),
                            "durable",
                            exchange.durable(),
                            "auto_delete",
                            exchange.autoDelete(),
                            "arguments",
                            sorted(exchange.arguments()));
                    // RabbitMQ 3.10 leaves internal exchanges out, and their bindings in; it takes them from a file.
                    if (exchange.internal()) {
                        fields.put("internal", true);
                    }
                    return fields;
                })
                .toList();
    }

    private static boolean isPredeclared(String exchange) {
        return exchange.isEmpty() || exchange.startsWith(PREDECLARED);
    }

    private static List<Map<String, Object>> bindings(VirtualHost vhost) {
        List<Map<String, Object>> bindings = new ArrayList<>();
        for (Exchange exchange : sorted(vhost.exchanges().values(), Exchange::name)) {
            for (Binding binding : sorted(exchange.bindings().keys(), Binding::toString)) {
                if (!leadsToExclusive(vhost, binding.destination())) {
                    bindings.add(binding(vhost, binding));
                }
            }
        }
        return bindings;
    }

    private static boolean leadsToExclusive(VirtualHost vhost, Destination destination) {
        Queue queue = destination.kind() == Destination.Kind.QUEUE ? vhost.queue(destination.name()) : null;
        return queue != null && queue.definition().isExclusive();
    }

    private static Map<String, Object> binding(VirtualHost vhost, Binding binding) {
        return fields(
                "source",
                binding.source(),
                "vhost",
                vhost.name(),
                "destination",
                binding.destination().name(),
                "destination_type",
                binding.destination().kind() == Destination.Kind.QUEUE ? "queue" : "exchange",
                "routing_key",
                binding.key(),
                "arguments",
                sorted(binding.arguments()));
    }
}
