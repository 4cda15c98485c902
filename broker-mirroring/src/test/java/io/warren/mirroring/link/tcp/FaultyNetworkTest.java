package io.warren.mirroring.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.warren.mirroring.link.Link;
import io.warren.mirroring.link.tcp.FaultProxy.Way;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two nodes with a network between them that misbehaves; a dials, b is dialled. */
@Timeout(60)
class FaultyNetworkTest {
    private final LogLines log = new LogLines();
    private TcpNode a;
    private TcpNode b;
    private FaultProxy proxy;

    @BeforeEach
    void link() throws IOException {
        b = new TcpNode("b", 1);
        proxy = new FaultProxy(b.port());
        a = new TcpNode("a", 1);
        a.links.keep("b", proxy.address());
        a.link("b");
        b.link("a");
    }

    @AfterEach
    void close() throws IOException {
        a.close();
        b.close();
        proxy.close();
        log.close();
    }

    private void awaitLines(TcpNode node, String... lines) {
        await().atMost(TcpNode.PATIENCE).until(() -> node.heard.lines().equals(List.of(lines)));
    }

    @Test
    void shouldComeUpAgainWhenConnectionsAreDropped() {
        proxy.dropAll();

        awaitLines(a, "up b.1", "down b.1 CUT", "up b.1");
        awaitLines(b, "up a.1", "down a.1 CUT", "up a.1");
    }

    @Test
    void shouldTimeOutAtTheDeafEndWhenOneWayStalls() {
        proxy.stall(Way.TO_TARGET);

        b.awaitLine("down a.1 TIMEOUT");
        a.awaitLine("down b.1 CUT");
        proxy.heal();

        awaitLines(a, "up b.1", "down b.1 CUT", "up b.1");
    }

    @Test
    void shouldTimeOutAtBothEndsWhenBothWaysStall() {
        proxy.stall(Way.TO_TARGET);
        proxy.stall(Way.FROM_TARGET);

        a.awaitLine("down b.1 TIMEOUT");
        b.awaitLine("down a.1 TIMEOUT");
        assertThat(a.heard.lines()).doesNotContain("refused b.1");
        proxy.heal();
        proxy.dropAll();

        await().atMost(TcpNode.PATIENCE).until(() -> a.heard.isLinked("b") && b.heard.isLinked("a"));
    }

    @Test
    void shouldTimeOutWhenTheConnectionIsHalfOpen() {
        proxy.leaveHalfOpen();

        b.awaitLine("down a.1 CUT");
        a.awaitLine("down b.1 TIMEOUT");
        proxy.heal();

        await().atMost(TcpNode.PATIENCE).until(() -> a.heard.isLinked("b") && b.heard.isLinked("a"));
    }

    @Test
    void shouldReplaceALinkAtOnceWhenTheOtherEndHasLostIt() throws IOException {
        // b dials too, past the proxy, and a still holds the half-open link.
        proxy.leaveHalfOpen();
        b.awaitLine("down a.1 CUT");
        b.keep(a);

        awaitLines(b, "up a.1", "down a.1 CUT", "up a.1");
        await().atMost(TcpNode.PATIENCE).until(() -> a.heard.lines().size() == 3);
        assertThat(a.heard.lines().get(2)).isEqualTo("up b.1");
        proxy.heal();
    }

    @Test
    void shouldStayUpWhenTheNetworkIsSlow() {
        proxy.throttle(Way.TO_TARGET, 2 << 20);
        proxy.delay(Way.FROM_TARGET, 50);
        Link<String> link = a.heard.link("b");

        for (int number = 0; number < 12; number++) {
            link.send("q", 1, new byte[128 << 10]);
        }
        link.send("q", 2, new byte[] {1});

        b.awaitLine("a.1 q 2 [1]");
        assertThat(a.heard.lines()).containsExactly("up b.1");
        assertThat(b.heard.lines()).hasSize(14);
    }

    @Test
    void shouldCutTheLinkAndSayWhyWhenBytesMakeNoSense() throws IOException {
        proxy.inject(Way.TO_TARGET, new byte[] {0x7f, 1, 2, 3});

        b.awaitLine("down a.1 CUT");
        await().atMost(TcpNode.PATIENCE).until(() -> log.warnings().stream()
                .anyMatch(line -> line.startsWith("node 'b', incarnation 1 cuts the link with node 'a'")));
        await().atMost(TcpNode.PATIENCE).until(() -> a.heard.isLinked("b") && b.heard.isLinked("a"));
    }
}
