package io.warren.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.warren.core.Broker;
import io.warren.core.Channel;
import io.warren.core.Connection;
import io.warren.core.QueueOptions;
import java.util.concurrent.CountDownLatch;

/** Two workers share a queue, and a prefetch of one gives the next task to whoever is free. */
public final class WorkQueue {

    private static final int TASKS = 6;

    private WorkQueue() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (Broker broker = Broker.start();
                Connection connection = broker.connect()) {
            Channel publisher = connection.openChannel();
            publisher.queueDeclare(QueueOptions.durable("tasks"));
            CountDownLatch slowHolds = new CountDownLatch(1);
            CountDownLatch othersDone = new CountDownLatch(TASKS - 1);
            CountDownLatch allDone = new CountDownLatch(TASKS);
            worker(connection, "slow", allDone, () -> {
                slowHolds.countDown();
                othersDone.await();
            });
            publisher.publish("", "tasks", "task 1".getBytes(UTF_8));
            slowHolds.await();
            worker(connection, "quick", allDone, othersDone::countDown);
            for (int task = 2; task <= TASKS; task++) {
                publisher.publish("", "tasks", ("task " + task).getBytes(UTF_8));
            }
            allDone.await();
        }
    }

    /** What a task costs. */
    private interface Work {
        void run() throws InterruptedException;
    }

    private static void worker(Connection connection, String name, CountDownLatch done, Work work) {
        Channel channel = connection.openChannel();
        channel.qos(1);
        channel.consume("tasks", delivery -> {
            try {
                System.out.println(name + " takes " + delivery.text());
                work.run();
                delivery.ack();
                // After it: a task that is not acknowledged when the connection closes goes to the other worker.
                done.countDown();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
