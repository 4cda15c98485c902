package io.warren.mirroring.raft;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;

/**
 * Ratis over gRPC between nodes that have proven to one another that they know the cluster's secret. Public because Ratis finds it by
 * its name.
 */
public final class SecuredGrpc implements RpcType {
    private static final String KEY = "warren.cluster.key";
    private static final String PORT = "warren.cluster.port";

    /** What a factory needs, as Ratis hands it on. */
    static Parameters parameters(ClusterTls tls, GuardedPort port) {
        Parameters parameters = new Parameters();
        parameters.put(KEY, tls, ClusterTls.class);
        parameters.put(PORT, port, GuardedPort.class);
        return parameters;
    }

    @Override
    public String name() {
        return SecuredGrpc.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        return new SecuredGrpcFactory(
                parameters.getNonNull(KEY, ClusterTls.class), parameters.getNonNull(PORT, GuardedPort.class));
    }
}
