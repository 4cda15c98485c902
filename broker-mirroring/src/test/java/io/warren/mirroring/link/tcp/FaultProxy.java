package io.warren.mirroring.link.tcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between two ends of TCP connections and does to them what networks do: delay, throttle, stall one way, inject, cut, and leave one
 * end open when the other is gone.
 *
 * <p>Faults hold for all connections, those to come included. Two threads a connection, ended with it.
 */
public final class FaultProxy implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 << 10;

    /** A way through the proxy. */
    public enum Way {
        TO_TARGET,
        FROM_TARGET
    }

    private final int targetPort;
    private final ServerSocket server;
    private final List<Connection> connections = new CopyOnWriteArrayList<>();

    /** Guards the faults, and wakes who waits for one to end. */
    private final Object lock = new Object();

    private final Faults toTarget = new Faults();
    private final Faults fromTarget = new Faults();

    private static final class Faults {
        boolean stalled;
        long delayMs;
        long bytesPerSecond = Long.MAX_VALUE;
    }

    private static final class Connection {
        final Socket client;
        final Socket target;
        volatile boolean isHalfOpen;

        Connection(Socket client, Socket target) {
            this.client = client;
            this.target = target;
        }

        void close() {
            quietly(client);
            quietly(target);
        }
    }

    public FaultProxy(int targetPort) throws IOException {
        this.targetPort = targetPort;
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    public String address() {
        return "127.0.0.1:" + port();
    }

    public int connectionCount() {
        return connections.size();
    }

    // --------------------------------------------------------------------------------------------------- faults

    /** Nothing comes through that way any more, and nobody is told. */
    public void stall(Way way) {
        synchronized (lock) {
            faults(way).stalled = true;
        }
    }

    /** Every way is open again, at full speed; what was held up goes on. */
    public void heal() {
        synchronized (lock) {
            for (Way way : Way.values()) {
                Faults faults = faults(way);
                faults.stalled = false;
                faults.delayMs = 0;
                faults.bytesPerSecond = Long.MAX_VALUE;
            }
            lock.notifyAll();
        }
    }

    /** Whatever comes takes so much longer. */
    public void delay(Way way, long delayMs) {
        synchronized (lock) {
            faults(way).delayMs = delayMs;
        }
    }

    public void throttle(Way way, long bytesPerSecond) {
        synchronized (lock) {
            faults(way).bytesPerSecond = bytesPerSecond;
        }
    }

    /** Every connection breaks, at both ends. */
    public void dropAll() {
        connections.forEach(Connection::close);
    }

    /** Every connection breaks at the target's end; the client's stays open and hears nothing. */
    public void leaveHalfOpen() {
        connections.forEach(connection -> {
            connection.isHalfOpen = true;
            quietly(connection.target);
        });
    }

    /** Puts bytes of nobody's into every connection. */
    public void inject(Way way, byte[] bytes) throws IOException {
        for (Connection connection : connections) {
            OutputStream out = (way == Way.TO_TARGET ? connection.target : connection.client).getOutputStream();
            synchronized (out) {
                out.write(bytes);
            }
        }
    }

    private Faults faults(Way way) {
        return way == Way.TO_TARGET ? toTarget : fromTarget;
    }

    // ---------------------------------------------------------------------------------------------------- traffic

    private void accept() throws IOException {
        while (true) {
            Socket client = server.accept();
            try {
                Socket target = new Socket(InetAddress.getLoopbackAddress(), targetPort);
                client.setTcpNoDelay(true);
                target.setTcpNoDelay(true);
                Connection connection = new Connection(client, target);
                connections.add(connection);
                daemon(() -> pump(connection, client, target, Way.TO_TARGET));
                daemon(() -> pump(connection, target, client, Way.FROM_TARGET));
            } catch (IOException nobodyThere) {
                quietly(client);
            }
        }
    }

    private void pump(Connection connection, Socket from, Socket to, Way way) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
                holdUp(way, count);
                synchronized (out) {
                    out.write(buffer, 0, count);
                }
            }
            awaitOpen(way);
        } finally {
            awaitOpen(way);
            if (!connection.isHalfOpen) {
                connections.remove(connection);
                connection.close();
            }
        }
    }

    private void holdUp(Way way, int bytes) {
        synchronized (lock) {
            Faults faults = faults(way);
            long waitMs = faults.delayMs + bytes * 1_000L / faults.bytesPerSecond;
            long endNs = System.nanoTime() + waitMs * 1_000_000;
            try {
                for (long leftMs = waitMs; leftMs > 0; leftMs = (endNs - System.nanoTime()) / 1_000_000) {
                    lock.wait(leftMs);
                }
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }
        awaitOpen(way);
    }

    private void awaitOpen(Way way) {
        synchronized (lock) {
            try {
                while (faults(way).stalled) {
                    lock.wait();
                }
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() throws IOException {
        heal();
        server.close();
        dropAll();
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void daemon(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException closed) {
                        // A socket was closed under it: that is how its work ends.
                    }
                },
                "fault-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void quietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyBroken) {
            // Broken is what it was to be.
        }
    }
}
