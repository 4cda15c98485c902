package io.warren.amqp.session;

import io.warren.amqp.method.ConnectionMethod;
import org.jspecify.annotations.Nullable;

/**
 * Whether a connection is read at all: one that publishes during an alarm is stopped whole, its acknowledgements too,
 * until the alarm is over; and one whose queues cannot follow, until they do.
 *
 * <p>As RabbitMQ does it: a connection that does not publish meanwhile is not stopped, whatever it did before, and
 * connection.blocked is said to those that are stopped. Owned by its connection.
 */
final class PublisherPause {

    private final SessionOutput output;
    private @Nullable String alarm;
    private boolean tellsClient;
    private boolean toldClient;
    private @Nullable AmqpChannel waiting;
    private boolean paused;

    PublisherPause(SessionOutput output) {
        this.output = output;
    }

    boolean isPaused() {
        return paused;
    }

    /** A publish begins on a channel. */
    void onPublish(AmqpChannel channel) {
        if (!channel.mayPublish()) {
            waiting = channel;
            update();
        }
    }

    /** A channel that had to wait may go on, or is gone. */
    void onPublishable(AmqpChannel channel) {
        if (waiting == channel && channel.mayPublish()) {
            waiting = null;
            update();
        }
    }

    void onAlarm(String reason, boolean tell) {
        alarm = reason;
        tellsClient = tell;
        update();
    }

    void onAlarmOver() {
        alarm = null;
        if (waiting != null && waiting.mayPublish()) {
            waiting = null;
        }
        update();
    }

    /** The connection ends: what still comes is read, to find its end. */
    void end() {
        waiting = null;
        alarm = null;
        toldClient = false;
        update();
    }

    private void update() {
        boolean stopped = waiting != null;
        if (stopped != paused) {
            paused = stopped;
            output.pause(stopped);
        }
        if (stopped && alarm != null && tellsClient && !toldClient) {
            toldClient = true;
            output.method(0, new ConnectionMethod.Blocked(alarm));
        } else if (alarm == null && toldClient) {
            toldClient = false;
            output.method(0, new ConnectionMethod.Unblocked());
        }
    }
}
