package io.warren.test.rounds;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.warren.test.process.ProcessUse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many durable mirrored queues on three processes: {@code ManyQueues QUEUES DIRECTORY}. Prints how fast they are declared, what they cost when nobody uses them, and
 * how long it takes until every queue of a node that is killed is led, and answers, elsewhere.
 */
final class ManyQueues {
    private static final long IDLE_MS = 15_000;
    private static final long SETTLE_MS = 5_000;
    private static final int FAIL_OVER_SECONDS = 120;
    /** Of each node's connection: so many declarations of a node's clients are under way at a time. */
    private static final int CHANNELS = 8;

    private static final int STEP = 1_000;
    private static final double NS = 1e9;
    private static final double NS_OF_MS = 1e6;
    private static final int MIB = 1 << 20;

    private final Nodes nodes;
    private final int count;

    private ManyQueues(int count, Path work) throws IOException {
        this.count = count;
        nodes = new Nodes(work);
    }

    public static void main(String[] arguments) throws Exception {
        ManyQueues queues = new ManyQueues(Integer.parseInt(arguments[0]), Path.of(arguments[1]));
        boolean isWhole;
        try {
            queues.nodes.start();
            queues.idle("without queues");
            queues.declare();
            queues.idle("with " + queues.count + " queues");
            isWhole = queues.failOver();
        } finally {
            queues.nodes.end();
        }
        System.exit(isWhole ? 0 : 1);
    }

    private static String name(int number) {
        return "q" + number;
    }

    /** Clients of all nodes declare, thousand after thousand, so that it shows whether it costs more the more there are. */
    private void declare() throws IOException, InterruptedException {
        List<String> clients = new ArrayList<>();
        for (int channel = 0; channel < CHANNELS; channel++) {
            clients.addAll(Nodes.NAMES);
        }
        for (int first = 0; first < count; first += STEP) {
            int end = Math.min(count, first + STEP);
            Map<String, ProcessUse> before = nodes.use();
            long beganNs = System.nanoTime();
            inParallel(clients, first, end, (channel, name) -> channel.queueDeclare(name, true, false, false, null));
            double seconds = (System.nanoTime() - beganNs) / NS;
            System.out.printf("declared %d to %d in %.1f s: %.0f/s;", first, end, seconds, (end - first) / seconds);
            for (Map.Entry<String, ProcessUse> each : nodes.use().entrySet()) {
                double usedMs = each.getValue().sinceNs(before.get(each.getKey())) / NS_OF_MS;
                System.out.printf(" node %s used %.2f ms of CPU for each", each.getKey(), usedMs / (end - first));
            }
            System.out.println();
        }
    }

    private interface Request {
        void of(Channel channel, String queue) throws IOException;
    }

    /** Asks for each of these queues once: over one channel for each client in the list, at that node. */
    private void inParallel(List<String> clients, int first, int end, Request request) throws InterruptedException {
        Map<String, Connection> connections = new ConcurrentHashMap<>();
        Queue<Exception> failures = new ConcurrentLinkedQueue<>();
        AtomicInteger next = new AtomicInteger(first);
        List<Thread> threads = new ArrayList<>();
        for (String client : clients) {
            threads.add(new Thread(() -> {
                try {
                    Channel channel = connections
                            .computeIfAbsent(client, ManyQueues::connect)
                            .createChannel();
                    for (int number = next.getAndIncrement(); number < end; number = next.getAndIncrement()) {
                        request.of(channel, name(number));
                    }
                } catch (IOException | RuntimeException failed) {
                    failures.add(failed);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        connections.values().forEach(Connection::abort);
        if (!failures.isEmpty()) {
            throw new IllegalStateException(failures.size() + " clients have failed", failures.peek());
        }
    }

    private static Connection connect(String node) {
        try {
            return Nodes.connect(node);
        } catch (IOException | TimeoutException failed) {
            throw new IllegalStateException("cannot connect to " + node, failed);
        }
    }

    private void idle(String when) throws IOException, InterruptedException {
        Thread.sleep(SETTLE_MS);
        Map<String, ProcessUse> before = nodes.use();
        Thread.sleep(IDLE_MS);
        for (Map.Entry<String, ProcessUse> each : nodes.use().entrySet()) {
            ProcessUse now = each.getValue();
            System.out.printf(
                    "idle %s: node %s %.1f %% of a core, %d threads, %d MiB resident, %.1f MiB live on the heap%n",
                    when,
                    each.getKey(),
                    100.0 * now.sinceNs(before.get(each.getKey())) / NS_OF_MS / IDLE_MS,
                    now.threadCount(),
                    now.residentBytes() / MIB,
                    nodes.get(each.getKey()).memory().heapBytes() / (double) MIB);
        }
    }

    private boolean failOver() throws IOException, InterruptedException {
        MirroredNodeProcess survivor = nodes.get("b");
        int led = survivor.masters().getOrDefault("a", 0);
        long killedNs = System.nanoTime();
        nodes.get("a").kill();
        while (survivor.masters().getOrDefault("a", 0) > 0 || survivor.masters().containsKey("-")) {
            if (System.nanoTime() - killedNs > FAIL_OVER_SECONDS * NS) {
                System.out.println("wrong: after " + FAIL_OVER_SECONDS + " s: " + survivor.masters());
                return false;
            }
            Thread.sleep(20);
        }
        double movedMs = (System.nanoTime() - killedNs) / 1e6;
        inParallel(Collections.nCopies(CHANNELS, "b"), 0, count, Channel::queueDeclarePassive);
        System.out.printf(
                "killed the master of %d queues: others lead them after %.0f ms, and all %d queues have answered after %.0f ms%n",
                led, movedMs, count, (System.nanoTime() - killedNs) / 1e6);
        return true;
    }
}
