package io.warren.core.queue;

import io.warren.core.spi.BackingQueue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Why a message is taken from the head: kept while its body is under way. */
final class Fetch {

    /** What is done with the message once it is there. */
    enum Purpose {
        /** It goes to the consumer whose turn it is by then. */
        CONSUMER,
        /** It answers a get. */
        GET,
        /** It is dead-lettered. */
        DEATH
    }

    final Purpose purpose;

    /** The channel of a get; null once it is gone. */
    @Nullable ChannelRef getter;

    final boolean acknowledges;
    private final @Nullable DeathReason reason;
    long offset;

    private Fetch(
            Purpose purpose,
            @Nullable ChannelRef getter,
            boolean acknowledges,
            @Nullable DeathReason reason,
            long offset) {
        this.purpose = purpose;
        this.getter = getter;
        this.acknowledges = acknowledges;
        this.reason = reason;
        this.offset = offset;
    }

    static Fetch forConsumer(long offset) {
        return new Fetch(Purpose.CONSUMER, null, false, null, offset);
    }

    static Fetch forGet(ChannelRef channel, boolean acknowledges) {
        return new Fetch(Purpose.GET, channel, acknowledges, null, BackingQueue.NONE);
    }

    static Fetch forDeath(DeathReason reason) {
        return new Fetch(Purpose.DEATH, null, false, reason, BackingQueue.NONE);
    }

    ChannelRef getterOrFail() {
        return Objects.requireNonNull(getter);
    }

    DeathReason reasonOrFail() {
        return Objects.requireNonNull(reason);
    }
}
