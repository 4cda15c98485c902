package io.warren.core.queue;

import io.warren.core.message.Message;
import io.warren.core.spi.BackingQueue;
import org.jspecify.annotations.Nullable;

/** A call of {@link QueueOutput} as a value; its text names messages by their routing key. */
sealed interface QueueEffect {

    private static String mark(boolean redelivered) {
        return redelivered ? " redelivered" : "";
    }

    record Deliver(String consumer, Message message, boolean redelivered) implements QueueEffect {
        @Override
        public String toString() {
            return "deliver " + consumer + " " + message.routingKey() + mark(redelivered);
        }
    }

    record GetOk(ChannelRef channel, Message message, boolean redelivered, long readyCount) implements QueueEffect {
        @Override
        public String toString() {
            return "getOk " + channel + " " + message.routingKey() + mark(redelivered) + " ready=" + readyCount;
        }
    }

    record GetEmpty(ChannelRef channel) implements QueueEffect {
        @Override
        public String toString() {
            return "getEmpty " + channel;
        }
    }

    record ConsumeOk(String consumer) implements QueueEffect {
        @Override
        public String toString() {
            return "consumeOk " + consumer;
        }
    }

    record ConsumeRefused(String consumer, String text) implements QueueEffect {
        @Override
        public String toString() {
            return "consumeRefused " + consumer + ": " + text;
        }
    }

    record CancelOk(String consumer) implements QueueEffect {
        @Override
        public String toString() {
            return "cancelOk " + consumer;
        }
    }

    record Cancelled(String consumer) implements QueueEffect {
        @Override
        public String toString() {
            return "cancelled " + consumer;
        }
    }

    record Confirmed(ChannelRef publisher, long sequence) implements QueueEffect {
        @Override
        public String toString() {
            return "confirmed " + publisher + " " + sequence;
        }
    }

    record Rejected(ChannelRef publisher, long sequence) implements QueueEffect {
        @Override
        public String toString() {
            return "rejected " + publisher + " " + sequence;
        }
    }

    record DeadLetter(long offset, Message message, DeathReason reason, String exchange, @Nullable String routingKey)
            implements QueueEffect {
        @Override
        public String toString() {
            return "deadLetter " + (offset == BackingQueue.NONE ? "unanswered" : String.valueOf(offset)) + " "
                    + message.routingKey() + " " + reason.headerValue() + " to " + exchange
                    + (routingKey == null ? "" : " key=" + routingKey);
        }
    }

    record DeclareOk(ChannelRef channel, long readyCount, int consumerCount) implements QueueEffect {
        @Override
        public String toString() {
            return "declareOk " + channel + " ready=" + readyCount + " consumers=" + consumerCount;
        }
    }

    record Purged(ChannelRef channel, long messageCount) implements QueueEffect {
        @Override
        public String toString() {
            return "purged " + channel + " " + messageCount;
        }
    }

    record DeleteGranted(ChannelRef channel, long messageCount) implements QueueEffect {
        @Override
        public String toString() {
            return "deleteGranted " + channel + " " + messageCount;
        }
    }

    record DeleteRefused(ChannelRef channel, String text) implements QueueEffect {
        @Override
        public String toString() {
            return "deleteRefused " + channel + ": " + text;
        }
    }

    record DeleteUnused() implements QueueEffect {
        @Override
        public String toString() {
            return "deleteUnused";
        }
    }
}
