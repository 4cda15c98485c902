package io.warren.mirroring.raft;

import java.util.List;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Classes of Ratis that a node needs when it stands for election and comes to lead, and not before.
 *
 * <p>Loaded when they are needed they took the larger part of the time from the vote to a leader that takes commands. A name that is not there
 * costs that time and nothing else.
 */
final class LeaderClasses {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderClasses.class);

    static final List<String> NAMES = List.of(
            "server.impl.LeaderElection",
            "server.impl.LeaderElection$ServerInterface",
            "server.impl.LeaderElection$ServerInterface$1",
            "server.impl.LeaderElection$Executor",
            "server.impl.LeaderElection$ConfAndTerm",
            "server.impl.LeaderElection$ResultAndTerm",
            "server.impl.VoteContext",
            "server.impl.LeaderStateImpl",
            "server.impl.LeaderStateImpl$EventProcessor",
            "server.impl.LeaderStateImpl$EventQueue",
            "server.impl.LeaderStateImpl$SenderList",
            "server.impl.LeaderStateImpl$FollowerInfoMap",
            "server.impl.LeaderStateImpl$CurrentOldFollowerInfos",
            "server.impl.LeaderStateImpl$MinMajorityMax",
            "server.impl.LeaderStateImpl$StartupLogEntry",
            "server.impl.LeaderStateImpl$StateUpdateEvent",
            "server.impl.PendingRequests",
            "server.impl.PendingRequests$RequestMap",
            "server.impl.PendingRequests$RequestLimits",
            "server.impl.WatchRequests",
            "server.impl.WatchRequests$WatchQueue",
            "server.impl.MessageStreamRequests",
            "server.impl.PendingStepDown",
            "server.impl.ReadIndexHeartbeats",
            "server.impl.LeaderLease",
            "server.impl.FollowerInfoImpl",
            "server.leader.LogAppenderBase",
            "server.leader.LogAppenderDaemon",
            "grpc.metrics.GrpcServerMetrics",
            "grpc.server.GrpcLogAppender",
            "grpc.server.GrpcLogAppender$AppendEntriesRequest",
            "grpc.server.GrpcLogAppender$AppendLogResponseHandler",
            "grpc.server.GrpcLogAppender$ReplyState",
            "grpc.server.GrpcLogAppender$RequestMap",
            "grpc.server.GrpcLogAppender$StreamObservers");

    private LeaderClasses() {}

    /** Loads them all; returns how many there are. */
    static int load() {
        int loaded = 0;
        for (String name : NAMES) {
            try {
                Class.forName("org.apache.ratis." + name, true, RaftServer.class.getClassLoader());
                loaded++;
            } catch (ClassNotFoundException | LinkageError absent) {
                LOG.debug("this Ratis has no {}", name, absent);
            }
        }
        return loaded;
    }
}
