package io.warren.amqp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.amqp.server.AmqpServer;
import io.warren.core.Broker;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Every line that was measured on RabbitMQ 3.10.8, spoken on the wire: scope, code and text are equal.
 *
 * <p>With {@code -Dwarren.rabbitmq=amqp://guest:guest@127.0.0.1:PORT} the probes run on that RabbitMQ in place of Warren,
 * which shows that they do what was measured.
 */
@Timeout(60)
class ReplyCodeTest {

    private static final String RABBITMQ = System.getProperty("warren.rabbitmq", "");

    /** Lines that are no probe on an open channel. */
    private static final List<String> OTHERS = List.of("bad password", "missing vhost", "server-properties");

    /** A text as a client's exception shows it. */
    private static final Pattern SHOWN = Pattern.compile(".*\\((\\d+)\\) '(.*)'");

    private static final Pattern GENERATED_NAME = Pattern.compile("amq\\.gen-[\\w-]{22}");

    private static Broker broker;
    private static AmqpServer server;
    private static int port;
    private static WireClient prepared;

    @BeforeAll
    static void start() throws IOException {
        if (RABBITMQ.isEmpty()) {
            broker = Broker.start();
            server = AmqpServer.builder(broker).port(0).start();
            port = server.port();
        } else {
            port = URI.create(RABBITMQ).getPort();
        }
        prepared = WireClient.open(port);
        ReplyCodeProbes.prepare(prepared);
    }

    @AfterAll
    static void end() throws IOException {
        ReplyCodeProbes.cleanUp(prepared);
        prepared.close();
        if (server != null) {
            server.close();
            broker.close();
        }
    }

    /** One line of the list: probe, scope, code, text. */
    private record Line(String probe, String scope, String code, String text) {

        static Line of(String line) {
            String[] parts = line.split("\\|", 4);
            return new Line(parts[0].strip(), parts[1].strip(), parts[2].strip(), parts[3].strip());
        }

        /** What must come; where a client's exception was noted, code and text are inside it. */
        Outcome expected() {
            Matcher shown = SHOWN.matcher(text);
            return shown.matches()
                    ? new Outcome(scope, shown.group(1), shown.group(2))
                    : new Outcome(scope, code, text);
        }
    }

    private static List<Line> lines() throws IOException {
        try (var in = ReplyCodeTest.class.getResourceAsStream("/reply-codes-rabbitmq-3.10.8.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(Line::of)
                    .toList();
        }
    }

    private static Line line(String probe) throws IOException {
        return lines().stream()
                .filter(line -> line.probe().equals(probe))
                .findFirst()
                .orElseThrow();
    }

    private static String withoutGeneratedNames(Outcome outcome) {
        return outcome.scope() + " | " + outcome.code() + " | "
                + GENERATED_NAME.matcher(outcome.text()).replaceAll("amq.gen-(any)");
    }

    @Test
    void shouldProbeEveryLineOfTheList() throws Exception {
        List<String> probed = new ArrayList<>(new ReplyCodeProbes().byName().keySet());
        probed.addAll(OTHERS);

        assertThat(probed)
                .containsExactlyInAnyOrderElementsOf(
                        lines().stream().map(Line::probe).toList());
    }

    @TestFactory
    Stream<DynamicTest> shouldAnswerAsRabbitMq() throws Exception {
        Map<String, ReplyCodeProbes.Probe> probes = new ReplyCodeProbes().byName();
        return lines().stream()
                .filter(line ->
                        probes.containsKey(line.probe()) && !line.scope().equals("ShortStringTooLong"))
                .map(line -> DynamicTest.dynamicTest(line.probe(), () -> {
                    try (WireClient client = WireClient.open(port)) {
                        probes.get(line.probe()).run(client);

                        assertThat(withoutGeneratedNames(client.outcome()))
                                .isEqualTo(withoutGeneratedNames(line.expected()));
                    }
                }));
    }

    /** The client that was used for the list refuses such a name itself. RabbitMQ 3.10.8 was asked by a raw frame. */
    @Test
    void shouldAnswerAsRabbitMqWhenNameIsTooLongForItsField() throws Exception {
        try (WireClient client = WireClient.open(port)) {
            new ReplyCodeProbes().byName().get("queue name of 256 via channel").run(client);

            String text = "FRAME_ERROR - cannot decode <<0,0,0" + ",97".repeat(72) + ",...";
            assertThat(client.outcome()).isEqualTo(new Outcome("connection", "501", text));
        }
    }

    @Test
    void shouldRefuseWrongPasswordAsRabbitMq() throws Exception {
        try (WireClient client = new WireClient(port)) {
            Outcome outcome = client.logIn("guest", "not guest", "/");

            assertThat(outcome).isEqualTo(line("bad password").expected());
        }
    }

    @Test
    void shouldRefuseMissingVhostAsRabbitMq() throws Exception {
        try (WireClient client = new WireClient(port)) {
            Outcome outcome = client.logIn("guest", "guest", "nope");

            assertThat(outcome).isEqualTo(line("missing vhost").expected());
        }
    }

    /** The list shows them as Python prints them, and cut: what it shows of capabilities must be there. */
    @Test
    void shouldHaveTheCapabilitiesOfRabbitMq() throws Exception {
        try (WireClient client = new WireClient(port)) {
            Map<?, ?> capabilities =
                    (Map<?, ?>) client.start().serverProperties().get("capabilities");

            Matcher shown = Pattern.compile("'([\\w.]+)': True")
                    .matcher(line("server-properties").text());
            List<String> expected = shown.results().map(found -> found.group(1)).toList();
            assertThat(expected).hasSize(9);
            assertThat(capabilities.keySet().stream().map(String::valueOf)).containsExactlyElementsOf(expected);
            assertThat(capabilities.values()).allMatch(Boolean.TRUE::equals);
        }
    }
}
