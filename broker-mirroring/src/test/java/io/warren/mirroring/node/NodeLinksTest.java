package io.warren.mirroring.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.core.spi.ManualClock;
import io.warren.mirroring.attachment.AttachmentFrame;
import io.warren.mirroring.memory.MemoryMetadataCluster;
import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.ring.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Node a and its links; what the metadata has of b is what the test says. */
class NodeLinksTest {
    private static final Member B = new Member("b", 1);
    private static final Member NEXT_B = new Member("b", 2);

    private final ManualClock clock = new ManualClock();
    private final MemoryMetadataCluster metadata = new MemoryMetadataCluster(1);
    private final NotedPeers peers = new NotedPeers();
    private Node node;

    @BeforeEach
    void start() {
        node = Node.start(NodeSettings.named("a", "a"), metadata.node("a"), metadata.quorum("a"), peers, clock, clock);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private void submit(Command.Change change) {
        metadata.node("a").submit(new Command.Nodes(Map.of("b", change)), result -> {});
    }

    @Test
    void shouldCutTheLinkToAProcessThatIsDeclaredDown() {
        submit(Command.Change.up(1, "b"));
        peers.listener.onUp(B);
        assertThat(peers.cut).isEmpty();

        submit(Command.Change.down(1));

        assertThat(peers.cut).containsOnly(B).isNotEmpty();
    }

    @Test
    void shouldCutALinkThatComesUpToAProcessThatIsOver() {
        submit(Command.Change.up(1, "b"));
        submit(Command.Change.down(1));
        peers.cut.clear();

        peers.listener.onUp(B);
        assertThat(peers.cut).containsExactly(B);
        submit(Command.Change.up(2, "b"));
        peers.cut.clear();
        peers.listener.onUp(B);

        assertThat(peers.cut).containsExactly(B);
    }

    @Test
    void shouldKeepTheLinkToAProcessThatRunsOrHasYetToRegister() {
        submit(Command.Change.up(1, "b"));
        submit(Command.Change.down(1));
        peers.cut.clear();

        peers.listener.onUp(NEXT_B);
        submit(Command.Change.up(2, "b"));
        peers.listener.onUp(NEXT_B);
        peers.listener.onUp(new Member("unknown", 1));

        assertThat(peers.cut).isEmpty();
    }

    /** Links that are as the test says, and a note of those that the node cut. */
    private static final class NotedPeers implements Peers {
        private final List<Member> cut = new ArrayList<>();
        private Listener listener;

        @Override
        public void open(Member self, Listener opened) {
            listener = opened;
        }

        @Override
        public void know(Map<String, String> addresses) {}

        @Override
        public void send(Member to, AttachmentFrame frame) {}

        @Override
        public boolean isLinked(String node) {
            return false;
        }

        @Override
        public void cut(Member peer) {
            cut.add(peer);
        }

        @Override
        public void onTick(long nowNs) {}

        @Override
        public long heardNs(String node) {
            return NEVER;
        }

        @Override
        public long answeredNs(String node) {
            return NEVER;
        }

        @Override
        public void close() {}
    }
}
