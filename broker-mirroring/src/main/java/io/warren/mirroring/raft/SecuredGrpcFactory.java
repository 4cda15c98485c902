package io.warren.mirroring.raft;

import org.apache.ratis.client.RaftClientRpc;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.client.GrpcClientRpc;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;

/**
 * Gives every server and client of Ratis this cluster's TLS. Ratis' own way to configure it would load a native library for the
 * server's end; this one stays with the JDK's. Followers are caught up by {@link CatchUpAppender}.
 */
final class SecuredGrpcFactory extends GrpcFactory {
    private final ClusterTls tls;
    private final GuardedPort port;

    /** @param port where servers listen */
    SecuredGrpcFactory(ClusterTls tls, GuardedPort port) {
        super(new Parameters());
        this.tls = tls;
        this.port = port;
    }

    @Override
    public GrpcServices newRaftServerRpc(RaftServer server) {
        SslContext accepting = tls.accepting();
        return GrpcServicesImpl.newBuilder()
                .setServer(server)
                .setCustomizer(port)
                .setAdminSslContext(accepting)
                .setClientSslContext(accepting)
                .setServerSslContextForServer(accepting)
                .setServerSslContextForClient(tls.connecting())
                .build();
    }

    @Override
    public LogAppender newLogAppender(RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
        return new CatchUpAppender(server, leader, follower);
    }

    @Override
    public GrpcClientRpc newRaftClientRpc(ClientId clientId, RaftProperties properties) {
        SslContext connecting = tls.connecting();
        return new GrpcClientRpc(clientId, properties, connecting, connecting);
    }

    /** Whoever asks others without being a server. */
    RaftClientRpc client(ClientId clientId, RaftProperties properties) {
        return newRaftClientRpc(clientId, properties);
    }
}
