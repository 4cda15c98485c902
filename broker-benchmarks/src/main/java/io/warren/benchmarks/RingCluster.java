package io.warren.benchmarks;

import io.netty.buffer.ByteBuf;
import io.warren.core.spi.ManualClock;
import io.warren.core.spi.Ticker;
import io.warren.mirroring.group.Groups;
import io.warren.mirroring.link.DownReason;
import io.warren.mirroring.link.Link;
import io.warren.mirroring.link.LinkListener;
import io.warren.mirroring.link.Links;
import io.warren.mirroring.link.MemoryNetwork;
import io.warren.mirroring.link.tcp.ClusterSecret;
import io.warren.mirroring.link.tcp.PayloadCodec;
import io.warren.mirroring.link.tcp.TcpLinks;
import io.warren.mirroring.link.tcp.TcpSettings;
import io.warren.mirroring.ring.Frame;
import io.warren.mirroring.ring.Member;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Three nodes with links between them, each with one thread that carries its links and its groups. */
final class RingCluster implements AutoCloseable {

    private static final int NODES = 3;
    private static final long LINKED_WITHIN_S = 10;

    @FunctionalInterface
    interface Factory {
        RingCluster open();
    }

    private final List<Member> members = new ArrayList<>();
    private final List<Groups<byte[]>> groups = new ArrayList<>();
    private final List<Links<byte[]>> links = new ArrayList<>();
    private final List<ExecutorService> threads = new ArrayList<>();
    private final CountDownLatch ends = new CountDownLatch(NODES * (NODES - 1));

    private RingCluster() {
        for (int node = 0; node < NODES; node++) {
            members.add(new Member("node-" + node, 1));
        }
    }

    static RingCluster tcp() {
        RingCluster cluster = new RingCluster();
        ClusterSecret secret = ClusterSecret.of("a secret for benchmarks");
        for (Member member : cluster.members) {
            TcpSettings settings = TcpSettings.of(
                    "benchmark", secret, new InetSocketAddress("127.0.0.1", 0), new MachineTime());
            Node node = cluster.new Node();
            TcpLinks<byte[]> tcp = new TcpLinks<>(member, settings, new Bytes(), node);
            node.groups = new Groups<>(member, tcp.executor());
            cluster.add(node.groups, tcp);
        }
        return cluster;
    }

    static RingCluster memory() {
        RingCluster cluster = new RingCluster();
        // Time stands still: there are no heartbeats, and nobody times out.
        ManualClock clock = new ManualClock();
        MemoryNetwork<byte[]> network = new MemoryNetwork<>(clock, clock, TimeUnit.SECONDS.toNanos(1));
        for (Member member : cluster.members) {
            ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
                Thread daemon = new Thread(task, member.node());
                daemon.setDaemon(true);
                return daemon;
            });
            cluster.threads.add(thread);
            Node node = cluster.new Node();
            node.groups = new Groups<>(member, thread);
            cluster.add(node.groups, network.join(member, thread, node));
        }
        return cluster;
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

    void awaitLinks() throws InterruptedException, TimeoutException {
        if (!ends.await(LINKED_WITHIN_S, TimeUnit.SECONDS)) {
            throw new TimeoutException("no links within " + LINKED_WITHIN_S + " s");
        }
    }

    @Override
    public void close() {
        links.forEach(Links::close);
        threads.forEach(ExecutorService::shutdownNow);
    }

    /** Hands on to its groups. */
    private final class Node implements LinkListener<byte[]> {
        // Set right after construction; the links do not call before a peer is there.
        volatile Groups<byte[]> groups = new Groups<>(new Member("nobody", 1), Runnable::run);

        @Override
        public void onUp(Link<byte[]> link) {
            groups.onUp(link);
            ends.countDown();
        }

        @Override
        public void onDown(Link<byte[]> link, DownReason reason) {
            groups.onDown(link);
        }

        @Override
        public void onRefused(Member peer) {}

        @Override
        public void onUnreached(String address, String why) {}

        @Override
        public void onFrame(Link<byte[]> link, String group, Frame<byte[]> frame, int bytes) {
            groups.onFrame(link, group, frame, bytes);
        }

        @Override
        public void onMessage(Link<byte[]> link, String group, int type, byte[] body, int bytes) {
            groups.onMessage(link, group, type);
        }

        @Override
        public void onHeartbeat(Link<byte[]> link, long[] values) {}
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
