package io.warren.examples.server;

import io.warren.amqp.server.AmqpServerBuilder;
import io.warren.core.Broker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Settings in the words of a rabbitmq.conf: {@code name = value}, one a line, {@code #} begins a comment.
 *
 * <p>A name that has no effect here is refused with its line: a broker that silently leaves out half of its settings is
 * found out too late.
 */
public final class ServerConfig {

    /** Everything as it comes. */
    public static final ServerConfig NONE = new ServerConfig(List.of());

    private static final Pattern LINE = Pattern.compile("\\s*([\\w.]+)\\s*=\\s*(.*?)\\s*");

    private static final Map<String, Setting> SETTINGS = settings();

    /** What one name does. */
    private interface Setting {
        void apply(String value, Broker broker, AmqpServerBuilder server);
    }

    private record Entry(String place, String name, String value, Setting setting) {}

    private final List<Entry> entries;

    private ServerConfig(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    private static Map<String, Setting> settings() {
        Map<String, Setting> settings = new TreeMap<>();
        settings.put("heartbeat", (value, broker, server) -> server.heartbeatSeconds(Integer.parseInt(value)));
        settings.put("frame_max", (value, broker, server) -> server.frameBytesMax(Integer.parseInt(value)));
        settings.put("channel_max", (value, broker, server) -> server.channelCountMax(Integer.parseInt(value)));
        settings.put("max_message_size", (value, broker, server) -> server.messageBytesMax(Integer.parseInt(value)));
        settings.put(
                "handshake_timeout",
                (value, broker, server) -> server.handshakeTimeout(Duration.ofMillis(Long.parseLong(value))));
        settings.put("vm_memory_high_watermark.absolute", (value, broker, server) -> broker.administration()
                .memoryLimit(bytes(value)));
        settings.put("quorum_as_classic", (value, broker, server) -> broker.administration()
                .quorumAsClassic(bool(value)));
        settings.put("loopback_users", (value, broker, server) -> {
            if (!value.equals("none")) {
                throw new IllegalArgumentException("only 'none' is possible");
            }
            server.loopbackUsers();
        });
        return settings;
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException for a file that cannot be read, or a line that means nothing here
     */
    public static ServerConfig read(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("cannot read " + file + ": " + unreadable, unreadable);
        }
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("(^|\\s)#.*", "");
            if (!line.isBlank()) {
                entries.add(entry(file + ":" + (i + 1), line));
            }
        }
        return new ServerConfig(entries);
    }

    private static Entry entry(String place, String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(place + ": not 'name = value': " + line.strip());
        }
        Setting setting = SETTINGS.get(matcher.group(1));
        if (setting == null) {
            throw new IllegalArgumentException(place + ": '" + matcher.group(1) + "' has no effect here; there are: "
                    + String.join(", ", SETTINGS.keySet()));
        }
        return new Entry(place, matcher.group(1), matcher.group(2), setting);
    }

    /**
     * Sets up a broker and its server, and gives the latter back.
     *
     * @throws IllegalArgumentException for a value that cannot be
     */
    public AmqpServerBuilder apply(Broker broker, AmqpServerBuilder server) {
        for (Entry entry : entries) {
            try {
                entry.setting().apply(entry.value(), broker, server);
            } catch (IllegalArgumentException refused) {
                throw new IllegalArgumentException(
                        entry.place() + ": " + entry.name() + " cannot be '" + entry.value() + "': "
                                + refused.getMessage(),
                        refused);
            }
        }
        return server;
    }

    private static boolean bool(String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("only 'true' and 'false' are possible");
        };
    }

    /** A number of bytes; RabbitMQ's units are powers of 1024 but for those that end in B without i. */
    static long bytes(String value) {
        Matcher matcher = Pattern.compile("(\\d+)(?:([kKMG])(iB|B)?)?").matcher(value);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a number of bytes such as 512MiB");
        }
        long bytes = Long.parseLong(matcher.group(1));
        if (matcher.group(2) == null) {
            return bytes;
        }
        long thousand = "B".equals(matcher.group(3)) ? 1_000 : 1_024;
        return switch (matcher.group(2)) {
            case "M" -> bytes * thousand * thousand;
            case "G" -> bytes * thousand * thousand * thousand;
            default -> bytes * thousand;
        };
    }
}
