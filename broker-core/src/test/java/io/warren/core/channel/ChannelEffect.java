package io.warren.core.channel;

import io.warren.core.spi.SettleVerb;
import java.util.List;

/** A call of {@link ChannelOutput} as a value; its text names messages by their routing key. */
sealed interface ChannelEffect {

    record Publish(String queue, long sequence, String message) implements ChannelEffect {
        @Override
        public String toString() {
            return "publish " + queue + " " + sequence + " " + message;
        }
    }

    record Settle(String queue, SettleVerb verb, List<String> messages) implements ChannelEffect {
        @Override
        public String toString() {
            return "settle " + queue + " " + verb + " " + String.join(",", messages);
        }
    }

    record Barrier(String queue, long sequence) implements ChannelEffect {
        @Override
        public String toString() {
            return "barrier " + queue + " " + sequence;
        }
    }

    record ReturnPermits(int count) implements ChannelEffect {
        @Override
        public String toString() {
            return "returnPermits " + count;
        }
    }

    record PermitLimit(int prefetchCount) implements ChannelEffect {
        @Override
        public String toString() {
            return "permitLimit " + prefetchCount;
        }
    }

    record Deliver(String consumer, long tag, boolean redelivered, String message) implements ChannelEffect {
        @Override
        public String toString() {
            return "deliver " + consumer + " " + tag + " " + message + (redelivered ? " redelivered" : "");
        }
    }

    record GetOk(long tag, boolean redelivered, String message, long readyCount) implements ChannelEffect {
        @Override
        public String toString() {
            return "getOk " + tag + " " + message + (redelivered ? " redelivered" : "") + " ready=" + readyCount;
        }
    }

    record Returned(String message) implements ChannelEffect {
        @Override
        public String toString() {
            return "returned " + message;
        }
    }

    record Confirmed(long sequence) implements ChannelEffect {
        @Override
        public String toString() {
            return "confirmed " + sequence;
        }
    }

    record Rejected(long sequence) implements ChannelEffect {
        @Override
        public String toString() {
            return "rejected " + sequence;
        }
    }

    record CommitOk() implements ChannelEffect {
        @Override
        public String toString() {
            return "commitOk";
        }
    }

    record CommitFailed() implements ChannelEffect {
        @Override
        public String toString() {
            return "commitFailed";
        }
    }
}
