package io.warren.mirroring.raft;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** What differs from Ratis' defaults, and why. */
final class RaftProps {
    /** Largest command; a policy or a definitions import stays far below. */
    static final int COMMAND_BYTES_MAX = 8 * 1024 * 1024;

    /** Parts of the state with which a log begins: small beside the limit of an entry, and few. */
    static final int PART_BYTES = 1024 * 1024;

    private static final SizeInBytes APPEND_BYTES = SizeInBytes.valueOf("12MB");
    private static final SizeInBytes MESSAGE_BYTES = SizeInBytes.valueOf("32MB");
    /** Almost all that Ratis can count in milliseconds. */
    private static final TimeDuration NEVER = TimeDuration.valueOf(24, TimeUnit.DAYS);

    /**
     * How a leader goes on with a follower that does not answer: pauses, and how many of each. By default they are 5 s after half a minute; a node
     * that comes back would wait for so long, and ask for elections that nobody grants. What failed once is
     * sent again at once. Then there are pauses: the first that a new leader finds silent is the leader before it, and what it tries there takes the processor
     * from what the others wait for.
     */
    private static final String APPENDER_RETRIES = "1ms,1, 50ms,5, 250ms,1000000000";

    private RaftProps() {}

    static RaftProperties of(RaftSettings settings) {
        RaftProperties properties = new RaftProperties();
        RaftConfigKeys.Rpc.setType(properties, new SecuredGrpc());
        network(properties, settings);
        times(properties, settings);
        log(properties, settings);
        return properties;
    }

    private static void network(RaftProperties properties, RaftSettings settings) {
        GrpcConfigKeys.Server.setHost(properties, settings.host());
        GrpcConfigKeys.Server.setPort(properties, settings.port());
        GrpcConfigKeys.setMessageSizeMax(properties, MESSAGE_BYTES);
        // By default heartbeats have a connection of their own, which is made, with TLS and its keys, when a node has
        // come to lead: its first entry waits for that. The other one is kept (RaftEngine.connect), and little to wait
        // for is on it.
        GrpcConfigKeys.Server.setHeartbeatChannel(properties, false);
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, APPEND_BYTES);
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, APPENDER_RETRIES);
    }

    private static void times(RaftProperties properties, RaftSettings settings) {
        Duration election = settings.electionTimeout();
        TimeDuration patience = time(settings.patience());
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, time(election));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, time(election.multipliedBy(2)));
        // Nobody led before: whoever leads still will say so before anyone is voted for.
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, time(election.dividedBy(4)));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, time(election));
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, patience);
        // A node that is taken in may be one whose process has just started.
        RaftServerConfigKeys.setStagingTimeout(properties, TimeDuration.valueOf(10, TimeUnit.SECONDS));
        // By default a server shuts itself down after a pause of the process.
        RaftServerConfigKeys.setCloseThreshold(properties, NEVER);
        RaftServerConfigKeys.Rpc.setSlownessTimeout(properties, NEVER);
        TimeDuration request = time(settings.patience().plus(election));
        RaftServerConfigKeys.Rpc.setRequestTimeout(properties, request);
        RaftClientConfigKeys.Rpc.setRequestTimeout(properties, request);
    }

    private static void log(RaftProperties properties, RaftSettings settings) {
        RaftServerConfigKeys.setStorageDir(
                properties, List.of(settings.directory().toFile()));
        RaftServerConfigKeys.setRemovedGroupsDir(
                properties, settings.directory().resolve("removed").toFile());
        // A node's log is small and is dropped in whole segments.
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf("1MB"));
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf("64KB"));
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, SizeInBytes.valueOf("13MB"));
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, settings.snapshotEvery());
        RaftServerConfigKeys.Snapshot.setCreationGap(properties, 1);
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(properties, 2);
    }

    private static TimeDuration time(Duration duration) {
        return TimeDuration.valueOf(Math.max(1, duration.toMillis()), TimeUnit.MILLISECONDS);
    }
}
