package io.warren.core.internal;

import io.warren.core.error.AmqpError;
import io.warren.core.metadata.Command;
import io.warren.core.spi.ChannelReceiver;
import io.warren.core.spi.ChannelSession;
import io.warren.core.spi.ClientOrigin;
import io.warren.core.spi.ConnectionReceiver;
import io.warren.core.spi.ConnectionSession;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A running connection: its user, its virtual host, its channels. Thread-safe; channels have the mailboxes. */
public final class ConnectionProcess implements ConnectionSession {

    private final BrokerWiring wiring;
    private final String name;
    private final String user;
    private final String vhost;
    private final ClientOrigin origin;
    private final Instant connectedAt;
    private final ConnectionReceiver receiver;
    private final Set<ChannelProcess> channels = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    ConnectionProcess(
            BrokerWiring wiring,
            String name,
            String user,
            String vhost,
            ClientOrigin origin,
            ConnectionReceiver receiver) {
        this.wiring = wiring;
        this.name = name;
        this.user = user;
        this.vhost = vhost;
        this.origin = origin;
        this.connectedAt = wiring.ticker().now();
        this.receiver = receiver;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String user() {
        return user;
    }

    @Override
    public String vhost() {
        return vhost;
    }

    public ClientOrigin origin() {
        return origin;
    }

    public Instant connectedAt() {
        return connectedAt;
    }

    public boolean isOpen() {
        return !closed.get();
    }

    ConnectionReceiver receiver() {
        return receiver;
    }

    /** Those that are open. */
    public List<ChannelProcess> channels() {
        return List.copyOf(channels);
    }

    @Override
    public ChannelSession openChannel(int number, ChannelReceiver channelReceiver) {
        ChannelProcess channel = new ChannelProcess(wiring, this, number, channelReceiver);
        channels.add(channel);
        if (closed.get()) {
            channel.connectionClosed(null, () -> {});
        }
        return new ChannelMethods(wiring, channel);
    }

    void channelEnded(ChannelProcess channel) {
        channels.remove(channel);
    }

    /** The broker's decision: an error of the client, or an operator's. */
    void closedByBroker(AmqpError reason) {
        close(reason, () -> {});
    }

    /** An operator's decision; the answer comes when queues have back what its channels held. */
    public void closedByOperator(AmqpError reason, Runnable answer) {
        close(reason, answer);
    }

    @Override
    public void close(Runnable answer) {
        close(null, answer);
    }

    private void close(@Nullable AmqpError reason, Runnable answer) {
        if (!closed.compareAndSet(false, true)) {
            answer.run();
            return;
        }
        List<ChannelProcess> open = channels();
        AtomicInteger missing = new AtomicInteger(open.size() + 1);
        Runnable channelDone = () -> {
            if (missing.decrementAndGet() == 0) {
                deleteOwnQueues(answer);
            }
        };
        open.forEach(channel -> channel.connectionClosed(reason, channelDone));
        channelDone.run();
        wiring.connectionEnded(this);
        if (reason != null) {
            receiver.onClosed(reason);
        }
    }

    private void deleteOwnQueues(Runnable answer) {
        var unused = wiring.metadata()
                .submit(new Command.DeleteQueuesOf(vhost, name))
                .whenComplete((outcome, failure) -> {
                    if (failure != null) {
                        wiring.report("connection '" + name + "'", failure);
                    }
                    answer.run();
                });
    }
}
