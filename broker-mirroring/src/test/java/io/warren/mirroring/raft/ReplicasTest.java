package io.warren.mirroring.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.metadata.format.CommandBytes;
import io.warren.mirroring.metadata.format.LogEntry;
import io.warren.mirroring.metadata.format.StateBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What listeners hear of copies of a log, whose entries the test applies as Ratis would. */
class ReplicasTest {
    private static final long LOG = 7;
    private static final long OTHER_LOG = 8;

    private final List<String> told = new ArrayList<>();
    private final Replicas replicas = new Replicas(new Replicas.Output() {
        @Override
        public void onChange(Consumer<MetadataListener> what) {
            what.accept(new Listener());
        }

        @Override
        public void onApplied(long index) {}

        @Override
        public void onLeader(@Nullable String node) {
            told.add("led by " + node);
        }

        @Override
        public void onVoters(Map<String, String> addresses) {}

        @Override
        public void onStopped() {}

        @Override
        public void onSwitched() {
            told.add("switched");
        }
    });

    private final class Listener implements MetadataListener {
        @Override
        public void onFollowing(Metadata state) {
            told.add("follows " + state.logId().id() + " with "
                    + new TreeSet<>(state.nodes().keySet()));
        }

        @Override
        public void onNodes(Map<String, NodeState> nodes) {
            told.add("nodes " + new TreeSet<>(nodes.keySet()));
        }
    }

    private List<String> told() {
        List<String> all = List.copyOf(told);
        told.clear();
        return all;
    }

    /** A copy of a log from which nothing was applied yet. */
    private final class Copy {
        private final MetadataMachine machine;
        private long index;

        Copy(long logId) {
            machine = replicas.machine(logId);
        }

        Copy begin() {
            byte[] state = StateBytes.of(new Metadata(LogId.first(machine.logId()), new MetadataListener() {}).state());
            LogEntry.ofState(state, RaftProps.PART_BYTES).forEach(this::apply);
            return this;
        }

        Copy up(String... names) {
            for (String name : names) {
                Command up = new Command.Nodes(Map.of(name, Command.Change.up(1, name)));
                apply(LogEntry.ofCommands(List.of(CommandBytes.of(up))));
            }
            return this;
        }

        private void apply(byte[] entry) {
            LogEntryProto proto = LogEntryProto.newBuilder()
                    .setTerm(1)
                    .setIndex(++index)
                    .setStateMachineLogEntry(
                            StateMachineLogEntryProto.newBuilder().setLogData(ByteString.copyFrom(entry)))
                    .build();
            machine.applyTransaction(TransactionContext.newBuilder()
                            .setServerRole(RaftPeerRole.FOLLOWER)
                            .setStateMachine(machine)
                            .setLogEntry(proto)
                            .build())
                    .join();
        }
    }

    @Test
    void shouldTellWhatIsAppliedOfTheLogThatIsFollowed() {
        replicas.follow(LOG);

        new Copy(LOG).begin().up("a", "b");

        assertThat(told()).containsExactly("follows 7 with []", "nodes [a]", "nodes [a, b]");
    }

    @Test
    void shouldTellNothingOfACopyThatRepeatsWhatListenersHaveHeard() {
        replicas.follow(LOG);
        new Copy(LOG).begin().up("a", "b", "c");
        replicas.forget(LOG);
        told();

        Copy again = new Copy(LOG).begin().up("a", "b");
        assertThat(told()).containsExactly("switched");
        Set<String> read = replicas.read(metadata -> Set.copyOf(metadata.nodes().keySet()));
        assertThat(read).containsExactlyInAnyOrder("a", "b");
        again.up("c");
        assertThat(told()).containsExactly("follows 7 with [a, b, c]");
        again.up("d");

        assertThat(told()).containsExactly("nodes [a, b, c, d]");
    }

    @Test
    void shouldShowTheLogThatIsLeftUntilTheStateOfTheNextIsHere() {
        replicas.follow(LOG);
        Copy left = new Copy(LOG).begin().up("a");
        told();

        replicas.follow(OTHER_LOG);
        left.up("b");
        assertThat(told()).containsExactly("nodes [a, b]");
        Copy next = new Copy(OTHER_LOG).begin();
        assertThat(told()).containsExactly("switched", "follows 8 with []");
        left.up("c");
        next.up("d");

        assertThat(told()).containsExactly("nodes [d]");
    }
}
