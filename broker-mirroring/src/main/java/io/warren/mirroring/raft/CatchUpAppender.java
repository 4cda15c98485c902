package io.warren.mirroring.raft;

import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.jspecify.annotations.Nullable;

/**
 * Brings one follower up to date, as Ratis does, and sees one case more in which it needs a snapshot.
 *
 * <p>A leader's copy of the log begins with the first entry of a term more often than not, and a follower that ended with the term before
 * asks for that very entry. It is there; what is not is the entry before it, which has to be named with it, unless the latest snapshot
 * happens to end there. Ratis 3.2.2 takes that for an error of its own, and sends that follower nothing any more.
 */
final class CatchUpAppender extends GrpcLogAppender {
    CatchUpAppender(RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
        super(server, leader, follower);
    }

    @Override
    public @Nullable SnapshotInfo shouldInstallSnapshot() {
        SnapshotInfo wanted = super.shouldInstallSnapshot();
        return wanted != null ? wanted : snapshotForWhatComesBefore();
    }

    private @Nullable SnapshotInfo snapshotForWhatComesBefore() {
        long before = getFollower().getNextIndex() - 1;
        SnapshotInfo latest = getServer().getStateMachine().getLatestSnapshot();
        boolean isMissing = before >= 0
                && latest != null
                && latest.getIndex() > before
                && getRaftLog().getTermIndex(before) == null;
        return isMissing ? latest : null;
    }
}
