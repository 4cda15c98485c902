package io.warren.mirroring.simulation;

import java.util.ArrayDeque;

/**
 * The links between all nodes: one session a pair, in order, lost as a whole.
 *
 * <p>A direction that is blocked holds what is sent, as a connection does, until the link is found dead and closed. Each end hears
 * of a link that came up before anything sent over it, and of one that went down before the next.
 */
final class SimulatedNetwork {
    /** A broken link is found by its silence. */
    private static final long DETECTION_MS = 400;

    private final Simulation world;
    private final int size;
    private boolean openingAtOnce;
    private final int[][] session;
    private final boolean[][] up;
    private final int[][] blocked;
    private final int[][] slow;
    private final long[][] lastArrival;
    /** When a message from one to the other last arrived. */
    private final long[][] heardAt;

    private final long[][] badSince;
    private final long[][] changedAt;
    private final ArrayDeque<Runnable>[][] held;

    @SuppressWarnings({"unchecked", "rawtypes"})
    SimulatedNetwork(Simulation world, int size) {
        this.world = world;
        this.size = size;
        session = new int[size][size];
        up = new boolean[size][size];
        blocked = new int[size][size];
        slow = new int[size][size];
        lastArrival = new long[size][size];
        heardAt = new long[size][size];
        badSince = new long[size][size];
        changedAt = new long[size][size];
        held = new ArrayDeque[size][size];
        for (int from = 0; from < size; from++) {
            for (int to = 0; to < size; to++) {
                held[from][to] = new ArrayDeque<>();
                badSince[from][to] = -1;
            }
        }
    }

    boolean isUp(int a, int b) {
        return a == b || up[Math.min(a, b)][Math.max(a, b)];
    }

    /** Whether the link has been up, or down, for a time. */
    boolean isSteady(int a, int b, boolean asUp, long forNs) {
        return a == b || (isUp(a, b) == asUp && world.nowNs() - changedAt[Math.min(a, b)][Math.max(a, b)] >= forNs);
    }

    int session(int a, int b) {
        return session[Math.min(a, b)][Math.max(a, b)];
    }

    /** Whether a message and its answer would get through. */
    boolean isOpen(int a, int b) {
        return a == b || (isUp(a, b) && blocked[a][b] == 0 && blocked[b][a] == 0);
    }

    /** When each of the two had last heard from the other; now, of a node with itself. */
    long contactNs(int a, int b) {
        return a == b ? world.nowNs() : Math.min(heardAt[a][b], heardAt[b][a]);
    }

    void block(int from, int to) {
        blocked[from][to]++;
    }

    void unblock(int from, int to) {
        if (blocked[from][to] == 0) {
            // Everything was healed before this fault's time was over.
            return;
        }
        blocked[from][to]--;
        if (blocked[from][to] == 0) {
            while (!held[from][to].isEmpty()) {
                arrive(from, to, held[from][to].removeFirst());
            }
        }
    }

    void slow(int a, int b, int change) {
        slow[a][b] += change;
        slow[b][a] += change;
    }

    /** From now on a link that can be opened is. */
    void openAtOnce() {
        openingAtOnce = true;
    }

    void healAll() {
        for (int from = 0; from < size; from++) {
            for (int to = 0; to < size; to++) {
                slow[from][to] = 0;
                while (blocked[from][to] > 0) {
                    unblock(from, to);
                }
            }
        }
    }

    /** Sends over a session; what is sent over one that has ended is lost, as is what has not arrived when it ends. */
    void send(int from, int to, int over, Runnable onArrival) {
        if (!isUp(from, to) || session(from, to) != over) {
            return;
        }
        Runnable guarded = () -> {
            if (session(from, to) == over) {
                heardAt[from][to] = world.nowNs();
                onArrival.run();
            }
        };
        if (blocked[from][to] > 0) {
            held[from][to].addLast(guarded);
        } else {
            arrive(from, to, guarded);
        }
    }

    private void arrive(int from, int to, Runnable what) {
        long delay = world.between(100_000, 2_000_000);
        if (slow[from][to] > 0) {
            delay += world.between(0, 300_000_000);
        }
        long at = Math.max(world.nowNs() + delay, lastArrival[from][to] + 1);
        lastArrival[from][to] = at;
        world.at(at, what);
    }

    /** Looks at every pair: broken links are closed, closed ones that can be are opened again. */
    void onTick() {
        for (int a = 0; a < size; a++) {
            for (int b = a + 1; b < size; b++) {
                boolean good =
                        world.isResponding(a) && world.isResponding(b) && blocked[a][b] == 0 && blocked[b][a] == 0;
                if (good) {
                    badSince[a][b] = -1;
                    if (!up[a][b] && (openingAtOnce || world.chance(2))) {
                        open(a, b);
                    }
                } else if (up[a][b]) {
                    if (badSince[a][b] < 0) {
                        badSince[a][b] = world.nowNs();
                    } else if (world.nowNs() - badSince[a][b] > DETECTION_MS * 1_000_000) {
                        reset(a, b);
                    }
                }
            }
        }
    }

    private void open(int a, int b) {
        up[a][b] = true;
        changedAt[a][b] = world.nowNs();
        int opened = ++session[a][b];
        send(a, b, opened, () -> world.node(b).onLinkUp(a, opened));
        send(b, a, opened, () -> world.node(a).onLinkUp(b, opened));
    }

    /** Closes a link and loses what is in it; false if it was closed already. */
    boolean reset(int one, int other) {
        int a = Math.min(one, other);
        int b = Math.max(one, other);
        if (a == b || !up[a][b]) {
            return false;
        }
        up[a][b] = false;
        changedAt[a][b] = world.nowNs();
        session[a][b]++;
        badSince[a][b] = -1;
        held[a][b].clear();
        held[b][a].clear();
        arrive(a, b, () -> world.node(b).onLinkDown(a));
        arrive(b, a, () -> world.node(a).onLinkDown(b));
        return true;
    }
}
