package io.warren.mirroring.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.mirroring.ring.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who does not belong to the cluster is refused with one line in the log, and the nodes go on. */
@Timeout(60)
class IntrudersTest {
    private final LogLines log = new LogLines();
    private final List<TcpNode> others = new ArrayList<>();
    private TcpNode a;
    private TcpNode b;

    @BeforeEach
    void link() {
        a = new TcpNode("a", 1);
        b = new TcpNode("b", 1);
        a.keep(b);
        b.keep(a);
        a.link("b");
        b.link("a");
    }

    @AfterEach
    void goOn() {
        int number = others.size();
        a.link("b").send("after", number, new byte[] {1});
        b.awaitLine("a.1 after " + number + " [1]");
        assertThat(a.heard.lines()).startsWith("up b.1").noneMatch(line -> line.startsWith("down b"));
        others.forEach(TcpNode::close);
        a.close();
        b.close();
        log.close();
    }

    private TcpNode other(TcpNode node) {
        others.add(node);
        return node;
    }

    private String warning(String part) {
        await().atMost(TcpNode.PATIENCE).until(() -> log.warnings().stream().anyMatch(line -> line.contains(part)));
        return log.warnings().stream()
                .filter(line -> line.contains(part))
                .findFirst()
                .orElseThrow();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), a.port());
        socket.setSoTimeout((int) TcpNode.PATIENCE.toMillis());
        return socket;
    }

    private static void awaitEnd(Socket socket) throws IOException {
        while (socket.getInputStream().read() >= 0) {
            // What it is told before the end is for the log of a node.
        }
    }

    @Test
    void shouldRefuseAnotherSecret() {
        TcpNode stranger = other(new TcpNode(
                "c",
                9,
                settings -> TcpSettings.of(
                        "test",
                        ClusterSecret.of("a secret of somebody else"),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        TcpNode.TICKER)));

        stranger.keep(a);

        assertThat(warning("another one"))
                .isEqualTo("node 'a', incarnation 1 refuses a connection from 127.0.0.1 (node 'c', incarnation 9, of"
                        + " cluster 'test' at " + stranger.address() + "): its cluster secret is another one");
        assertThat(warning("it refused this node")).startsWith("node 'c', incarnation 9 refuses a connection to ");
        assertThat(stranger.heard.lines()).isEmpty();
    }

    @Test
    void shouldRefuseAnotherCluster() {
        TcpNode stranger = other(new TcpNode(
                "c",
                1,
                settings -> TcpSettings.of(
                        "other", TcpNode.SECRET, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TcpNode.TICKER)));

        stranger.keep(a);

        assertThat(warning("it belongs to cluster 'other' and this node to 'test'"))
                .contains("node 'c', incarnation 1, of cluster 'other' at " + stranger.address());
    }

    @Test
    void shouldRefuseAnotherVersion() throws IOException {
        byte[] hello = Hello.of("test", new Member("c", 1), 5, "127.0.0.1:1", 0, new byte[Hello.NONCE_BYTES])
                .bytes();
        hello[7] = 2;

        try (Socket socket = connect()) {
            socket.getOutputStream().write(hello);
            awaitEnd(socket);
        }

        warning("refuses a connection from 127.0.0.1: it speaks version 2 of the protocol, this node version 1");
    }

    @Test
    void shouldRefuseGarbage() throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            awaitEnd(socket);
        }

        warning("refuses a connection from 127.0.0.1: it does not speak this protocol, but sent 474554202f20485454");
    }

    @Test
    void shouldRefuseWhoStallsInTheHello() throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write("WARREN".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            awaitEnd(socket);
        }

        warning("refuses a connection from 127.0.0.1: it has not come further than HELLO within 500 ms");
    }

    @Test
    void shouldCloseWhatIsTooManyWhenConnectionsStall() throws IOException {
        List<Socket> sockets = new ArrayList<>();
        for (int number = 0; number < 70; number++) {
            sockets.add(connect());
        }

        warning("64 others have not become links yet");
        for (Socket socket : sockets) {
            awaitEnd(socket);
            socket.close();
        }
    }

    @Test
    void shouldRefuseACloneWithANameThatIsLinked() {
        TcpNode clone = other(new TcpNode("b", 2));

        clone.links.keep("a", a.address());

        assertThat(warning("its name is that of another process"))
                .contains("node 'b', incarnation 2, of cluster 'test' at " + clone.address())
                .endsWith("which is linked: incarnation 1 at " + b.address());
        assertThat(clone.heard.lines()).isEmpty();
    }

    @Test
    void shouldRefuseACloneWithTheSameIncarnation() {
        TcpNode clone = other(new TcpNode("b", 1));

        clone.links.keep("a", a.address());

        assertThat(warning("its name is that of another process")).contains(clone.address());
    }

    @Test
    void shouldRefuseWhoHasThisNodesName() {
        TcpNode clone = other(new TcpNode("a", 2));

        clone.links.seek(a.address());

        warning("it has this node's name, 'a', with incarnation 2 at " + clone.address());
        await().atMost(TcpNode.PATIENCE).until(() -> !clone.heard.lines().isEmpty());
        assertThat(clone.heard.lines().get(0)).startsWith("unreached " + a.address());
    }

    @Test
    void shouldRefuseAnotherNodeThanTheOneDialled() {
        TcpNode c = other(new TcpNode("c", 1));

        c.links.keep("d", a.address());

        warning("it is node 'a' and not 'd'");
        assertThat(c.heard.lines()).isEmpty();
    }

    @Test
    void shouldSayTheSameThingOnceOnly() {
        TcpNode clone = other(new TcpNode("b", 2));
        clone.links.keep("a", a.address());
        warning("its name is that of another process");

        TcpNode third = other(new TcpNode("c", 1));
        third.keep(a);
        third.link("a");

        assertThat(log.warnings().stream()
                        .filter(line -> line.startsWith("node 'a'") && line.contains("another process")))
                .hasSize(1);
    }
}
