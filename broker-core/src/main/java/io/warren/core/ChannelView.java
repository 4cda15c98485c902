package io.warren.core;

import io.warren.core.channel.ChannelState;
import io.warren.core.internal.ChannelProcess;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A look at a channel. Every call looks anew. */
public final class ChannelView {

    private final ChannelProcess channel;
    private final Waiting waiting;

    ChannelView(ChannelProcess channel, Waiting waiting) {
        this.channel = channel;
        this.waiting = waiting;
    }

    /** Its number within its connection, from 1. */
    public int number() {
        return channel.number();
    }

    /** Its connection's name and its number, such as {@code 127.0.0.1:50123 -> 127.0.0.1:5672#7 (1)}. */
    public String name() {
        return channel.connection().name() + " (" + number() + ")";
    }

    /** How many consumers it has, the one for direct replies not counted. */
    public int consumers() {
        return waiting.on(channel.view(ChannelProcess::consumerCount), "another thread");
    }

    /** Deliveries that its client has not settled. */
    public int unacked() {
        return ask(ChannelState::unackedCount);
    }

    /** Publishes in confirm mode that the broker has not answered. */
    public int unconfirmed() {
        return ask(ChannelState::unconfirmedCount);
    }

    /** Most unacknowledged deliveries of a consumer that starts now, 0 for no limit. */
    public int prefetch() {
        return ask(ChannelState::prefetchCount);
    }

    public boolean isConfirming() {
        return ask(ChannelState::isConfirming);
    }

    public boolean isTransactional() {
        return ask(ChannelState::isTransactional);
    }

    private <T> T ask(Function<ChannelState, T> question) {
        CompletableFuture<T> answer = channel.view(process -> question.apply(process.state()));
        return waiting.on(answer, "another thread");
    }

    @Override
    public String toString() {
        return name();
    }
}
