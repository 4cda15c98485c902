package io.warren.core;

import io.warren.core.internal.BrokerWiring;
import io.warren.core.message.Message;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.VirtualHost;
import io.warren.core.queue.QueueState;
import io.warren.core.spi.MovingHome;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A look at a queue, without taking or marking anything. Every call looks anew. */
public final class QueueView {

    private final String vhost;
    private final String name;
    private final BrokerWiring wiring;
    private final Waiting waiting;

    QueueView(String vhost, String name, BrokerWiring wiring, Waiting waiting) {
        this.vhost = vhost;
        this.name = name;
        this.wiring = wiring;
        this.waiting = waiting;
    }

    public String name() {
        return name;
    }

    public boolean exists() {
        return definition() != null;
    }

    /**
     * The node of a cluster where the queue lives, which alone can be asked what it holds; null where there is one broker
     * only, and if there is no such queue.
     */
    public @Nullable String home() {
        Queue queue = definition();
        MovingHome mirrored = queue == null ? null : wiring.mirrored(vhost, name);
        if (mirrored != null) {
            return mirrored.node();
        }
        return queue == null ? null : queue.definition().home();
    }

    /** Whether other nodes of a cluster hold copies of it. */
    public boolean isMirrored() {
        return exists() && wiring.mirrored(vhost, name) != null;
    }

    /** The nodes that hold copies besides {@link #home}, oldest first. */
    public List<String> slaves() {
        MovingHome mirrored = wiring.mirrored(vhost, name);
        return mirrored == null ? List.of() : mirrored.slaves();
    }

    /** Those of {@link #slaves} that hold everything. */
    public List<String> synchronisedSlaves() {
        MovingHome mirrored = wiring.mirrored(vhost, name);
        return mirrored == null ? List.of() : mirrored.synchronisedSlaves();
    }

    private @Nullable Queue definition() {
        waiting.runDue();
        VirtualHost there = wiring.definitions().vhost(vhost);
        return there == null ? null : there.queue(name);
    }

    /** Messages that are ready. */
    public long ready() {
        return ask(QueueState::readyCount);
    }

    /** Messages that are handed out and not settled. */
    public long unacked() {
        return ask(QueueState::unackedCount);
    }

    public int consumers() {
        return ask(QueueState::consumerCount);
    }

    /** At most so many ready messages, the next to be handed out first. */
    public List<Message> peek(int countMax) {
        return ask(state -> state.peek(countMax));
    }

    private <T> T ask(Function<QueueState, T> question) {
        return waiting.on(wiring.view(vhost, name, question), "another thread")
                .orElseThrow(
                        () -> new IllegalStateException("there is no queue '" + name + "' in vhost '" + vhost + "'"));
    }
}
