package io.warren.mirroring.metadata.format;

import io.warren.mirroring.metadata.LogId;
import io.warren.mirroring.metadata.Metadata;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What nodes of different logs ask of each other: which log it is, and which nodes it knows.
 *
 * <pre>
 *  0  long    id of the log
 *             ancestors, oldest first: int count, then a long each
 *     long    place of its founder in the order in which nodes joined
 *             names of the nodes in its metadata: int count, then each as int length and UTF-8
 * </pre>
 */
public record LogSummary(LogId logId, List<String> nodes) {
    public LogSummary {
        nodes = List.copyOf(nodes);
    }

    public static LogSummary of(Metadata metadata) {
        return new LogSummary(metadata.logId(), List.copyOf(metadata.nodes().keySet()));
    }

    public byte[] bytes() {
        Output to = new Output();
        to.number(logId.id()).each(logId.ancestors(), to::number);
        return to.number(logId.founderJoined()).texts(nodes).toArray();
    }

    /** Torn or impossible bytes are an {@code IllegalArgumentException}. */
    public static LogSummary read(ByteBuffer bytes) {
        return Input.read(
                bytes,
                "a log's summary",
                from -> new LogSummary(new LogId(from.number(), from.each(from::number), from.number()), from.texts()));
    }
}
