package io.warren.core.internal;

import io.warren.core.channel.AcknowledgementTimeout;
import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.core.spi.Scheduler.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Looks at a channel again and again, and closes it once a delivery is overdue. Owned by the channel's mailbox. */
final class ConsumerTimeout {

    /** RabbitMQ looks once a minute. */
    private static final long INTERVAL_MAX_NS = Duration.ofMinutes(1).toNanos();

    private static final int LOOKS_PER_TIMEOUT = 4;

    private final BrokerWiring wiring;
    private final ChannelProcess channel;
    private final Duration timeout;
    private final AcknowledgementTimeout acknowledgements;
    private final long intervalNs;
    private volatile @Nullable Timer timer;
    private volatile boolean stopped;

    private ConsumerTimeout(BrokerWiring wiring, ChannelProcess channel, Duration timeout) {
        this.wiring = wiring;
        this.channel = channel;
        this.timeout = timeout;
        this.acknowledgements = new AcknowledgementTimeout(timeout.toNanos());
        this.intervalNs = Math.min(INTERVAL_MAX_NS, Math.max(1, timeout.toNanos() / LOOKS_PER_TIMEOUT));
    }

    /** Watches a channel, if the broker has a timeout. */
    static @Nullable ConsumerTimeout watching(BrokerWiring wiring, ChannelProcess channel) {
        Duration timeout = wiring.consumerTimeout();
        if (timeout == null) {
            return null;
        }
        ConsumerTimeout watch = new ConsumerTimeout(wiring, channel, timeout);
        watch.schedule();
        return watch;
    }

    private void schedule() {
        timer = wiring.scheduler()
                .at(wiring.nowNs() + intervalNs, () -> channel.mailbox().post(this::look));
    }

    private void look() {
        if (stopped) {
            return;
        }
        long oldestTag = channel.state().oldestUnackedTag();
        if (acknowledgements.isOverdue(oldestTag, channel.state().lastDeliveryTag(), wiring.nowNs())) {
            channel.expire(overdue());
        } else {
            schedule();
        }
    }

    /** RabbitMQ's words. */
    private AmqpError overdue() {
        return AmqpError.channel(
                ReplyCode.PRECONDITION_FAILED,
                "delivery acknowledgement on channel " + channel.number() + " timed out. Timeout value used: "
                        + timeout.toMillis()
                        + " ms. This timeout value can be configured, see consumers doc guide to learn more");
    }

    void stop() {
        stopped = true;
        Timer running = timer;
        if (running != null) {
            running.cancel();
        }
    }
}
