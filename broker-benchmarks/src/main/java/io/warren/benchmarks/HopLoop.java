package io.warren.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.HdrHistogram.Histogram;

/**
 * The least a ring of three can do over TCP: B and C pass on bytes as they come, A keeps so many frames in flight and counts what
 * comes round. Nothing is ordered, kept, counted at the others or confirmed; blocking sockets, over loopback.
 */
final class HopLoop implements AutoCloseable {

    private static final int NODES = 3;
    private static final int BUFFER_BYTES = 1 << 17;

    private final ServerSocket[] servers = new ServerSocket[NODES];
    private final Socket[] in = new Socket[NODES];
    private final Socket[] out = new Socket[NODES];

    private HopLoop() throws IOException {
        for (int node = 0; node < NODES; node++) {
            servers[node] = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        }
        for (int node = 0; node < NODES; node++) {
            int next = (node + 1) % NODES;
            out[node] = new Socket(servers[next].getInetAddress(), servers[next].getLocalPort());
            out[node].setTcpNoDelay(true);
            in[next] = servers[next].accept();
        }
        for (int node = 1; node < NODES; node++) {
            relay(in[node], out[node]);
        }
    }

    private static void relay(Socket from, Socket to) {
        Thread thread = new Thread(() -> {
            byte[] buffer = new byte[BUFFER_BYTES];
            try (from;
                    to) {
                InputStream source = from.getInputStream();
                OutputStream target = to.getOutputStream();
                for (int count = source.read(buffer); count > 0; count = source.read(buffer)) {
                    target.write(buffer, 0, count);
                }
            } catch (IOException closed) {
                // The measurement is over: A has closed its ends.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** Laps a second, with so many frames of so many bytes in flight. */
    private double laps(int window, int bytes, long forMs, Histogram times) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        InputStream source = in[0].getInputStream();
        OutputStream target = out[0].getOutputStream();
        target.write(new byte[window * bytes]);
        long read = 0;
        long ofLap = 0;
        long beganNs = System.nanoTime();
        long lapNs = beganNs;
        long endNs = beganNs + forMs * 1_000_000;
        long nowNs = beganNs;
        while (nowNs < endNs) {
            int count = source.read(buffer);
            read += count;
            ofLap += count;
            nowNs = System.nanoTime();
            if (ofLap >= (long) window * bytes) {
                ofLap -= (long) window * bytes;
                times.recordValue(nowNs - lapNs);
                lapNs = nowNs;
            }
            target.write(buffer, 0, count);
        }
        double rate = (double) read / bytes / ((nowNs - beganNs) / 1e9);
        // What is still in flight comes in before the next measurement begins.
        for (long left = (long) window * bytes; left > 0; ) {
            left -= source.read(buffer, 0, (int) Math.min(buffer.length, left));
        }
        return rate;
    }

    @Override
    public void close() throws IOException {
        out[0].close();
        for (ServerSocket server : servers) {
            server.close();
        }
    }

    /** As {@link RingLoad} measures, as far as there is anything. */
    static Measurement of(int window) {
        return effort -> {
            double[] values = new double[RingLoad.METRICS];
            try (HopLoop loop = new HopLoop()) {
                Histogram ignored = new Histogram(3);
                loop.laps(window, RingLoad.LARGE_BYTES, effort.warmUpMs(), ignored);
                values[0] = loop.laps(window, RingLoad.LARGE_BYTES, effort.measuredMs(), ignored);
                values[1] = loop.laps(window, RingLoad.SMALL_BYTES, effort.measuredMs(), ignored);
                Histogram times = new Histogram(3);
                loop.laps(1, RingLoad.LARGE_BYTES, effort.measuredMs(), times);
                values[2] = times.getValueAtPercentile(50) / 1e3;
                values[3] = Double.NaN;
            }
            return values;
        };
    }
}
