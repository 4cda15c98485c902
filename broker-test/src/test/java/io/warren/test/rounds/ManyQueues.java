package io.warren.test.rounds;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.warren.test.process.ProcessUse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * Many durable mirrored queues on three processes: {@code ManyQueues QUEUES DIRECTORY}. Prints how fast they are declared, what they cost when nobody uses them, and
 * how long it takes until every queue of a node that is killed is led, and answers, elsewhere.
 */
final class ManyQueues {
    private static final long IDLE_MS = 15_000;
    private static final long SETTLE_MS = 5_000;
    private static final int FAIL_OVER_SECONDS = 120;
    private static final double NS = 1e9;
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

    /** Every node's clients declare a third, one after the other. */
    private void declare() throws InterruptedException {
        long beganNs = System.nanoTime();
        List<Thread> clients = new ArrayList<>();
        for (int first = 0; first < Nodes.NAMES.size(); first++) {
            int offset = first;
            clients.add(new Thread(() -> declareFrom(offset)));
        }
        clients.forEach(Thread::start);
        for (Thread client : clients) {
            client.join();
        }
        double seconds = (System.nanoTime() - beganNs) / NS;
        System.out.printf("declared %d in %.1f s: %.0f/s%n", count, seconds, count / seconds);
    }

    private void declareFrom(int first) {
        try (Connection connection = Nodes.connect(Nodes.NAMES.get(first))) {
            Channel channel = connection.createChannel();
            for (int number = first; number < count; number += Nodes.NAMES.size()) {
                channel.queueDeclare(name(number), true, false, false, null);
            }
        } catch (IOException | TimeoutException failed) {
            throw new IllegalStateException("not all were declared", failed);
        }
    }

    private void idle(String when) throws IOException, InterruptedException {
        Thread.sleep(SETTLE_MS);
        Map<String, ProcessUse> before = nodes.use();
        Thread.sleep(IDLE_MS);
        nodes.use()
                .forEach((name, now) -> System.out.printf(
                        "idle %s: node %s %.1f %% of a core, %d threads, %d MiB%n",
                        when,
                        name,
                        100.0 * now.sinceNs(before.get(name)) / (IDLE_MS * 1_000_000.0),
                        now.threadCount(),
                        now.residentBytes() / MIB));
    }

    private boolean failOver() throws IOException, InterruptedException, TimeoutException {
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
        try (Connection connection = Nodes.connect("b")) {
            Channel channel = connection.createChannel();
            for (int number = 0; number < count; number++) {
                channel.queueDeclarePassive(name(number));
            }
        }
        System.out.printf(
                "killed the master of %d queues: others lead them after %.0f ms, and all %d queues have answered after %.0f ms%n",
                led, movedMs, count, (System.nanoTime() - killedNs) / 1e6);
        return true;
    }
}
