package io.warren.core.queue;

import io.warren.core.metadata.DeduplicationLimits;
import io.warren.core.metadata.LengthLimit;
import io.warren.core.metadata.Overflow;
import io.warren.core.metadata.QueueSettings;
import org.jspecify.annotations.Nullable;

/** Settings of queue {@code q} of which a test names only what it is about. */
final class QueueSettingsBuilder {

    private boolean autoDelete;
    private boolean singleActiveConsumer;
    private int priorityMax;
    private long messageTtlNs = QueueSettings.NO_TTL;
    private long expiresNs = QueueSettings.NO_TTL;
    private LengthLimit limit = LengthLimit.NONE;
    private @Nullable String deadLetterExchange;
    private @Nullable String deadLetterRoutingKey;
    private @Nullable DeduplicationLimits deduplication;

    private QueueSettingsBuilder() {}

    static QueueSettingsBuilder settings() {
        return new QueueSettingsBuilder();
    }

    private boolean lazy;

    QueueSettingsBuilder autoDelete(boolean value) {
        autoDelete = value;
        return this;
    }

    QueueSettingsBuilder singleActiveConsumer(boolean value) {
        singleActiveConsumer = value;
        return this;
    }

    QueueSettingsBuilder priorityMax(int value) {
        priorityMax = value;
        return this;
    }

    QueueSettingsBuilder messageTtlNs(long value) {
        messageTtlNs = value;
        return this;
    }

    QueueSettingsBuilder expiresNs(long value) {
        expiresNs = value;
        return this;
    }

    QueueSettingsBuilder maxLength(long count, Overflow overflow) {
        return limit(new LengthLimit(count, LengthLimit.UNLIMITED, overflow));
    }

    QueueSettingsBuilder limit(LengthLimit value) {
        limit = value;
        return this;
    }

    QueueSettingsBuilder deadLetterExchange(@Nullable String value) {
        deadLetterExchange = value;
        return this;
    }

    QueueSettingsBuilder deadLetterRoutingKey(@Nullable String value) {
        deadLetterRoutingKey = value;
        return this;
    }

    QueueSettingsBuilder deduplication(@Nullable DeduplicationLimits value) {
        deduplication = value;
        return this;
    }

    QueueSettingsBuilder lazy(boolean value) {
        lazy = value;
        return this;
    }

    QueueSettings build() {
        return new QueueSettings(
                "/",
                "q",
                autoDelete,
                singleActiveConsumer,
                priorityMax,
                messageTtlNs,
                expiresNs,
                limit,
                deadLetterExchange,
                deadLetterRoutingKey,
                deduplication,
                lazy);
    }
}
