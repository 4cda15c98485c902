package io.warren.mirroring.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.core.Channel;
import io.warren.core.QueueOptions;
import io.warren.mirroring.FreePorts;
import io.warren.mirroring.link.DownReason;
import io.warren.mirroring.link.Link;
import io.warren.mirroring.link.LinkListener;
import io.warren.mirroring.link.tcp.ClusterSecret;
import io.warren.mirroring.link.tcp.TcpLinks;
import io.warren.mirroring.link.tcp.TcpSettings;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Member;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Who does not belong to a cluster of three nodes gets in at neither port, the log says who was sent away, and a client of the cluster goes on
 * all the time. One cluster for all: none of them harms it.
 */
@Timeout(180)
class ClusterIntrudersTest {
    private static final Duration HEARTBEAT = Duration.ofMillis(500);

    private static final AtomicInteger PUBLISHED = new AtomicInteger();

    @TempDir
    private static Path cluster;

    private static LogLines log;
    private static ClusterNodes nodes;
    private static Channel client;
    /** It takes its time until somebody who says nothing is cut off: he comes first. */
    private static Socket silent;

    @TempDir
    private Path folder;

    private final NodeClock clock = new NodeClock("stranger");
    private final List<TcpLinks<byte[]>> strangers = new ArrayList<>();

    @BeforeAll
    static void startThree() throws IOException {
        log = new LogLines();
        nodes = new ClusterNodes(cluster).heartbeat(HEARTBEAT).with("a", "b", "c");
        silent = connect(nodes.port("c") + 1);
        client = nodes.channel("a");
        nodes.channel("b").queueDeclare(QueueOptions.durable("orders"));
        publish();
    }

    @AfterAll
    static void end() throws IOException {
        silent.close();
        nodes.close();
        log.close();
    }

    private static int publish() {
        nodes.publish(client, "orders", "one more");
        return PUBLISHED.incrementAndGet();
    }

    @AfterEach
    void goOn() {
        int published = publish();
        client.queueDeclare(QueueOptions.named("declared after " + published));
        assertThat(nodes.channel("c").queueDeclarePassive("orders").messageCount())
                .isEqualTo(published);
        assertThat(nodes.node("a").status().running()).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(nodes.node("a").status().voters()).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(log.lines()).noneMatch(line -> line.contains("is down:")).noneMatch(line -> line.contains("pauses"));
        strangers.forEach(TcpLinks::close);
        clock.close();
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) ClusterNodes.WAIT.toMillis());
        return socket;
    }

    /** What it is told before the end, in order or by a reset, is for the log of a node. */
    private static void awaitEnd(Socket socket) throws IOException {
        try {
            while (socket.getInputStream().read() >= 0) {
                // Nothing to a stranger.
            }
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }

    private static byte[] hello(int version) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes("WARREN".getBytes(US_ASCII));
        bytes.writeBytes(new byte[] {(byte) (version >> 8), (byte) version, 0, 0});
        return bytes.toByteArray();
    }

    private TcpLinks<byte[]> stranger(Member self, String secret, UnaryOperator<TcpSettings> change, Seen seen) {
        TcpSettings settings = TcpSettings.of(
                "warren", ClusterSecret.of(secret), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), clock);
        TcpLinks<byte[]> links = new TcpLinks<>(self, change.apply(settings), new BytesCodec());
        strangers.add(links);
        links.start(seen);
        return links;
    }

    // ---- at the port of links

    @Test
    void shouldRefuseALinkToWhoHasAnotherSecret() {
        Seen seen = new Seen();
        stranger(new Member("x", 1), "what nobody of this test knows", it -> it, seen)
                .keep("a", nodes.address("a"));

        assertThat(log.await("node 'a'", "its cluster secret is another one"))
                .contains("refuses a connection from 127.0.0.1 (node 'x', incarnation 1");
        assertThat(seen.up).isEmpty();
    }

    @Test
    void shouldRefuseALinkToWhoSpeaksAnotherVersion() throws IOException {
        try (Socket socket = connect(nodes.port("a"))) {
            socket.getOutputStream().write(hello(9));
            awaitEnd(socket);
        }

        log.await("node 'a'", "it speaks version 9 of the protocol, this node version 1");
    }

    @Test
    void shouldRefuseALinkToWhoSendsGarbage() throws IOException {
        byte[] garbage = new byte[4_096];
        new Random(3).nextBytes(garbage);

        try (Socket socket = connect(nodes.port("a"))) {
            socket.getOutputStream().write(garbage);
            awaitEnd(socket);
        }

        log.await("node 'a'", "refuses a connection from 127.0.0.1", "it does not speak this protocol");
    }

    @Test
    void shouldRefuseALinkToWhoStallsInTheHandshake() throws IOException {
        try (Socket socket = connect(nodes.port("a"))) {
            socket.getOutputStream().write("WARREN".getBytes(US_ASCII));
            awaitEnd(socket);
        }

        log.await("node 'a'", "it has not come further than HELLO within 3000 ms");
    }

    @Test
    void shouldCutTheLinkToWhoFallsSilentAfterTheHandshake() {
        Seen seen = new Seen();
        stranger(new Member("x", 1), ClusterNodes.SECRET, it -> it.heartbeat(Duration.ofMinutes(5), 4), seen)
                .seek(nodes.address("a"));

        await().atMost(ClusterNodes.WAIT).until(() -> seen.up.contains("a"));
        log.await("node 'a'", "hears nothing from node 'x', incarnation 1", "any more");
        await().atMost(ClusterNodes.WAIT).until(() -> seen.down.contains("a"));
    }

    @Test
    void shouldRefuseALinkToACloneOfANodeThatIsLinked() {
        Seen seen = new Seen();
        long incarnation = nodes.node("a").status().nodes().get("b").incarnation();
        stranger(new Member("b", incarnation), ClusterNodes.SECRET, it -> it, seen)
                .keep("a", nodes.address("a"));

        assertThat(log.await("node 'a'", "its name is that of another process, which is linked"))
                .contains("(node 'b', incarnation " + incarnation)
                .endsWith("incarnation " + incarnation + " at " + nodes.address("b"));
        assertThat(seen.up).isEmpty();
    }

    @Test
    void shouldRefuseALinkToWhoHasTheNodesOwnName() {
        stranger(new Member("a", 7), ClusterNodes.SECRET, it -> it, new Seen()).seek(nodes.address("a"));

        log.await("node 'a'", "it has this node's name, 'a', with incarnation 7");
    }

    // ---- at the port of the metadata log

    @Test
    void shouldNotTakeInANodeWithAnotherSecret() {
        // Whom a node has cut off it does not say again soon: the ones that others try are left alone.
        ClusterSettings stranger = nodes.stranger("x")
                .join(List.of(nodes.address("a")))
                .adapt(it -> it.startWindow(Duration.ofSeconds(2), 1));

        assertThatThrownBy(() -> ClusterNode.start(stranger))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nobody took it into the cluster");

        log.await("metadata log: refused", "does not know this cluster's secret");
    }

    @Test
    void shouldCutWhoSendsGarbageToTheMetadataLog() {
        byte[] garbage = new byte[4_096];
        new Random(4).nextBytes(garbage);

        awaitCut("a", garbage, "a: metadata log: cut off a connection from 127.0.0.1");
    }

    @Test
    void shouldCutWhoSpeaksWithoutTlsToTheMetadataLog() {
        byte[] plain = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);

        awaitCut("b", plain, "b: metadata log: cut off a connection from 127.0.0.1", "not an SSL/TLS record");
    }

    /** A node tells of such a thing once in ten seconds: it is done again until it does. */
    private static void awaitCut(String node, byte[] bytes, String... said) {
        await().atMost(ClusterNodes.WAIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    try (Socket socket = connect(nodes.port(node) + 1)) {
                        socket.getOutputStream().write(bytes);
                        awaitEnd(socket);
                    }
                    return log.has(said);
                });
    }

    @Test
    void shouldCutWhoSaysNothingToTheMetadataLog() throws IOException {
        awaitEnd(silent);

        log.await("c: metadata log: cut off a connection from 127.0.0.1", "timed out");
    }

    // ---- at both: a node under a name that is taken

    @Test
    void shouldRefuseASecondProcessUnderANameThatVotes() {
        ClusterSettings twin = nodes.settings("b", FreePorts.inARow(2), folder.resolve("twin"));

        assertThatThrownBy(() -> ClusterNode.start(twin))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a node named b votes in this cluster's metadata log already");
    }

    @Test
    void shouldRefuseACopyOfANodesDirectory() throws IOException {
        Path copied = folder.resolve("copied");
        copy(nodes.directory("b"), copied);
        ClusterSettings clone = nodes.settings("b", FreePorts.inARow(2), copied);

        assertThatThrownBy(() -> ClusterNode.start(clone))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("node 'b' votes at " + ClusterNodes.HOST + ":" + (nodes.port("b") + 1))
                .hasMessageContaining("directory=" + copied);
    }

    @Test
    void shouldRefuseASecondProcessAtTheSamePorts() {
        ClusterSettings second = nodes.settings("b", nodes.port("b"), folder.resolve("second"));

        assertThatThrownBy(() -> ClusterNode.start(second))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot listen on " + ClusterNodes.HOST + ":" + (nodes.port("b") + 1));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            files.forEach(file -> {
                try {
                    Files.copy(file, to.resolve(from.relativize(file).toString()));
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            });
        }
    }

    /** Which nodes a stranger was linked with. */
    private static final class Seen implements LinkListener<byte[]> {
        private final List<String> up = new CopyOnWriteArrayList<>();
        private final List<String> down = new CopyOnWriteArrayList<>();

        @Override
        public void onUp(Link<byte[]> link) {
            up.add(link.peer().node());
        }

        @Override
        public void onDown(Link<byte[]> link, DownReason reason) {
            down.add(link.peer().node());
        }

        @Override
        public void onRefused(Member peer) {}

        @Override
        public void onUnreached(String address, String why) {}

        @Override
        public void onFrame(Link<byte[]> link, String group, Frame<byte[]> frame, int bytes) {}

        @Override
        public void onMessage(Link<byte[]> link, String group, int type, byte[] body, int bytes) {}

        @Override
        public void onHeartbeat(Link<byte[]> link, long[] values) {}
    }
}
