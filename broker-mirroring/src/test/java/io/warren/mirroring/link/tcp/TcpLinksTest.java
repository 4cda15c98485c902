package io.warren.mirroring.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.warren.mirroring.link.Link;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.Position;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TcpLinksTest {
    private static TestCertificates certifiedA;
    private static TestCertificates certifiedB;
    private static TestCertificates stranger;

    private final LogLines log = new LogLines();
    private final List<TcpNode> nodes = new ArrayList<>();

    /** Each takes a process of the JDK's keytool. */
    @BeforeAll
    static void certify(@TempDir Path folder) throws Exception {
        certifiedA = TestCertificates.create(folder, "a");
        certifiedB = TestCertificates.create(folder, "b");
        stranger = TestCertificates.create(folder, "stranger");
    }

    @AfterEach
    void close() {
        nodes.forEach(TcpNode::close);
        log.close();
    }

    private TcpNode node(String name, long incarnation) {
        return add(new TcpNode(name, incarnation));
    }

    /** One that takes no busy machine for a silent peer: a link that is cut loses the message that the test waits for. */
    private TcpNode patientNode(String name) {
        return add(new TcpNode(name, 1, settings -> settings.heartbeat(Duration.ofSeconds(2), 4)));
    }

    private TcpNode add(TcpNode node) {
        nodes.add(node);
        return node;
    }

    @Test
    void shouldTellBothEndsWhoIsThereWhenALinkComesUp() {
        TcpNode a = node("a", 3);
        TcpNode b = node("b", 7);

        b.keep(a);

        assertThat(a.link("b").peer()).isEqualTo(new Member("b", 7));
        assertThat(b.link("a").peer()).isEqualTo(new Member("a", 3));
        assertThat(b.link("a").address()).isEqualTo(a.address());
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void shouldKeepTheOrderOfAGroupWhenMuchIsSent() {
        TcpNode a = node("a", 1);
        TcpNode b = node("b", 1);
        a.keep(b);
        Link<String> link = a.link("b");
        b.link("a");
        List<String> expected = new ArrayList<>(List.of("up a.1"));

        for (int number = 0; number < 20_000; number++) {
            if (number % 3 == 0) {
                link.send("q", 5, new byte[] {(byte) number});
                expected.add("a.1 q 5 [" + (byte) number + "]");
            } else {
                Frame<String> frame = new Frame.Hello<>(1, number, Position.START);
                link.send("q", frame);
                expected.add("a.1 q " + frame);
            }
        }

        await().atMost(TcpNode.PATIENCE).until(() -> b.heard.lines().size() == expected.size());
        assertThat(b.heard.lines()).isEqualTo(expected);
    }

    @Test
    void shouldReportADeathByARefusedConnectionWhenAProcessEnds() {
        TcpNode a = node("a", 1);
        TcpNode b = node("b", 4);
        b.keep(a);
        a.keep(b);
        a.link("b");
        b.link("a");

        b.close();

        a.awaitLine("refused b.4");
        assertThat(a.heard.lines()).containsSubsequence("up b.4", "down b.4 CUT", "refused b.4");
    }

    @Test
    void shouldMakeOneLinkWhenBothDialAtOnce() {
        for (int round = 0; round < 30; round++) {
            try (TcpNode a = new TcpNode("a", 1);
                    TcpNode b = new TcpNode("b", 1)) {
                a.keep(b);
                b.keep(a);

                Link<String> fromA = a.link("b");
                Link<String> fromB = b.link("a");
                fromA.send("q", 1, new byte[] {1});
                fromB.send("q", 2, new byte[] {2});
                a.awaitLine("b.1 q 2 [2]");
                b.awaitLine("a.1 q 1 [1]");

                assertThat(a.heard.lines()).as("round %d", round).containsExactly("up b.1", "b.1 q 2 [2]");
                assertThat(b.heard.lines()).as("round %d", round).containsExactly("up a.1", "a.1 q 1 [1]");
            }
        }
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void shouldComeUpAgainWhenALinkIsCut() {
        TcpNode a = node("a", 1);
        TcpNode b = node("b", 1);
        a.keep(b);
        a.link("b").cut();

        await().atMost(TcpNode.PATIENCE)
                .until(() -> a.heard.lines().equals(List.of("up b.1", "down b.1 CUT", "up b.1")));
    }

    @Test
    void shouldLinkTheNextIncarnationWhenAProcessComesBack() {
        TcpNode a = node("a", 1);
        TcpNode b = node("b", 1);
        b.keep(a);
        a.link("b");
        b.close();
        a.awaitLine("down b.1 CUT");

        TcpNode again = node("b", 2);
        again.keep(a);

        a.awaitLine("up b.2");
    }

    @Test
    void shouldCarryValuesAndAnswersWithHeartbeats() {
        TcpNode a = node("a", 1);
        TcpNode b = node("b", 1);
        a.links.tell(6, -5);
        a.keep(b);
        long linkedNs = a.link("b").answeredNs();

        await().atMost(TcpNode.PATIENCE).until(() -> a.heard.link("b").answeredNs() > linkedNs);
        await().atMost(TcpNode.PATIENCE).until(() -> !b.heard.heartbeats().isEmpty());
        assertThat(b.heard.heartbeats().get(0)).isEqualTo(new long[] {6, -5});
    }

    @Test
    void shouldFindWhoIsThereWhenAnAddressIsSought() {
        TcpNode a = node("a", 1);
        TcpNode b = node("b", 1);
        TcpNode gone = new TcpNode("c", 1);
        gone.close();

        a.links.seek(b.address());
        a.awaitLine("up b.1");
        a.links.seek(gone.address());
        await().atMost(TcpNode.PATIENCE)
                .until(() -> a.heard.lines().stream().anyMatch(line -> line.contains("Connection refused")));

        assertThat(a.heard.lines().get(1)).startsWith("unreached " + gone.address());
    }

    @Test
    void shouldNotLinkWithItselfWhenItsOwnAddressIsSought() {
        TcpNode a = node("a", 1);

        a.links.seek(a.address());

        await().atMost(TcpNode.PATIENCE).until(() -> !a.heard.lines().isEmpty());
        assertThat(a.heard.lines().get(0)).contains("it is this node itself");
    }

    // ----------------------------------------------------------------------------------------- large and slow

    @Test
    void shouldLetOtherGroupsPassWhenAMessageIsLarge() {
        TcpNode a = patientNode("a");
        TcpNode b = patientNode("b");
        a.keep(b);
        Link<String> link = a.link("b");
        byte[] large = new byte[30 << 20];

        link.send("large", 1, large);
        link.send("small", 2, new byte[] {9});

        b.awaitLine("a.1 large 1 " + large.length + " B");
        assertThat(b.heard.lines()).containsExactly("up a.1", "a.1 small 2 [9]", "a.1 large 1 " + large.length + " B");
    }

    @Test
    void shouldHoldUpAGroupAndNoOtherWhenItsReceiverIsSlow() {
        TcpNode a = patientNode("a");
        TcpNode b = patientNode("b");
        b.heard.keepAll();
        a.keep(b);
        Link<String> link = a.link("b");
        byte[] body = new byte[1 << 20];

        IntStream.range(0, 30).forEach(number -> link.send("slow", 1, body));
        link.send("other", 2, new byte[] {2});
        b.awaitLine("a.1 other 2 [2]");
        await().atMost(TcpNode.PATIENCE).until(() -> slowCount(b) == 4);
        b.link("a").giveBack("slow", 2 << 20);

        await().atMost(TcpNode.PATIENCE).until(() -> slowCount(b) == 6);
        link.send("other", 2, new byte[] {3});
        b.awaitLine("a.1 other 2 [3]");
        assertThat(slowCount(b)).isEqualTo(6);
    }

    private static long slowCount(TcpNode node) {
        return node.heard.lines().stream().filter(line -> line.contains("slow")).count();
    }

    @Test
    void shouldRefuseAGroupAndNoOtherWhenTooMuchWaits() {
        TcpNode a = patientNode("a");
        TcpNode b = patientNode("b");
        b.heard.keepAll();
        a.keep(b);
        Link<String> link = a.link("b");
        byte[] body = new byte[4 << 20];

        int taken = 0;
        while (taken < 100 && link.send("slow", 1, body)) {
            taken++;
        }

        assertThat(taken).isBetween(16, 25);
        assertThat(link.send("slow", 254, new byte[0])).isTrue();
        assertThat(link.send("other", 1, body)).isTrue();
        b.awaitLine("a.1 other 1 " + body.length + " B");
    }

    @Test
    void shouldRefuseWhatIsLargerThanALinkTakes() {
        TcpNode a = node("a", 1);
        TcpNode b = node("b", 1);
        a.keep(b);
        Link<String> link = a.link("b");
        byte[] tooLarge = new byte[129 << 20];

        assertThatThrownBy(() -> link.send("q", 1, tooLarge))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("are more than a link takes at once: 135266304");
    }

    // ---------------------------------------------------------------------------------------------------- TLS

    @Test
    void shouldLinkOverTlsWhenBothShowCertificates() {
        TcpNode nodeA = add(new TcpNode("a", 1, settings -> settings.tls(certifiedA.trusting(certifiedB))));
        TcpNode nodeB = add(new TcpNode("b", 1, settings -> settings.tls(certifiedB.trusting(certifiedA))));

        nodeA.keep(nodeB);
        nodeA.link("b").send("q", 1, new byte[1 << 20]);

        nodeB.awaitLine("a.1 q 1 1048576 B");
    }

    @Test
    void shouldRefuseACertificateWhenNobodyTrustedSignedIt() {
        TcpNode nodeA = add(new TcpNode("a", 1, settings -> settings.tls(certifiedA.trusting(certifiedB))));
        TcpNode other = add(new TcpNode("c", 1, settings -> settings.tls(stranger.trusting(certifiedA))));

        other.keep(nodeA);

        await().atMost(TcpNode.PATIENCE).until(() -> log.warnings().stream()
                .anyMatch(line -> line.contains("node 'a'") && line.contains("refuses a connection from")));
        assertThat(nodeA.heard.lines()).isEmpty();
    }

    @Test
    void shouldNotLinkWhenOneSpeaksTlsAndTheOtherDoesNot() {
        TcpNode nodeA = add(new TcpNode("a", 1, settings -> settings.tls(certifiedA.trusting(certifiedA))));
        TcpNode plain = node("b", 1);

        plain.keep(nodeA);

        await().atMost(TcpNode.PATIENCE)
                .until(() -> log.warnings().stream().anyMatch(line -> line.contains("node 'a'")));
        assertThat(nodeA.heard.lines()).isEmpty();
    }
}
