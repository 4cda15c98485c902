package io.warren.management.definitions;

import io.warren.core.Administration;
import io.warren.core.error.AmqpException;
import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Binding;
import io.warren.core.metadata.Command;
import io.warren.core.metadata.Destination;
import io.warren.core.metadata.Exchange;
import io.warren.core.metadata.ExchangeDefinition;
import io.warren.core.metadata.ExchangeType;
import io.warren.core.metadata.PasswordHash;
import io.warren.core.metadata.Policy;
import io.warren.core.metadata.QueueDefinition;
import io.warren.core.metadata.VirtualHost;
import io.warren.routing.HeadersMatch;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One import of definitions: each object becomes a command, in the order in which they need one another. */
final class DefinitionsImport {

    /** Four bytes of salt and a digest of 128 bits: how RabbitMQ hashed before it said how. */
    private static final int MD5_BYTES = 20;

    private final Administration administration;
    private final JsonObject all;
    private final List<String> refused = new ArrayList<>();
    private final Set<String> ignored = new LinkedHashSet<>();

    DefinitionsImport(Administration administration, JsonObject all) {
        this.administration = administration;
        this.all = all;
    }

    ImportReport run() {
        each("users", this::user);
        each("vhosts", this::vhost);
        each("permissions", this::permission);
        each("topic_permissions", this::topicPermission);
        each("parameters", this::parameter);
        each("global_parameters", this::globalParameter);
        each("policies", policy -> administration.setPolicy(policy.text("vhost"), policy(policy, policy)));
        each("queues", this::queue);
        each("exchanges", this::exchange);
        each("bindings", this::binding);
        return new ImportReport(refused, List.copyOf(ignored));
    }

    private void each(String kind, Consumer<JsonObject> imported) {
        for (JsonObject object : all.objects(kind)) {
            try {
                imported.accept(object);
            } catch (AmqpException refusal) {
                refused.add(object.place() + ": " + refusal.error().text());
            } catch (IllegalArgumentException mistaken) {
                // PatternSyntaxException is one as well: its text has several lines.
                String reason = String.valueOf(mistaken.getMessage())
                        .lines()
                        .findFirst()
                        .orElse("");
                refused.add(reason.startsWith(object.place()) ? reason : object.place() + ": " + reason);
            }
        }
    }

    private void ignore(JsonObject object, String what) {
        ignored.add(object.place() + ": " + what);
    }

    // ---- users

    private void user(JsonObject user) {
        Set<String> tags = tags(user);
        if (!user.table("limits").isEmpty()) {
            ignore(user, "limits of users");
        }
        if (user.has("password")) {
            administration.putUser(user.text("name"), user.text("password"), tags.toArray(String[]::new));
        } else {
            administration.apply(new Command.PutUser(user.text("name"), password(user), tags));
        }
    }

    /** An array, or as before RabbitMQ 3.9 a text with commas. */
    private static Set<String> tags(JsonObject user) {
        if (user.has("tags") && !user.isArray("tags")) {
            String[] tags = user.text("tags").split("\\s*,\\s*");
            return tags.length == 1 && tags[0].isEmpty() ? Set.of() : Set.copyOf(List.of(tags));
        }
        Set<String> tags = new LinkedHashSet<>();
        user.array("tags").forEach(tag -> tags.add(String.valueOf(tag)));
        return tags;
    }

    private static @Nullable PasswordHash password(JsonObject user) {
        String hash = user.text("password_hash", "");
        return hash.isEmpty() ? null : new PasswordHash(algorithm(user, hash), hash);
    }

    /** Old files do not name it, but only MD5 is so short. */
    private static PasswordHash.Algorithm algorithm(JsonObject user, String hash) {
        if (user.has("hashing_algorithm")) {
            return PasswordHash.Algorithm.named(user.text("hashing_algorithm"));
        }
        return Base64.getDecoder().decode(hash).length == MD5_BYTES
                ? PasswordHash.Algorithm.MD5
                : PasswordHash.Algorithm.SHA256;
    }

    private void permission(JsonObject permission) {
        administration.setPermissions(
                permission.text("vhost"),
                permission.text("user"),
                permission.text("configure"),
                permission.text("write"),
                permission.text("read"));
    }

    private void topicPermission(JsonObject permission) {
        administration.setTopicPermissions(
                permission.text("vhost"),
                permission.text("user"),
                permission.text("exchange"),
                permission.text("write"),
                permission.text("read"));
    }

    // ---- virtual hosts, policies and parameters

    private void vhost(JsonObject vhost) {
        administration.apply(new Command.PutVhost(vhost.text("name")));
        JsonObject metadata = vhost.object("metadata");
        if (!metadata.text("description", "").isEmpty()
                || !metadata.array("tags").isEmpty()) {
            ignore(vhost, "descriptions and tags of virtual hosts");
        }
    }

    private void parameter(JsonObject parameter) {
        String component = parameter.text("component");
        if (component.equals("operator_policy")) {
            administration.setOperatorPolicy(parameter.text("vhost"), policy(parameter, parameter.object("value")));
        } else {
            ignore(parameter, "parameters of '" + component + "'");
        }
    }

    private void globalParameter(JsonObject parameter) {
        ignore(parameter, "global parameter '" + parameter.text("name") + "'");
    }

    private static Policy policy(JsonObject named, JsonObject value) {
        return new Policy(
                named.text("name"),
                value.text("pattern"),
                appliesTo(value.text("apply-to", "all")),
                (int) value.number("priority", 0),
                value.table("definition"));
    }

    private static Policy.AppliesTo appliesTo(String argument) {
        for (Policy.AppliesTo kind : Policy.AppliesTo.values()) {
            if (kind.argument().equals(argument)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("'apply-to' cannot be '" + argument + "'");
    }

    // ---- exchanges, queues, bindings

    private void queue(JsonObject queue) {
        FieldTable arguments = queue.table("arguments");
        if (!arguments.has("x-queue-type") && !queue.text("type", "classic").equals("classic")) {
            arguments = arguments.with("x-queue-type", queue.text("type"));
        }
        String vhost = queue.text("vhost");
        String name = queue.text("name");
        VirtualHost existing = administration.definitions().vhost(vhost);
        if (existing == null || existing.queue(name) == null) {
            administration.declareQueue(
                    vhost,
                    new QueueDefinition(
                            name, queue.truth("durable", true), queue.truth("auto_delete", false), null, arguments));
        }
    }

    private void exchange(JsonObject exchange) {
        String vhost = exchange.text("vhost");
        String name = exchange.text("name");
        ExchangeType type = ExchangeType.named(exchange.text("type"));
        if (type == null) {
            throw new IllegalArgumentException("unknown exchange type '" + exchange.text("type") + "'");
        }
        VirtualHost existing = administration.definitions().vhost(vhost);
        if (existing == null || existing.exchange(name) == null) {
            administration.apply(new Command.DeclareExchange(
                    vhost,
                    new ExchangeDefinition(
                            name,
                            type,
                            exchange.truth("durable", true),
                            exchange.truth("auto_delete", false),
                            exchange.truth("internal", false),
                            exchange.table("arguments"))));
        }
    }

    private void binding(JsonObject binding) {
        String vhost = binding.text("vhost");
        String destination = binding.text("destination");
        Binding added = new Binding(
                binding.text("source"),
                binding.text("destination_type").equals("queue")
                        ? Destination.queue(destination)
                        : Destination.exchange(destination),
                binding.text("routing_key"),
                binding.table("arguments"));
        if (added.source().isEmpty()) {
            throw new IllegalArgumentException("nothing can be bound to the default exchange");
        }
        String invalid = invalidMatch(vhost, added);
        if (invalid != null) {
            throw new IllegalArgumentException(invalid);
        }
        administration.apply(new Command.Bind(vhost, added));
    }

    private @Nullable String invalidMatch(String vhostName, Binding binding) {
        VirtualHost vhost = administration.definitions().vhost(vhostName);
        Exchange source = vhost == null ? null : vhost.exchange(binding.source());
        return source == null || source.definition().type() != ExchangeType.HEADERS
                ? null
                : HeadersMatch.invalidReason(binding.arguments().asMap());
    }
}
