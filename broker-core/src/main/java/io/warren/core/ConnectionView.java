package io.warren.core;

import io.warren.core.internal.ConnectionProcess;
import io.warren.core.message.FieldTable;
import io.warren.core.spi.ClientOrigin;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A look at a connection, whatever way it came. Every call looks anew; of one that is closed its last state is told. */
public final class ConnectionView {

    private final ConnectionProcess connection;
    private final Waiting waiting;

    ConnectionView(ConnectionProcess connection, Waiting waiting) {
        this.connection = connection;
        this.waiting = waiting;
    }

    ConnectionProcess process() {
        return connection;
    }

    /** Unique in the broker, such as {@code 127.0.0.1:50123 -> 127.0.0.1:5672#7}. */
    public String name() {
        return connection.name();
    }

    /** The name the client gave it (connection_name), or null. */
    public @Nullable String clientProvidedName() {
        return origin().clientProvidedName();
    }

    public String user() {
        return connection.user();
    }

    public String vhost() {
        return connection.vhost();
    }

    /** Its protocol and addresses, and what its client says of itself. */
    public ClientOrigin origin() {
        return connection.origin();
    }

    /** What its client says of itself: product, version, platform, capabilities. */
    public FieldTable clientProperties() {
        return origin().clientProperties();
    }

    /** By the broker's clock. */
    public Instant connectedAt() {
        return connection.connectedAt();
    }

    public boolean isOpen() {
        return connection.isOpen();
    }

    /** Its open channels, by number. */
    public List<ChannelView> channels() {
        return connection.channels().stream()
                .map(channel -> new ChannelView(channel, waiting))
                .sorted(Comparator.comparingInt(ChannelView::number))
                .toList();
    }

    @Override
    public String toString() {
        return name();
    }
}
