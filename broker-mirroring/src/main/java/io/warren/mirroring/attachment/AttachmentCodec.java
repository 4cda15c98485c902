package io.warren.mirroring.attachment;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ErrorScope;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.Message;
import io.warren.core.spi.AttachedQueue;
import io.warren.core.spi.SettleVerb;
import io.warren.core.store.format.MessageCodec;
import io.warren.core.store.format.Records;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Frames as bytes: a byte for the kind, the end's id (8 bytes), the attempt (4), then the parts in the order of the record.
 *
 * <p>A message stands last, as the record in which a store would keep it, checksum included. A list is its length (4) and its numbers
 * (8 each). What is not a whole frame is an {@link IllegalArgumentException} that says what is wrong.
 */
public final class AttachmentCodec {
    /** Largest body that travels: as large as a client may publish. */
    public static final int MESSAGE_BYTES_MAX = 128 << 20;

    private static final int HEADER_BYTES = 13;

    /** Room besides a message's body with which encoding begins; it grows when that is too little. A power of four. */
    private static final int FIRST_BYTES = 256;

    /** More than a list can hold: what a channel has open at once, and the publishes of a transaction. */
    private static final int NUMBERS_MAX = 16 * 1024 * 1024;

    /** Which frame it is; the numbers are on the wire. */
    private enum Kind {
        ATTACH(1),
        PUBLISH(2),
        BARRIER(3),
        CONSUME(4),
        CANCEL(5),
        CREDIT(6),
        LIMIT_PERMITS(7),
        PERMIT(8),
        GET(9),
        SETTLE(10),
        DECLARE(11),
        PURGE(12),
        DELETE(13),
        DETACH(14),
        TAKEN(15),
        ANSWERED(16),
        DELIVERED(17),
        GET_OK(18),
        GET_EMPTY(19),
        CONSUME_OK(20),
        CONSUME_REFUSED(21),
        CANCEL_OK(22),
        CANCELLED(23),
        DECLARE_OK(24),
        PURGED(25),
        DELETE_GRANTED(26),
        REFUSED(27),
        PERMIT_WANTED(28),
        PERMIT_RETURNED(29),
        GONE(30),
        DETACHED(31),
        REPLY(32),
        ALARMS(33),
        CHANNEL_RECEIVED(34),
        QUEUE_RECEIVED(35),
        MIRRORED(36);

        private final byte number;

        Kind(int number) {
            this.number = (byte) number;
        }

        private static Kind of(byte number) {
            for (Kind kind : values()) {
                if (kind.number == number) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("kind=" + number + " is no frame of an attachment");
        }
    }

    private AttachmentCodec() {}

    // ----------------------------------------------------------------------------------------------- writing

    /**
     * The frame's bytes, from position to limit.
     *
     * @throws IllegalArgumentException if its message is larger than {@link #MESSAGE_BYTES_MAX}
     */
    public static ByteBuffer encode(AttachmentFrame frame) {
        Message message = FrameWindow.message(frame);
        int bodyBytes = message == null ? 0 : message.bodyBytes();
        if (bodyBytes > MESSAGE_BYTES_MAX) {
            throw new IllegalArgumentException("message size " + bodyBytes
                    + " is larger than what nodes pass on to each other: " + MESSAGE_BYTES_MAX);
        }
        for (int room = FIRST_BYTES; room <= MESSAGE_BYTES_MAX; room *= 4) {
            ByteBuffer to = ByteBuffer.allocate(bodyBytes + room);
            try {
                write(to, frame);
                return to.flip();
            } catch (BufferOverflowException full) {
                // Long names or headers: once more, with more room.
            }
        }
        throw new IllegalArgumentException("message size " + bodyBytes
                + " comes with properties that are larger than what nodes pass on to each other");
    }

    private static void write(ByteBuffer to, AttachmentFrame frame) {
        if (frame instanceof AttachmentFrame.ToQueue toQueue) {
            writeToQueue(to, toQueue);
        } else if (frame instanceof AttachmentFrame.ToChannel toChannel) {
            writeToChannel(to, toChannel);
        } else if (frame instanceof AttachmentFrame.Reply reply) {
            text(begin(to, Kind.REPLY, frame), reply.vhost());
            message(to, reply.message());
        } else if (frame instanceof AttachmentFrame.Alarms alarms) {
            begin(to, Kind.ALARMS, frame).put((byte) alarms.names().size());
            alarms.names().forEach(name -> text(to, name));
        }
    }

    private static ByteBuffer begin(ByteBuffer to, Kind kind, AttachmentFrame frame) {
        return to.put(kind.number).putLong(frame.id()).putInt(frame.attempt());
    }

    private static void writeToQueue(ByteBuffer to, AttachmentFrame.ToQueue frame) {
        if (frame instanceof AttachmentFrame.Publish publish) {
            begin(to, Kind.PUBLISH, frame).putLong(publish.number()).putLong(publish.firstOpen());
            bit(to, publish.confirm());
            message(to, publish.message());
        } else if (frame instanceof AttachmentFrame.Settle settle) {
            begin(to, Kind.SETTLE, frame).put(number(settle.verb()));
            numbers(to, settle.offsets());
        } else if (frame instanceof AttachmentFrame.Credit credit) {
            begin(to, Kind.CREDIT, frame);
            text(to, credit.tag());
            to.putInt(credit.deliveries());
        } else if (frame instanceof AttachmentFrame.Attach attach) {
            begin(to, Kind.ATTACH, frame);
            text(to, attach.vhost());
            text(to, attach.queue());
            to.putLong(attach.queueId()).putLong(attach.firstOpen());
            to.putLong(attach.reign()).putLong(attach.source());
        } else if (frame instanceof AttachmentFrame.Barrier barrier) {
            begin(to, Kind.BARRIER, frame).putLong(barrier.number());
        } else if (frame instanceof AttachmentFrame.Consume consume) {
            consumer(begin(to, Kind.CONSUME, frame), consume.consumer());
            to.putInt(consume.permits());
        } else if (frame instanceof AttachmentFrame.Cancel cancel) {
            text(begin(to, Kind.CANCEL, frame), cancel.tag());
        } else {
            writeQuestion(to, frame);
        }
    }

    private static void writeQuestion(ByteBuffer to, AttachmentFrame.ToQueue frame) {
        if (frame instanceof AttachmentFrame.LimitPermits limit) {
            bit(begin(to, Kind.LIMIT_PERMITS, frame), limit.limited());
        } else if (frame instanceof AttachmentFrame.Permit permit) {
            begin(to, Kind.PERMIT, frame).putInt(permit.permits());
        } else if (frame instanceof AttachmentFrame.Get get) {
            bit(begin(to, Kind.GET, frame), get.acknowledges());
        } else if (frame instanceof AttachmentFrame.Declare) {
            begin(to, Kind.DECLARE, frame);
        } else if (frame instanceof AttachmentFrame.Purge) {
            begin(to, Kind.PURGE, frame);
        } else if (frame instanceof AttachmentFrame.Delete delete) {
            bit(begin(to, Kind.DELETE, frame), delete.ifUnused());
            bit(to, delete.ifEmpty());
        } else if (frame instanceof AttachmentFrame.ChannelReceived received) {
            begin(to, Kind.CHANNEL_RECEIVED, frame).putLong(received.bytes());
        } else {
            begin(to, Kind.DETACH, frame);
        }
    }

    private static void writeToChannel(ByteBuffer to, AttachmentFrame.ToChannel frame) {
        if (frame instanceof AttachmentFrame.Delivered delivered) {
            text(begin(to, Kind.DELIVERED, frame), delivered.tag());
            to.putLong(delivered.offset());
            bit(to, delivered.redelivered());
            bit(to, delivered.permitted());
            message(to, delivered.message());
        } else if (frame instanceof AttachmentFrame.Answered answered) {
            numbers(begin(to, Kind.ANSWERED, frame), answered.confirmed());
            numbers(to, answered.rejected());
        } else if (frame instanceof AttachmentFrame.Taken taken) {
            begin(to, Kind.TAKEN, frame).putLong(taken.upTo());
        } else if (frame instanceof AttachmentFrame.GetOk got) {
            begin(to, Kind.GET_OK, frame).putLong(got.offset());
            bit(to, got.redelivered());
            to.putLong(got.readyCount());
            message(to, got.message());
        } else if (frame instanceof AttachmentFrame.DeclareOk ok) {
            begin(to, Kind.DECLARE_OK, frame).putLong(ok.readyCount()).putInt(ok.consumerCount());
        } else if (frame instanceof AttachmentFrame.Purged purged) {
            begin(to, Kind.PURGED, frame).putLong(purged.messageCount());
        } else if (frame instanceof AttachmentFrame.DeleteGranted granted) {
            begin(to, Kind.DELETE_GRANTED, frame).putLong(granted.messageCount());
        } else {
            writeNotice(to, frame);
        }
    }

    private static void writeNotice(ByteBuffer to, AttachmentFrame.ToChannel frame) {
        if (frame instanceof AttachmentFrame.ConsumeOk ok) {
            text(begin(to, Kind.CONSUME_OK, frame), ok.tag());
        } else if (frame instanceof AttachmentFrame.ConsumeRefused refused) {
            text(begin(to, Kind.CONSUME_REFUSED, frame), refused.tag());
            error(to, refused.error());
        } else if (frame instanceof AttachmentFrame.CancelOk ok) {
            text(begin(to, Kind.CANCEL_OK, frame), ok.tag());
        } else if (frame instanceof AttachmentFrame.Cancelled cancelled) {
            text(begin(to, Kind.CANCELLED, frame), cancelled.tag());
        } else if (frame instanceof AttachmentFrame.Refused refused) {
            error(begin(to, Kind.REFUSED, frame), refused.error());
        } else if (frame instanceof AttachmentFrame.PermitWanted) {
            begin(to, Kind.PERMIT_WANTED, frame);
        } else if (frame instanceof AttachmentFrame.PermitReturned returned) {
            begin(to, Kind.PERMIT_RETURNED, frame).putInt(returned.permits());
        } else if (frame instanceof AttachmentFrame.GetEmpty) {
            begin(to, Kind.GET_EMPTY, frame);
        } else if (frame instanceof AttachmentFrame.QueueReceived received) {
            begin(to, Kind.QUEUE_RECEIVED, frame).putLong(received.bytes());
        } else if (frame instanceof AttachmentFrame.Gone) {
            begin(to, Kind.GONE, frame);
        } else if (frame instanceof AttachmentFrame.Mirrored) {
            begin(to, Kind.MIRRORED, frame);
        } else {
            begin(to, Kind.DETACHED, frame);
        }
    }

    private static void text(ByteBuffer to, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        to.putInt(bytes.length).put(bytes);
    }

    private static void bit(ByteBuffer to, boolean value) {
        to.put((byte) (value ? 1 : 0));
    }

    private static void numbers(ByteBuffer to, List<Long> numbers) {
        to.putInt(numbers.size());
        numbers.forEach(to::putLong);
    }

    private static void error(ByteBuffer to, AmqpError error) {
        to.putShort((short) error.code().code()).put((byte) (error.scope() == ErrorScope.CONNECTION ? 1 : 0));
        text(to, error.text());
    }

    private static void consumer(ByteBuffer to, AttachedQueue.Consumer consumer) {
        text(to, consumer.tag());
        bit(to, consumer.acknowledges());
        bit(to, consumer.exclusive());
        to.putInt(consumer.priority()).putInt(consumer.prefetchCount()).putInt(consumer.credit());
    }

    private static void message(ByteBuffer to, Message message) {
        MessageCodec.write(to, 0, 0, message, 0, Records.NEVER_MS, 0);
    }

    // ----------------------------------------------------------------------------------------------- reading

    /**
     * The frame whose bytes stand from position to limit.
     *
     * @throws IllegalArgumentException if they are no whole frame, or more than one
     */
    public static AttachmentFrame decode(ByteBuffer bytes) {
        ByteBuffer from = bytes.slice();
        try {
            if (from.remaining() < HEADER_BYTES) {
                throw new IllegalArgumentException("bytes=" + from.remaining() + " are less than a frame's header");
            }
            Kind kind = Kind.of(from.get());
            AttachmentFrame frame = read(from, kind, from.getLong(), from.getInt());
            if (from.hasRemaining()) {
                throw new IllegalArgumentException(from.remaining() + " bytes follow a frame of kind " + kind);
            }
            return frame;
        } catch (BufferUnderflowException | IndexOutOfBoundsException cut) {
            throw new IllegalArgumentException("a frame of " + from.limit() + " bytes ends too early", cut);
        }
    }

    private static AttachmentFrame read(ByteBuffer from, Kind kind, long id, int attempt) {
        return switch (kind) {
            case ATTACH ->
                new AttachmentFrame.Attach(
                        id,
                        attempt,
                        text(from),
                        text(from),
                        from.getLong(),
                        from.getLong(),
                        from.getLong(),
                        from.getLong());
            case PUBLISH ->
                new AttachmentFrame.Publish(id, attempt, from.getLong(), from.getLong(), bit(from), message(from));
            case BARRIER -> new AttachmentFrame.Barrier(id, attempt, from.getLong());
            case CONSUME -> new AttachmentFrame.Consume(id, attempt, consumer(from), from.getInt());
            case CANCEL -> new AttachmentFrame.Cancel(id, attempt, text(from));
            case CREDIT -> new AttachmentFrame.Credit(id, attempt, text(from), from.getInt());
            case LIMIT_PERMITS -> new AttachmentFrame.LimitPermits(id, attempt, bit(from));
            case PERMIT -> new AttachmentFrame.Permit(id, attempt, from.getInt());
            case GET -> new AttachmentFrame.Get(id, attempt, bit(from));
            case SETTLE -> new AttachmentFrame.Settle(id, attempt, verb(from), numbers(from));
            case DECLARE -> new AttachmentFrame.Declare(id, attempt);
            case PURGE -> new AttachmentFrame.Purge(id, attempt);
            case DELETE -> new AttachmentFrame.Delete(id, attempt, bit(from), bit(from));
            case DETACH -> new AttachmentFrame.Detach(id, attempt);
            case TAKEN -> new AttachmentFrame.Taken(id, attempt, from.getLong());
            case ANSWERED -> new AttachmentFrame.Answered(id, attempt, numbers(from), numbers(from));
            case DELIVERED ->
                new AttachmentFrame.Delivered(
                        id, attempt, text(from), from.getLong(), bit(from), bit(from), message(from));
            case GET_OK ->
                new AttachmentFrame.GetOk(id, attempt, from.getLong(), bit(from), from.getLong(), message(from));
            case GET_EMPTY -> new AttachmentFrame.GetEmpty(id, attempt);
            case CONSUME_OK -> new AttachmentFrame.ConsumeOk(id, attempt, text(from));
            case CONSUME_REFUSED -> new AttachmentFrame.ConsumeRefused(id, attempt, text(from), error(from));
            case CANCEL_OK -> new AttachmentFrame.CancelOk(id, attempt, text(from));
            case CANCELLED -> new AttachmentFrame.Cancelled(id, attempt, text(from));
            case DECLARE_OK -> new AttachmentFrame.DeclareOk(id, attempt, from.getLong(), from.getInt());
            case PURGED -> new AttachmentFrame.Purged(id, attempt, from.getLong());
            case DELETE_GRANTED -> new AttachmentFrame.DeleteGranted(id, attempt, from.getLong());
            case REFUSED -> new AttachmentFrame.Refused(id, attempt, error(from));
            case PERMIT_WANTED -> new AttachmentFrame.PermitWanted(id, attempt);
            case PERMIT_RETURNED -> new AttachmentFrame.PermitReturned(id, attempt, from.getInt());
            case GONE -> new AttachmentFrame.Gone(id, attempt);
            case DETACHED -> new AttachmentFrame.Detached(id, attempt);
            case MIRRORED -> new AttachmentFrame.Mirrored(id, attempt);
            case CHANNEL_RECEIVED -> new AttachmentFrame.ChannelReceived(id, attempt, from.getLong());
            case QUEUE_RECEIVED -> new AttachmentFrame.QueueReceived(id, attempt, from.getLong());
            case ALARMS -> new AttachmentFrame.Alarms(texts(from));
            case REPLY -> new AttachmentFrame.Reply(text(from), message(from));
        };
    }

    private static String text(ByteBuffer from) {
        int length = from.getInt();
        if (length < 0 || length > from.remaining()) {
            throw new IllegalArgumentException("length=" + length + " of a text, remaining=" + from.remaining());
        }
        byte[] bytes = new byte[length];
        from.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static List<String> texts(ByteBuffer from) {
        List<String> texts = new ArrayList<>();
        for (int left = from.get() & 0xff; left > 0; left--) {
            texts.add(text(from));
        }
        return texts;
    }

    private static boolean bit(ByteBuffer from) {
        byte value = from.get();
        if (value < 0 || value > 1) {
            throw new IllegalArgumentException("bit=" + value + " is neither 0 nor 1");
        }
        return value == 1;
    }

    private static byte number(SettleVerb verb) {
        return switch (verb) {
            case ACK -> 1;
            case REQUEUE -> 2;
            case REJECT -> 3;
        };
    }

    private static SettleVerb verb(ByteBuffer from) {
        byte verb = from.get();
        return switch (verb) {
            case 1 -> SettleVerb.ACK;
            case 2 -> SettleVerb.REQUEUE;
            case 3 -> SettleVerb.REJECT;
            default -> throw new IllegalArgumentException("verb=" + verb + " settles nothing");
        };
    }

    private static List<Long> numbers(ByteBuffer from) {
        int count = from.getInt();
        if (count < 0 || count > NUMBERS_MAX || count > from.remaining() / Long.BYTES) {
            throw new IllegalArgumentException("count=" + count + " numbers are more than the frame has");
        }
        List<Long> numbers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            numbers.add(from.getLong());
        }
        return numbers;
    }

    private static AmqpError error(ByteBuffer from) {
        int number = from.getShort() & 0xffff;
        ErrorScope scope = bit(from) ? ErrorScope.CONNECTION : ErrorScope.CHANNEL;
        String text = text(from);
        for (ReplyCode code : ReplyCode.values()) {
            if (code.code() == number) {
                return new AmqpError(code, scope, text);
            }
        }
        throw new IllegalArgumentException("code=" + number + " is no reply code");
    }

    /** Whether a failover ends it, the channel's end sees to. */
    private static AttachedQueue.Consumer consumer(ByteBuffer from) {
        return new AttachedQueue.Consumer(
                text(from), bit(from), bit(from), from.getInt(), from.getInt(), from.getInt(), false);
    }

    private static Message message(ByteBuffer from) {
        int start = from.position();
        if (from.remaining() < Records.HEADER_BYTES || !Records.isSound(from, start)) {
            throw new IllegalArgumentException("the message in a frame of " + from.limit() + " bytes is damaged");
        }
        Message message = MessageCodec.read(from, start);
        from.position(start + Records.length(from, start));
        return message;
    }
}
