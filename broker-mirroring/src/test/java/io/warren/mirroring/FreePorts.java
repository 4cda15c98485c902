package io.warren.mirroring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports of the loopback for nodes of tests, below those that outgoing connections get: those could take a port before its node does. */
public final class FreePorts {
    private static final int FIRST = 12_000;
    private static final int A_PROCESS = 200;
    private static final int PROCESSES = 80;
    private static final int TRIES = 1_000;

    /** Other processes of the build begin elsewhere. */
    private static final AtomicInteger NEXT =
            new AtomicInteger(FIRST + (int) (ProcessHandle.current().pid() % PROCESSES) * A_PROCESS);

    private FreePorts() {}

    /** A port that is free now. */
    public static int one() {
        return inARow(1);
    }

    /** The first of so many ports in a row that are free now; no test of this process is given one of them again. */
    public static int inARow(int count) {
        IOException last = null;
        for (int tries = 0; tries < TRIES; tries++) {
            int first = NEXT.getAndAdd(count);
            List<ServerSocket> taken = new ArrayList<>();
            try {
                for (int port = first; port < first + count; port++) {
                    taken.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
                }
                return first;
            } catch (IOException inUse) {
                last = inUse;
            } finally {
                taken.forEach(FreePorts::close);
            }
        }
        throw new IllegalStateException("no free ports in a row, count=" + count, last);
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
