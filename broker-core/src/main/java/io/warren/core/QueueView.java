package io.warren.core;

import io.warren.core.internal.BrokerWiring;
import io.warren.core.message.Message;
import io.warren.core.queue.QueueState;
import java.util.List;
import java.util.function.Function;

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
        return waiting.on(wiring.view(vhost, name, QueueState::readyCount), "another thread")
                .isPresent();
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
