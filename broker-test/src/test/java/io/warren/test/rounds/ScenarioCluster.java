package io.warren.test.rounds;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import io.warren.test.rounds.MirroredNodeProcess.Copies;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Three processes, a, b and c, with a queue {@code orders}, and what scenarios say of it; clients speak AMQP. Messages are m0, m1, ..., persistent. Nothing is mirrored before
 * a policy says so.
 */
final class ScenarioCluster {
    static final String QUEUE = MirroredNode.QUEUE;
    static final Duration WAIT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final String POLICY = "mirrored";

    private final Nodes nodes;
    private final Map<String, Channel> channels = new HashMap<>();

    ScenarioCluster(Path work) throws IOException, InterruptedException {
        nodes = new Nodes(work);
        try {
            nodes.startAll();
        } catch (IOException | InterruptedException | RuntimeException failed) {
            nodes.end();
            throw failed;
        }
    }

    MirroredNodeProcess node(String name) {
        return nodes.get(name);
    }

    // ---- the queue

    /** Sets the policy, by a; JSON with ' for ". */
    void policy(String definition) throws IOException, InterruptedException {
        node("a").policy(POLICY, definition.replace('\'', '"'));
    }

    void clearPolicy() throws IOException, InterruptedException {
        node("a").clearPolicy(POLICY);
    }

    void declare(String name) throws IOException, TimeoutException {
        channel(name).queueDeclare(QUEUE, true, false, false, null);
    }

    Copies copies(String name) throws IOException, InterruptedException {
        return node(name).copies(QUEUE);
    }

    /** Waits until a node knows so. */
    void awaitCopies(String name, String master, String... slaves) {
        await("master " + master + " and slaves " + List.of(slaves))
                .until(() -> master.equals(copies(name).master())
                        && copies(name).slaves().equals(List.of(slaves)));
    }

    /** Waits until exactly these slaves hold everything, as a node knows. */
    void awaitInSync(String name, String... slaves) {
        await("in sync " + List.of(slaves))
                .until(() -> Set.copyOf(copies(name).synchronisedSlaves()).equals(Set.of(slaves)));
    }

    void awaitRunning(String name, String... running) {
        await("running " + List.of(running))
                .until(() -> Set.copyOf(node(name).running()).equals(Set.of(running)));
    }

    /** Waits until passive declarations at a node are answered with as many ready messages. */
    void awaitReady(String name, int count) {
        await(count + " messages ready")
                .until(() -> channel(name).queueDeclarePassive(QUEUE).getMessageCount() == count);
    }

    static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(WAIT).pollInterval(POLL);
    }

    // ---- nodes

    void restart(String name) throws IOException, InterruptedException {
        node(name).stop();
        node(name).start();
    }

    /** A node that does not run founds a metadata log without these. */
    void forgetOffline(String name, String... lost) throws IOException, InterruptedException {
        node(name).forgetOffline(List.of(lost));
    }

    // ---- clients

    /** The channel of this test at a node, with confirms. */
    Channel channel(String name) throws IOException, TimeoutException {
        Channel known = channels.get(name);
        if (known != null && known.isOpen()) {
            return known;
        }
        Channel opened = consumer(name);
        opened.confirmSelect();
        channels.put(name, opened);
        return opened;
    }

    /** Another channel at a node, on a connection of its own, without confirms. */
    Channel consumer(String name) throws IOException, TimeoutException {
        Connection connection = Nodes.connect(name);
        return connection.createChannel();
    }

    void publish(String name, int from, int to) throws IOException, TimeoutException {
        Channel channel = channel(name);
        for (String text : texts(from, to)) {
            publish(channel, text);
        }
    }

    static void publish(Channel channel, String text) throws IOException {
        channel.basicPublish("", QUEUE, MessageProperties.PERSISTENT_BASIC, text.getBytes(UTF_8));
    }

    void publishConfirmed(String name, int from, int to) throws IOException, InterruptedException, TimeoutException {
        publish(name, from, to);
        assertConfirmed(name);
    }

    void assertConfirmed(String name) throws IOException, InterruptedException, TimeoutException {
        assertThat(channel(name).waitForConfirms(WAIT.toMillis())).isTrue();
    }

    /** All that the queue gives, acknowledged, in order; what is handed out again has a star. */
    List<String> drain(String name) throws IOException, TimeoutException {
        List<String> all = new ArrayList<>();
        Channel channel = channel(name);
        for (GetResponse next = channel.basicGet(QUEUE, true); next != null; next = channel.basicGet(QUEUE, true)) {
            all.add(text(next.getBody()) + (next.getEnvelope().isRedeliver() ? "*" : ""));
        }
        return all;
    }

    /** The same without the stars. */
    List<String> drainTexts(String name) throws IOException, TimeoutException {
        return drain(name).stream().map(text -> text.replace("*", "")).toList();
    }

    static String text(byte[] body) {
        return new String(body, UTF_8);
    }

    static List<String> texts(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "m" + i).toList();
    }

    void end() throws InterruptedException {
        nodes.end();
    }
}
