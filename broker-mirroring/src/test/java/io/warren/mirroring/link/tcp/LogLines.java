package io.warren.mirroring.link.tcp;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What the links log from warning up, instead of printing it. */
final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(TcpLinks.class.getPackageName());

    LogLines() {
        start();
        logger.setAdditive(false);
        logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
            lines.add(event.getFormattedMessage());
        }
    }

    List<String> warnings() {
        return lines;
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setAdditive(true);
    }
}
