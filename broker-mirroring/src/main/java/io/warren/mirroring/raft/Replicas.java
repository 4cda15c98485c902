package io.warren.mirroring.raft;

import io.warren.core.metadata.Outcome;
import io.warren.mirroring.metadata.Metadata;
import io.warren.mirroring.metadata.MetadataListener;
import io.warren.mirroring.metadata.NodeState;
import io.warren.mirroring.ring.Member;
import io.warren.mirroring.ring.View;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of the logs this node holds, of which one is shown: to readers, and to listeners. It is the one followed; while the
 * node goes over to another log, it stays until that one's state is here.
 *
 * <p>One lock for all; it is held for a command, a read or a copy, and never while somebody else's code other than a reader runs.
 */
final class Replicas {
    /** What the shown replica causes. */
    interface Output {
        void onChange(Consumer<MetadataListener> what);

        void onApplied(long index);

        void onLeader(@Nullable String node);

        void onVoters(Map<String, String> addresses);

        void onStopped();

        /** Another log is shown from now on; comes before everything it tells. Runs under the lock. */
        void onSwitched();
    }

    private static final MetadataListener NOBODY = new MetadataListener() {};

    private final Object lock = new Object();
    private final Output output;
    private final Map<Long, MetadataMachine> machines = new HashMap<>();
    private @Nullable MetadataMachine shown;
    /** Of each log: how many commands listeners have been told of. A copy that is begun again tells nothing of these. */
    private final Map<Long, Long> told = new HashMap<>();

    private long followed;
    private @Nullable String leader;

    Replicas(Output output) {
        this.output = output;
    }

    /** The replica of a log, a new one if there is none. */
    MetadataMachine machine(long logId) {
        synchronized (lock) {
            MetadataMachine machine = machines.get(logId);
            if (machine == null) {
                Follower follower = new Follower();
                machine = new MetadataMachine(logId, lock, follower);
                follower.machine = machine;
                machines.put(logId, machine);
            }
            return machine;
        }
    }

    /** From now on this log is followed; it is shown at once if nothing else is, else when its state is here. */
    void follow(long logId) {
        synchronized (lock) {
            followed = logId;
            MetadataMachine machine = machine(logId);
            if (shown == null || machine.isBegun()) {
                shown = machine;
            }
        }
    }

    /** A log is not held any more; the next replica of it is a new one. */
    void forget(long logId) {
        synchronized (lock) {
            machines.remove(logId);
        }
    }

    MetadataMachine shown() {
        synchronized (lock) {
            if (shown == null) {
                throw new IllegalStateException("this node follows no metadata log yet");
            }
            return shown;
        }
    }

    <R> R read(Function<Metadata, R> reader) {
        synchronized (lock) {
            return shown().read(reader);
        }
    }

    /** Runs while nothing changes. */
    void whileStill(Consumer<MetadataMachine> what) {
        synchronized (lock) {
            what.accept(shown());
        }
    }

    @Nullable String leader() {
        synchronized (lock) {
            return leader;
        }
    }

    /** Passes on what one replica tells while it is the one that is shown. */
    private final class Follower implements MetadataMachine.Output {
        private @Nullable MetadataMachine machine;
        /** It plays what listeners have heard already, and nobody hears it again. */
        private boolean isBehind;

        private boolean isShown() {
            synchronized (lock) {
                return machine != null && shown == machine;
            }
        }

        private void change(Consumer<MetadataListener> what) {
            if (isShown() && isAhead()) {
                output.onChange(what);
            }
        }

        /** Whether what is applied now is news; notes that it was told. */
        private boolean isAhead() {
            synchronized (lock) {
                MetadataMachine own = machine;
                long applied = own == null ? 0 : own.read(Metadata::applied);
                long before = own == null ? 0 : told.getOrDefault(own.logId(), 0L);
                isBehind |= applied < before;
                if (own != null && !isBehind) {
                    told.put(own.logId(), applied);
                }
                return !isBehind;
            }
        }

        /** Where the copy stands, once it is where the one before it was. */
        private void catchUp() {
            synchronized (lock) {
                MetadataMachine own = machine;
                if (!isBehind || own == null || own.read(Metadata::applied) < told.getOrDefault(own.logId(), 0L)) {
                    return;
                }
                isBehind = false;
                told.put(own.logId(), own.read(Metadata::applied));
                Metadata state = own.read(metadata -> metadata.copy(NOBODY));
                output.onChange(one -> one.onFollowing(state));
            }
        }

        @Override
        public void onFollowing(Metadata state) {
            synchronized (lock) {
                MetadataMachine own = machine;
                if (own != null && own.logId() == followed && machines.get(followed) == own && shown != own) {
                    shown = own;
                    output.onSwitched();
                }
            }
            change(one -> one.onFollowing(state));
        }

        @Override
        public void onView(String group, View view) {
            change(one -> one.onView(group, view));
        }

        @Override
        public void onGroupDeleted(String group) {
            change(one -> one.onGroupDeleted(group));
        }

        @Override
        public void onQueuesLost(long applied, Outcome outcome) {
            change(one -> one.onQueuesLost(applied, outcome));
        }

        @Override
        public void onQueuesMoved(long applied, Outcome outcome) {
            change(one -> one.onQueuesMoved(applied, outcome));
        }

        @Override
        public void onNodes(Map<String, NodeState> nodes) {
            change(one -> one.onNodes(nodes));
        }

        @Override
        public void onTopology(long applied, Member submitter, List<Outcome> outcomes) {
            change(one -> one.onTopology(applied, submitter, outcomes));
        }

        @Override
        public void onApplied(long index) {
            if (isShown()) {
                catchUp();
                output.onApplied(index);
            }
        }

        @Override
        public void onLeader(@Nullable String node) {
            synchronized (lock) {
                MetadataMachine own = machine;
                if (own == null || own.logId() != followed) {
                    return;
                }
                leader = node;
            }
            output.onLeader(node);
        }

        @Override
        public void onVoters(RaftConfigurationProto voters) {
            if (isShown()) {
                output.onVoters(RaftEngine.addresses(voters));
            }
        }

        @Override
        public void onStopped() {
            if (isShown()) {
                output.onStopped();
            }
        }
    }
}
