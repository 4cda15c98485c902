package io.warren.mirroring.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.slf4j.LoggerFactory;

/** What the nodes of this JVM log, from INFO up, instead of printing it. */
final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.warren.mirroring");
    private final Level before = logger.getLevel();

    LogLines() {
        start();
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        lines.add(event.getFormattedMessage());
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    /** Waits for a line with all of these in it, and returns it. */
    String await(String... parts) {
        Awaitility.await().atMost(ClusterNodes.WAIT).untilAsserted(() -> assertThat(lines)
                .anyMatch(line -> hasAll(line, parts)));
        return lines.stream().filter(line -> hasAll(line, parts)).findFirst().orElseThrow();
    }

    boolean has(String... parts) {
        return lines.stream().anyMatch(line -> hasAll(line, parts));
    }

    private static boolean hasAll(String line, String... parts) {
        return Stream.of(parts).allMatch(line::contains);
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setAdditive(true);
        logger.setLevel(before);
    }
}
