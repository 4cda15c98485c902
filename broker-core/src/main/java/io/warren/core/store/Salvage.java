package io.warren.core.store;

import io.warren.core.message.Message;
import io.warren.core.message.Properties;
import io.warren.core.metadata.Command;
import io.warren.core.queue.OffsetBits;
import io.warren.core.store.format.CommandCodec;
import io.warren.core.store.format.MessageCodec;
import io.warren.core.store.format.RecordKind;
import io.warren.core.store.format.Records;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes out what can be read of a damaged data directory: {@code java -cp ... io.warren.core.store.Salvage DIRECTORY
 * TARGET}. Changes nothing in the directory, which no broker may be using.
 *
 * <p>One file a queue, one message a line, as JSON with the body in Base64. Whatever has a sound record and no sound
 * settlement is written, so messages that were settled may be among them when the record of that is what was damaged:
 * too many rather than too few.
 */
public final class Salvage {

    private final StoreFiles files;
    private final Path target;
    private final PrintStream out;

    /** Queues by id, as far as their declaration could be read. */
    private final Map<Long, Command.DeclareQueue> queues = new HashMap<>();

    private final Map<Long, OffsetBits> settled = new HashMap<>();

    /** What was written, so that a message found in a log file and in a segment is written once. */
    private final Map<Long, OffsetBits> written = new HashMap<>();

    private long messageCount;

    Salvage(StoreFiles files, Path target, PrintStream out) {
        this.files = files;
        this.target = target;
        this.out = out;
    }

    /** The command. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            throw new IllegalArgumentException("arguments: DIRECTORY TARGET");
        }
        Path directory = Path.of(arguments[0]);
        if (!Files.isDirectory(directory)) {
            throw new IllegalArgumentException("directory=" + directory + " is none");
        }
        new Salvage(new DiskFiles(directory), Path.of(arguments[1]), System.out).run();
    }

    /** Reads everything twice: first what is gone, then what is there. Returns how many messages were written. */
    long run() throws IOException {
        Closeable lock = files.lock(FileNames.LOCK);
        try {
            Files.createDirectories(target);
            List<String> names = files.list().stream().sorted().toList();
            for (String name : names) {
                read(name, this::note);
            }
            for (String name : names) {
                if (!name.startsWith(FileNames.METADATA)) {
                    long skipped = read(name, this::write);
                    out.println(name + ": " + skipped + " bytes are no sound record (heads and indexes, or damage)");
                }
            }
        } finally {
            lock.close();
        }
        out.println(messageCount + " messages of " + written.size() + " queues were written to " + target);
        return messageCount;
    }

    private long read(String name, LogReader.Visitor visitor) throws IOException {
        if (name.equals(FileNames.LOCK)) {
            return 0;
        }
        try (StoreFile file = files.open(name)) {
            SoundRecords records = new SoundRecords(file);
            records.forEach(visitor);
            return records.skippedBytes();
        }
    }

    private void note(ByteBuffer bytes, int start, long position) {
        RecordKind kind = Records.kind(bytes, start);
        long queueId = Records.queueId(bytes, start);
        if (kind == RecordKind.SETTLE) {
            OffsetBits gone = settled.computeIfAbsent(queueId, id -> new OffsetBits());
            int end = start + Records.length(bytes, start);
            for (int at = start + Records.HEADER_BYTES; at < end; at += 2 * Long.BYTES) {
                long last = bytes.getLong(at + Long.BYTES);
                for (long offset = bytes.getLong(at); offset <= last; offset++) {
                    gone.add(offset);
                }
            }
        } else if (kind == RecordKind.COMMAND
                && CommandCodec.read(bytes, start) instanceof Command.DeclareQueue declare) {
            queues.put(queueId, declare);
        }
    }

    private void write(ByteBuffer bytes, int start, long position) throws IOException {
        if (Records.kind(bytes, start) != RecordKind.PUBLISH
                || (Records.flags(bytes, start) & Records.TRANSIENT) != 0) {
            return;
        }
        long queueId = Records.queueId(bytes, start);
        long offset = Records.offset(bytes, start);
        OffsetBits gone = settled.get(queueId);
        OffsetBits done = written.computeIfAbsent(queueId, id -> new OffsetBits());
        if ((gone != null && gone.contains(offset)) || done.contains(offset)) {
            return;
        }
        done.add(offset);
        Path file = target.resolve("queue-" + queueId + ".json");
        String line = line(queueId, offset, MessageCodec.read(bytes, start)) + "\n";
        Files.writeString(file, line, java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND);
        messageCount++;
    }

    private String line(long queueId, long offset, Message message) {
        Command.DeclareQueue queue = queues.get(queueId);
        Properties properties = message.properties();
        return "{\"vhost\":" + json(queue == null ? null : queue.vhost())
                + ",\"queue\":" + json(queue == null ? null : queue.definition().name())
                + ",\"offset\":" + offset
                + ",\"exchange\":" + json(message.exchange())
                + ",\"routingKey\":" + json(message.routingKey())
                + ",\"contentType\":" + json(properties.contentType())
                + ",\"correlationId\":" + json(properties.correlationId())
                + ",\"replyTo\":" + json(properties.replyTo())
                + ",\"messageId\":" + json(properties.messageId())
                + ",\"type\":" + json(properties.type())
                + ",\"headers\":" + json(properties.headersOrEmpty().toString())
                + ",\"body\":" + json(Base64.getEncoder().encodeToString(message.sharedBody()))
                + "}";
    }

    private static String json(@org.jspecify.annotations.Nullable String text) {
        if (text == null) {
            return "null";
        }
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format(java.util.Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
