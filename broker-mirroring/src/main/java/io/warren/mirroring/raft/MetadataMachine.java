package io.warren.mirroring.raft;

import io.warren.mirroring.metadata.Command;
import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.MetadataState;
import io.warren.mirroring.metadata.Result;
import io.warren.mirroring.metadata.format.LogEntry;
import io.warren.mirroring.metadata.format.LogSummary;
import io.warren.mirroring.metadata.format.StateBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replica of the metadata as a state machine of Ratis.
 *
 * <p>Ratis calls it from one thread at a time for what changes the replica; readers come from any. The lock is the store's. A
 * log begins with a state, in one entry or in several; until the last of them is there, the replica is empty and nobody is told
 * anything.
 */
final class MetadataMachine extends BaseStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataMachine.class);

    /** What it causes besides what the replica tells; not to wait. */
    interface Output extends MetadataListener {
        /** Entries up to this one are in the replica, and what they changed was told. */
        void onApplied(long index);

        /** Somebody leads, and takes entries if it is this node; null while nobody is known to. */
        void onLeader(@Nullable String node);

        /** These vote from now on; committed. */
        void onVoters(RaftConfigurationProto voters);

        /** Ratis has stopped this log by itself. */
        void onStopped();
    }

    private final long logId;
    private final Object lock;
    private final Output output;
    private final SnapshotFiles snapshots = new SnapshotFiles();
    private Metadata replica;
    private boolean begun;
    private ByteArrayOutputStream beginning = new ByteArrayOutputStream();
    /** This node's name if it was elected last, else null. */
    private volatile @Nullable String elected;

    MetadataMachine(long logId, Object lock, Output output) {
        this.logId = logId;
        this.lock = lock;
        this.output = output;
        replica = new Metadata(LogId.first(logId), output);
    }

    // ------------------------------------------------------------------------------------------------ questions

    long logId() {
        return logId;
    }

    <R> R read(Function<Metadata, R> reader) {
        synchronized (lock) {
            return reader.apply(replica);
        }
    }

    /** Whether the state with which the log begins is there. */
    boolean isBegun() {
        synchronized (lock) {
            return begun;
        }
    }

    /** The state once these entries are applied as well, which the log may hold without knowing them committed. */
    @Nullable MetadataState with(List<LogEntryProto> entries) {
        synchronized (lock) {
            MetadataMachine ahead = new MetadataMachine(logId, new Object(), new Silent());
            ahead.replica = replica.copy(new Silent());
            ahead.begun = begun;
            ahead.beginning.writeBytes(beginning.toByteArray());
            long applied = getLastAppliedTermIndex().getIndex();
            entries.stream()
                    .filter(entry -> entry.getIndex() > applied)
                    .forEach(entry -> ahead.apply(LogEntry.read(content(entry))));
            return ahead.begun ? ahead.replica.state() : null;
        }
    }

    /** What another node asks that does not follow this log, and may have to: a summary of it, or nothing while it has not begun. */
    @Override
    public CompletableFuture<Message> query(Message request) {
        synchronized (lock) {
            return CompletableFuture.completedFuture(
                    begun
                            ? Message.valueOf(
                                    ByteString.copyFrom(LogSummary.of(replica).bytes()))
                            : Message.EMPTY);
        }
    }

    // ---------------------------------------------------------------------------------------------------- entries

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        byte[] results;
        try {
            synchronized (lock) {
                results = apply(LogEntry.read(content(entry)));
                updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
            }
        } catch (IllegalArgumentException unreadable) {
            LOG.error("{}: entry {} of the metadata log cannot be applied: the log stops here", this, entry.getIndex());
            throw unreadable;
        }
        output.onApplied(entry.getIndex());
        return CompletableFuture.completedFuture(Message.valueOf(ByteString.copyFrom(results)));
    }

    static ByteBuffer content(LogEntryProto entry) {
        return entry.getStateMachineLogEntry().getLogData().asReadOnlyByteBuffer();
    }

    /** For each command a byte: 1 applied, 0 refused. */
    private byte[] apply(LogEntry entry) {
        if (entry instanceof LogEntry.Part part) {
            begin(part);
            return new byte[0];
        }
        List<Command> commands = ((LogEntry.Commands) entry).commands();
        byte[] results = new byte[commands.size()];
        for (int i = 0; i < results.length; i++) {
            results[i] = (byte) (replica.apply(commands.get(i)) == Result.APPLIED ? 1 : 0);
        }
        return results;
    }

    /** Whoever founds a log may have had to send a part again, or all of them. */
    private void begin(LogEntry.Part part) {
        if (begun) {
            return;
        }
        if (part.number() == 0) {
            beginning = new ByteArrayOutputStream();
        }
        beginning.writeBytes(part.bytes());
        if (part.isLast()) {
            follow(StateBytes.read(beginning.toByteArray()));
            beginning = new ByteArrayOutputStream();
        }
    }

    private void follow(MetadataState state) {
        replica = Metadata.of(state, output);
        begun = true;
        output.onFollowing(replica.copy(new Silent()));
    }

    private static final class Silent implements Output {
        @Override
        public void onApplied(long index) {}

        @Override
        public void onLeader(@Nullable String node) {}

        @Override
        public void onVoters(RaftConfigurationProto voters) {}

        @Override
        public void onStopped() {}
    }

    // -------------------------------------------------------------------------------------------------- snapshots

    @Override
    public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage storage) throws IOException {
        getLifeCycle().startAndTransition(() -> {
            super.initialize(server, groupId, storage);
            snapshots.init(storage);
            load();
        });
    }

    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    /** A snapshot has come from the leader. */
    @Override
    public void reinitialize() throws IOException {
        load();
        getLifeCycle().transition(LifeCycle.State.STARTING);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    private void load() throws IOException {
        SnapshotFiles.Snapshot found = snapshots.read();
        if (found != null) {
            synchronized (lock) {
                setLastAppliedTermIndex(found.at());
                follow(StateBytes.read(found.bytes()));
            }
            output.onApplied(found.at().getIndex());
        }
    }

    @Override
    public long takeSnapshot() throws IOException {
        TermIndex at;
        MetadataState state;
        synchronized (lock) {
            if (!begun) {
                return RaftLog.INVALID_LOG_INDEX;
            }
            at = getLastAppliedTermIndex();
            state = replica.state();
        }
        snapshots.write(at, StateBytes.of(state));
        return at.getIndex();
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return snapshots.storage();
    }

    // ------------------------------------------------------------------------------------------------------ events

    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        super.notifyTermIndexUpdated(term, index);
        output.onApplied(index);
    }

    /** Who is elected takes no entry before one of its own is committed: of itself a node is told then. */
    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, @Nullable RaftPeerId leader) {
        String name = leader == null || leader.toString().isEmpty() ? null : leader.toString();
        String self = member.getPeerId().toString();
        elected = self.equals(name) ? self : null;
        output.onLeader(self.equals(name) ? null : name);
    }

    @Override
    public void notifyLeaderReady() {
        output.onLeader(elected);
    }

    @Override
    public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto voters) {
        output.onVoters(voters);
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean allServer) {
        output.onStopped();
    }
}
