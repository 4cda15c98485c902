package io.warren.benchmarks;

import io.netty.buffer.ByteBuf;
import io.warren.core.spi.ManualClock;
import io.warren.core.spi.Ticker;
import io.warren.mirroring.group.Groups;
import io.warren.mirroring.link.Links;
import io.warren.mirroring.link.MemoryNetwork;
import io.warren.mirroring.link.tcp.ClusterSecret;
import io.warren.mirroring.link.tcp.PayloadCodec;
import io.warren.mirroring.link.tcp.TcpLinks;
import io.warren.mirroring.link.tcp.TcpSettings;
import io.warren.mirroring.ring.Member;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Three nodes with links between them, each with one thread that carries its links and its groups. */
final class RingCluster implements AutoCloseable {

    private static final int NODES = 3;

    @FunctionalInterface
    interface Factory {
        RingCluster open();
    }

    private final List<Member> members = new ArrayList<>();
    private final List<Groups<byte[]>> groups = new ArrayList<>();
    private final List<Links<byte[]>> links = new ArrayList<>();
    private final List<ExecutorService> threads = new ArrayList<>();

    private RingCluster() {
        for (int node = 0; node < NODES; node++) {
            members.add(new Member("node-" + node, 1));
        }
    }

    static RingCluster tcp() {
        RingCluster cluster = new RingCluster();
        ClusterSecret secret = ClusterSecret.of("a secret for benchmarks");
        for (Member member : cluster.members) {
            TcpSettings settings =
                    TcpSettings.of("benchmark", secret, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new MachineTime());
            TcpLinks<byte[]> tcp = new TcpLinks<>(member, settings, new Bytes());
            Groups<byte[]> ofNode = new Groups<>(member, tcp.executor());
            tcp.start(ofNode);
            cluster.add(ofNode, tcp);
        }
        return cluster;
    }

    static RingCluster memory() {
        RingCluster cluster = new RingCluster();
        // Time stands still: there are no heartbeats, and nobody times out.
        ManualClock clock = new ManualClock();
        MemoryNetwork<byte[]> network = new MemoryNetwork<>(clock, clock, TimeUnit.SECONDS.toNanos(1));
        for (Member member : cluster.members) {
            ExecutorService thread = thread(member.node());
            cluster.threads.add(thread);
            Groups<byte[]> ofNode = new Groups<>(member, thread);
            cluster.add(ofNode, network.join(member, thread, ofNode));
        }
        return cluster;
    }

    /** What comes after its end is dropped. */
    private static ExecutorService thread(String name) {
        return new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread daemon = new Thread(task, name);
                    daemon.setDaemon(true);
                    return daemon;
                },
                new ThreadPoolExecutor.DiscardPolicy());
    }

    private void add(Groups<byte[]> ofNode, Links<byte[]> itsLinks) {
        groups.add(ofNode);
        links.forEach(other -> itsLinks.keep(other.self().node(), other.address()));
        links.add(itsLinks);
    }

    List<Member> members() {
        return members;
    }

    Groups<byte[]> groups(int node) {
        return groups.get(node);
    }

    @Override
    public void close() {
        links.forEach(Links::close);
        threads.forEach(ExecutorService::shutdownNow);
    }

    private static final class Bytes implements PayloadCodec<byte[]> {
        @Override
        public void write(byte[] payload, ByteBuf out) {
            out.writeBytes(payload);
        }

        @Override
        public byte[] read(ByteBuf in) {
            byte[] payload = new byte[in.readableBytes()];
            in.readBytes(payload);
            return payload;
        }
    }

    private static final class MachineTime implements Ticker {
        @Override
        public long nowNs() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }
    }
}
