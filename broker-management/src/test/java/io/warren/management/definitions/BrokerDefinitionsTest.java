package io.warren.management.definitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.Credentials;
import io.warren.core.ExchangeOptions;
import io.warren.core.QueueOptions;
import io.warren.core.error.AmqpException;
import io.warren.core.message.FieldTable;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Policy;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Definitions in RabbitMQ's format: those of a real one go in and come out again. */
class BrokerDefinitionsTest {

    private final Broker broker = Broker.start();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        broker.close();
    }

    /** What {@code rabbitmqctl export_definitions} of a RabbitMQ 3.10.8 wrote. */
    private static String exportOfRabbitMq() throws IOException {
        try (var in = BrokerDefinitionsTest.class.getResourceAsStream("/definitions-rabbitmq-3.10.8.json")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private ImportReport imported(String json) throws IOException {
        return BrokerDefinitions.importFrom(new StringReader(json), broker);
    }

    @SuppressWarnings("unchecked") // the tests know what they read
    private static Map<String, Object> tree(String json) throws IOException {
        return (Map<String, Object>) Json.read(new StringReader(json));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> objects(Map<String, Object> tree, String kind) {
        return (List<Map<String, Object>>) tree.get(kind);
    }

    /** Without the user and the virtual host every broker has. */
    private static Map<String, Object> withoutDefaults(Map<String, Object> tree) {
        tree.replaceAll((kind, value) -> {
            if (!(value instanceof List<?>)) {
                return value;
            }
            List<Map<String, Object>> kept = new ArrayList<>(objects(tree, kind));
            kept.removeIf(object -> "guest".equals(object.get("name"))
                    || "guest".equals(object.get("user"))
                    || "/".equals(object.get("name")));
            return kept;
        });
        return tree;
    }

    @Test
    void shouldTellWhatOfRabbitMqsExportHasNoEffect() throws Exception {
        ImportReport report = imported(exportOfRabbitMq());

        // RabbitMQ exports no internal exchange, and yet a binding to one.
        assertThat(report.refused()).containsExactly("bindings[2]: NOT_FOUND - no exchange 'unrouted' in vhost 'defs'");
        assertThat(report.ignored())
                .containsExactly(
                        "vhosts[0]: descriptions and tags of virtual hosts",
                        "parameters[0]: parameters of 'vhost-limits'");
    }

    @Test
    void shouldExportWhatRabbitMqExported() throws Exception {
        Map<String, Object> expected = tree(exportOfRabbitMq());
        objects(expected, "bindings").removeIf(binding -> "unrouted".equals(binding.get("destination")));
        objects(expected, "parameters").removeIf(parameter -> "vhost-limits".equals(parameter.get("component")));
        objects(expected, "vhosts").forEach(vhost -> {
            vhost.put("limits", List.of());
            vhost.put("metadata", Map.of("description", "", "tags", List.of()));
        });

        imported(exportOfRabbitMq());
        Map<String, Object> exported = withoutDefaults(tree(BrokerDefinitions.exportOf(broker)));

        assertThat(exported.keySet()).isEqualTo(expected.keySet());
        for (String kind : expected.keySet()) {
            if (expected.get(kind) instanceof List<?>) {
                assertThat(objects(exported, kind))
                        .as(kind)
                        .containsExactlyInAnyOrderElementsOf(objects(expected, kind));
            } else {
                assertThat(exported.get(kind)).as(kind).isEqualTo(expected.get(kind));
            }
        }
    }

    @Test
    void shouldExportTheSameAgainWhenItsExportIsImported() throws Exception {
        imported(exportOfRabbitMq());
        broker.administration().setPermissions("defs", "guest", ".*", ".*", ".*");
        broker.connect("defs")
                .openChannel()
                .exchangeDeclare(ExchangeOptions.fanout("inside").internal());
        String first = BrokerDefinitions.exportOf(broker);

        try (Broker other = Broker.start()) {
            // The guest's password hash is salted at random: it comes with the file.
            ImportReport report = BrokerDefinitions.importFrom(new StringReader(first), other);

            assertThat(report.refused()).isEmpty();
            assertThat(BrokerDefinitions.exportOf(other)).isEqualTo(first).contains("\"internal\" : true");
        }
    }

    @Test
    void shouldLetUsersInByTheirHashes() throws Exception {
        imported(exportOfRabbitMq());

        for (Credentials known : List.of(
                new Credentials("defs-sha256", "open sesame 256"), new Credentials("defs-md5", "open sesame md5"))) {
            try (Connection connection = broker.connect("defs", known)) {
                assertThat(connection.user()).isEqualTo(known.user());
            }
        }
        try (Connection connection = broker.connect("defs-2", new Credentials("defs-sha512", "open sesame 512"))) {
            assertThat(connection.isOpen()).isTrue();
        }
        for (Credentials wrong :
                List.of(new Credentials("defs-md5", "open sesame 256"), new Credentials("defs-none", ""))) {
            assertThatThrownBy(() -> broker.connect("defs", wrong))
                    .isInstanceOfSatisfying(AmqpException.class, refusal -> assertThat(refusal.replyCode())
                            .isEqualTo(403));
        }
    }

    @Test
    void shouldPermitWhatTheFileSays() throws Exception {
        imported(exportOfRabbitMq());
        Connection connection = broker.connect("defs", new Credentials("defs-md5", "open sesame md5"));
        Channel channel = connection.openChannel();

        assertThatThrownBy(() -> channel.queueDeclare(QueueOptions.named("q")))
                .hasMessage("ACCESS_REFUSED - access to queue 'q' in vhost 'defs' refused for user 'defs-md5'");
        connection.close();
    }

    @Test
    void shouldRouteAndLimitAsTheFileSays() throws Exception {
        imported(exportOfRabbitMq());
        broker.administration().setPermissions("defs", "guest", ".*", ".*", ".*");
        Connection connection = broker.connect("defs");
        Channel channel = connection.openChannel();

        channel.publish("in", "orders.new.book", new byte[1]);
        channel.publish(
                "by-header",
                "",
                Properties.builder().headers(FieldTable.of("n", 5)).build(),
                new byte[1]);
        channel.queueDeclarePassive("classic");

        assertThat(broker.vhost("defs").queue("orders.new").ready()).isEqualTo(1);
        assertThat(broker.vhost("defs").queue("classic").ready()).isEqualTo(1);
        var orders = broker.administration().definitions().vhost("defs").queue("orders.new");
        assertThat(orders.policy()).extracting(Policy::name).isEqualTo("limits");
        assertThat(orders.operatorPolicy()).extracting(Policy::name).isEqualTo("ops");
        assertThat(orders.settings().messageTtlNs()).isEqualTo(60_000_000_000L);
        connection.close();
    }

    @Test
    void shouldKeepQueueWhenOneOfThatNameExists() throws Exception {
        Connection connection = broker.connect();
        connection.openChannel().queueDeclare(QueueOptions.named("q"));

        ImportReport report = imported(
                """
                {"queues": [{"name": "q", "vhost": "/", "durable": true, "arguments": {"x-max-length": 1}}]}
                """);

        assertThat(report.refused()).isEmpty();
        assertThat(broker.administration()
                        .definitions()
                        .vhost("/")
                        .queue("q")
                        .definition()
                        .durable())
                .isFalse();
        connection.close();
    }

    @Test
    void shouldTakeWhatOlderFilesAndPeopleWrite() throws Exception {
        ImportReport report = imported(
                """
                {"rabbit_version": "3.5.7",
                 "users": [
                   {"name": "old", "password_hash": "CQoLDEfTZ9ow6KTVze2YCNECoew=", "tags": "monitoring, management"},
                   {"name": "plain", "password": "word"}],
                 "permissions": [
                   {"user": "old", "vhost": "/", "configure": ".*", "write": ".*", "read": ".*"},
                   {"user": "plain", "vhost": "/", "configure": "", "write": "", "read": ".*"}]}
                """);

        assertThat(report.refused()).isEmpty();
        broker.connect("/", new Credentials("old", "open sesame md5")).close();
        broker.connect("/", new Credentials("plain", "word")).close();
        assertThat(broker.administration().definitions().user("old").tags())
                .containsExactlyInAnyOrder("monitoring", "management");
    }

    @Test
    void shouldGoOnWhenSomethingIsRefused() throws Exception {
        ImportReport report = imported(
                """
                {"users": [{"name": "u", "password_hash": "AAAA", "tags": []}],
                 "permissions": [{"user": "guest", "vhost": "/", "configure": "(", "write": "", "read": ""},
                                 {"user": "nobody", "vhost": "/", "configure": "", "write": "", "read": ""}],
                 "policies": [{"name": "p", "vhost": "/", "pattern": ".*", "definition": {"zz": 1}}],
                 "queues": [{"name": "bad", "vhost": "/", "arguments": {"x-max-length": -1}},
                            {"name": "far", "vhost": "nowhere"},
                            {"name": "quorum", "vhost": "/", "type": "quorum"},
                            {"vhost": "/"},
                            {"name": "good", "vhost": "/"}],
                 "exchanges": [{"name": "x", "vhost": "/", "type": "zz"},
                               {"name": "h", "vhost": "/", "type": "headers"}],
                 "bindings": [{"source": "h", "vhost": "/", "destination": "good", "destination_type": "queue",
                               "routing_key": "", "arguments": {"x-match": "zz"}}]}
                """);

        assertThat(report.refused())
                .containsExactly(
                        "users[0]: a hash of 3 bytes is none of SHA256",
                        "permissions[0]: Unclosed group near index 1",
                        "permissions[1]: NOT_FOUND - user 'nobody' not found",
                        "policies[0]: PRECONDITION_FAILED - policy 'p': 'zz' is not a key; keys are"
                                + " [alternate-exchange, dead-letter-exchange, dead-letter-routing-key, expires,"
                                + " max-length, max-length-bytes, message-ttl, overflow, queue-mode]",
                        "queues[0]: PRECONDITION_FAILED - invalid arg 'x-max-length' for queue 'bad' in vhost '/':"
                                + " {value_negative,-1}",
                        "queues[1]: NOT_ALLOWED - vhost nowhere not found",
                        "queues[2]: PRECONDITION_FAILED - x-queue-type 'quorum' of queue 'quorum' in vhost '/' is not"
                                + " supported: Warren has 'classic' queues, which a cluster can mirror",
                        "queues[3]: 'name' must be a String, was null",
                        "exchanges[0]: unknown exchange type 'zz'",
                        "bindings[0]: Invalid x-match field value <<\"zz\">>; expected all, any, all-with-x, or"
                                + " any-with-x");
        assertThat(broker.vhost("/").queueNames()).containsExactly("good");
    }

    @Test
    void shouldMakeQuorumQueuesClassicWhenBrokerDoes() throws Exception {
        broker.administration().quorumAsClassic(true);

        ImportReport report = imported(
                """
                {"queues": [{"name": "q", "vhost": "/", "durable": true, "arguments": {"x-queue-type": "quorum"}}]}
                """);

        assertThat(report.refused()).isEmpty();
        assertThat(broker.vhost("/").queueNames()).containsExactly("q");
    }

    @Test
    void shouldRefuseWhatIsNoDefinitions() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> imported("{\"users\": ["))
                .withMessageStartingWith("not JSON: ");
        assertThatIllegalArgumentException().isThrownBy(() -> imported("")).withMessage("not JSON: it is empty");
        assertThatIllegalArgumentException().isThrownBy(() -> imported("[]")).withMessage(" is not an object");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> imported("{\"users\": 5}"))
                .withMessageContaining("'users' must be a List, was 5");
    }

    @Test
    void shouldReadAndWriteFiles() throws Exception {
        Path file = folder.resolve("definitions.json");
        broker.administration().createVhost("files");

        BrokerDefinitions.exportTo(file, broker);
        try (Broker other = Broker.start()) {
            BrokerDefinitions.importFrom(file, other);

            assertThat(other.vhost("files").exists()).isTrue();
        }

        assertThat(Files.readString(file)).startsWith("{\n  \"bindings\" : [ ],");
        assertThatThrownBy(() -> BrokerDefinitions.importFrom(folder.resolve("missing.json"), broker))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("missing.json");
    }
}
