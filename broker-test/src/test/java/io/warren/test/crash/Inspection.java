package io.warren.test.crash;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import io.warren.test.crash.Expected.MessageId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Looks at everything a restarted broker holds, and says what is wrong with it. Leaves all of it there, or takes it. */
final class Inspection {

    private static final long SECONDS_MAX = 60;

    private final Expected expected;
    private final int port;

    /** What is there: whether it was marked redelivered. */
    private final Map<MessageId, Boolean> present = new LinkedHashMap<>();

    private final List<String> wrong = new ArrayList<>();

    Inspection(Expected expected, int port) {
        this.expected = expected;
        this.port = port;
    }

    List<String> wrong() {
        return wrong;
    }

    int presentCount() {
        return present.size();
    }

    /**
     * Reads every queue, compares, and lets {@link Expected} go on from there.
     *
     * @param take whether messages are acknowledged, for good when the connection is closed
     */
    void run(boolean take) throws IOException, TimeoutException, InterruptedException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        factory.setAutomaticRecoveryEnabled(false);
        try (Connection connection = factory.newConnection()) {
            for (Map.Entry<String, Boolean> queue :
                    Map.copyOf(expected.queues()).entrySet()) {
                boolean exists = exists(connection, queue.getKey());
                if (exists != queue.getValue()) {
                    wrong.add("queue " + queue.getKey() + (exists ? " is back" : " is lost"));
                }
                if (exists) {
                    read(connection, queue.getKey(), take);
                } else {
                    expected.queues().remove(queue.getKey());
                }
            }
        }
        compare();
        expected.found(take ? Map.of() : present);
    }

    private static boolean exists(Connection connection, String queue) throws IOException, TimeoutException {
        Channel channel = connection.createChannel();
        try {
            channel.queueDeclarePassive(queue);
            channel.close();
            return true;
        } catch (IOException notFound) {
            return false;
        }
    }

    private void read(Connection connection, String queue, boolean take)
            throws IOException, TimeoutException, InterruptedException {
        Channel channel = connection.createChannel();
        long count = channel.messageCount(queue);
        if (count > 0) {
            CountDownLatch all = new CountDownLatch((int) count);
            channel.basicConsume(queue, false, new DefaultConsumer(channel) {
                @Override
                public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body)
                        throws IOException {
                    MessageId id = MessageId.of(new String(body, StandardCharsets.UTF_8));
                    if (present.put(id, envelope.isRedeliver()) != null) {
                        wrong.add(id + " is there twice");
                    }
                    if (take && all.getCount() == 1) {
                        channel.basicAck(envelope.getDeliveryTag(), true);
                    }
                    all.countDown();
                }
            });
            if (!all.await(SECONDS_MAX, TimeUnit.SECONDS)) {
                wrong.add("queue " + queue + " says it has " + count + " and gave " + (count - all.getCount()));
            }
        }
        channel.close();
        if (queue.startsWith("temporary-")) {
            try (Channel deleting = connection.createChannel()) {
                deleting.queueDelete(queue);
                expected.queue(queue, false);
            }
            present.keySet().stream()
                    .filter(id -> id.queue().equals(queue))
                    .forEach(id -> expected.of(id).mayBeGone = true);
        }
    }

    private void compare() {
        expected.fates().forEach((id, fate) -> {
            Boolean redelivered = present.get(id);
            if (redelivered == null) {
                if (fate.confirmed && !fate.mayBeGone) {
                    wrong.add("lost: " + id);
                }
            } else if (fate.mustBeGone) {
                wrong.add("came back though its acknowledgement was committed: " + id);
            } else if (fate.delivered && !redelivered) {
                wrong.add("came back without its mark: " + id);
            }
        });
        Map<String, Long> last = new HashMap<>();
        present.keySet().forEach(id -> {
            if (!expected.fates().containsKey(id)) {
                wrong.add("never published: " + id);
            }
            Long before = last.put(id.queue() + id.publisher(), id.number());
            if (before != null && before >= id.number()) {
                wrong.add("out of order: " + id + " behind " + before);
            }
        });
        present.keySet().removeIf(id -> id.queue().startsWith("temporary-"));
    }
}
