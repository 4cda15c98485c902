package io.warren.mirroring.queue;

import io.warren.core.message.Message;
import io.warren.core.queue.DeathReason;
import io.warren.core.store.format.MessageCodec;
import io.warren.core.store.format.Records;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One change of a mirrored queue, as the ring's payload says it; the package tells what each is for. */
public sealed interface QueueEntry {

    /** Reign in which a master decided it: ordered in another one, it changes nothing. */
    long reign();

    /**
     * A message comes.
     *
     * <p>A view of the bytes it came as: the message is decoded when somebody asks for it. Or of what stays in memory while these bytes are on the
     * disk ({@link PagedEntry}): then it has no message.
     */
    final class Publish implements QueueEntry {
        /** In place of where the record begins: there is none. */
        static final int PAGED = -1;

        private final byte[] bytes;
        private final ByteBuffer buffer;
        private final int record;
        private final long reign;
        private final @Nullable ChannelId channel;
        private final long sequence;
        private final long firstOpen;

        /** @param record where the store's record begins in the bytes, or {@link #PAGED} */
        Publish(byte[] bytes, int record, long reign, @Nullable ChannelId channel, long sequence, long firstOpen) {
            this.bytes = bytes;
            this.buffer = ByteBuffer.wrap(bytes);
            this.record = record;
            this.reign = reign;
            this.channel = channel;
            this.sequence = sequence;
            this.firstOpen = firstOpen;
        }

        @Override
        public long reign() {
            return reign;
        }

        /** Who published it; null if nobody will ever send it again. */
        public @Nullable ChannelId channel() {
            return channel;
        }

        /** Its number of that channel's, from 1. */
        public long sequence() {
            return sequence;
        }

        /** The channel has the answers to everything below this number. */
        public long firstOpen() {
            return firstOpen;
        }

        /** Whether its message is on the disk only. */
        public boolean isPaged() {
            return record == PAGED;
        }

        public long offset() {
            return isPaged() ? PagedEntry.offset(buffer) : Records.offset(buffer, record);
        }

        public int priority() {
            return isPaged() ? PagedEntry.priority(buffer) : Records.priority(buffer, record);
        }

        /** Of its record. */
        int flags() {
            return isPaged() ? PagedEntry.flags(buffer) : Records.flags(buffer, record);
        }

        /** Whether it survives the death of all in-sync members. */
        public boolean isPersistent() {
            return (flags() & Records.TRANSIENT) == 0;
        }

        /** Whether a consumer may be handed it as soon as it is stable: it raises the limit itself. */
        public boolean raisesLimit() {
            return (flags() & Records.HANDED_OUT) != 0;
        }

        /** When it expires by the wall clock, or {@link Records#NEVER_MS}. */
        public long expiresAtMs() {
            return isPaged() ? PagedEntry.expiresAtMs(buffer) : Records.value(buffer, record);
        }

        public int bodyBytes() {
            return isPaged() ? PagedEntry.bodyBytes(buffer) : Records.bodyBytes(buffer, record);
        }

        /** Decodes the message, whose body is a copy; of one that is not paged. */
        public Message message() {
            if (isPaged()) {
                throw new IllegalStateException("offset=" + offset() + " is on the disk only");
            }
            return MessageCodec.read(buffer, record);
        }

        /** The entry as it travels; not to be changed. */
        byte[] bytes() {
            return bytes;
        }

        /** @throws IllegalArgumentException if the record is not what its master encoded */
        void check() {
            if (!isPaged() && !Records.isSound(buffer, record)) {
                throw new IllegalArgumentException(
                        "the record of a publish of " + bytes.length + " bytes is damaged: offset=" + offset());
            }
        }

        @Override
        public String toString() {
            return "publish " + offset() + " of reign " + reign + (isPaged() ? " on the disk" : "")
                    + (channel == null ? "" : " by " + channel + " #" + sequence);
        }
    }

    /** Messages are gone. */
    record Settle(long reign, SettleReason reason, List<OffsetRange> ranges) implements QueueEntry {
        public Settle {
            ranges = List.copyOf(ranges);
        }
    }

    /** A message leaves its place to be dead-lettered. */
    record DeadLetter(long reign, long offset, DeathReason reason) implements QueueEntry {}

    /** A channel has ended. */
    record ChannelGone(long reign, ChannelId channel) implements QueueEntry {}

    /** Up to this offset consumers may have seen messages of this priority. */
    record HandOut(long reign, int priority, long upTo) implements QueueEntry {}
}
