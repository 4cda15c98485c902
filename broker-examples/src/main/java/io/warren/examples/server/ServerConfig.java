package io.warren.examples.server;

import io.warren.amqp.server.AmqpServerBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings in the words of a rabbitmq.conf: {@code name = value}, one a line, {@code #} begins a comment.
 *
 * <p>A name that has no effect here is refused with its line: a broker that silently leaves out half of its settings is
 * found out too late.
 */
public final class ServerConfig {

    private static final Pattern LINE = Pattern.compile("\\s*([\\w.]+)\\s*=\\s*(.*?)\\s*");

    private static final Map<String, Setting> SETTINGS = settings();

    /** What one name does. */
    private interface Setting {
        void apply(ServerSetup setup, String value);
    }

    private ServerConfig() {}

    private static Map<String, Setting> settings() {
        Map<String, Setting> settings = new TreeMap<>();
        settings.put("listeners.tcp.*", ServerSetup::listen);
        settings.put("listeners.ssl.*", ServerSetup::listenTls);
        settings.put("ssl_options.certfile", (setup, value) -> setup.tls().certificate = Path.of(value));
        settings.put("ssl_options.keyfile", (setup, value) -> setup.tls().key = Path.of(value));
        settings.put("ssl_options.password", (setup, value) -> setup.tls().keyPassword = value);
        settings.put("ssl_options.cacertfile", (setup, value) -> setup.tls().trusted = Path.of(value));
        settings.put("ssl_options.verify", (setup, value) -> setup.tls().verify(value));
        settings.put("ssl_options.fail_if_no_peer_cert", (setup, value) -> setup.tls().requires = truth(value));
        settings.put("ssl_cert_login_from", ServerSetup::certificateLogin);
        settings.put("auth_mechanisms.*", ServerSetup::mechanism);
        settings.put("loopback_users", ServerSetup::noLoopbackUsers);
        settings.put("loopback_users.guest", (setup, value) -> setup.guestFromAnywhere(!truth(value)));
        settings.put("heartbeat", counted(AmqpServerBuilder::heartbeatSeconds));
        settings.put("frame_max", counted(AmqpServerBuilder::frameBytesMax));
        settings.put("channel_max", counted(AmqpServerBuilder::channelCountMax));
        settings.put("max_message_size", counted(AmqpServerBuilder::messageBytesMax));
        settings.put("handshake_timeout", ServerSetup::handshakeTimeout);
        settings.put("load_definitions", ServerSetup::definitions);
        settings.put("quorum_as_classic", (setup, value) -> setup.quorumAsClassic(truth(value)));
        settings.put("consumer_timeout", ServerSetup::consumerTimeout);
        settings.put(
                "disk_free_limit.absolute", (setup, value) -> setup.broker().diskFreeLimit(bytes(value)));
        settings.put("vm_memory_high_watermark.absolute", (setup, value) -> setup.broker()
                .memoryLimit(bytes(value)));
        return settings;
    }

    private static Setting counted(BiConsumer<AmqpServerBuilder, Integer> setting) {
        return (setup, value) -> {
            int count = number(value);
            setup.server(it -> setting.accept(it, count));
        };
    }

    /**
     * Sets a server up as a file says, or as it comes without one.
     *
     * @throws IllegalArgumentException for a file that cannot be read, or a line that means nothing here
     */
    public static ServerSetup read(@Nullable Path file) {
        ServerSetup setup = new ServerSetup();
        List<String> lines = file == null ? List.of() : lines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("(^|\\s)#.*", "");
            if (!line.isBlank()) {
                apply(setup, file + ":" + (i + 1) + ": ", line);
            }
        }
        return setup;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("cannot read " + file + ": " + unreadable, unreadable);
        }
    }

    private static void apply(ServerSetup setup, String place, String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(place + "not 'name = value': " + line.strip());
        }
        String name = matcher.group(1);
        Setting setting = SETTINGS.getOrDefault(name, SETTINGS.get(name.replaceFirst("\\.\\w+$", ".*")));
        if (setting == null) {
            throw new IllegalArgumentException(
                    place + "'" + name + "' has no effect here; there are: " + String.join(", ", SETTINGS.keySet()));
        }
        try {
            setting.apply(setup, matcher.group(2));
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(
                    place + name + " cannot be '" + matcher.group(2) + "': " + refused.getMessage(), refused);
        }
    }

    static int number(String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException("not a whole number", notANumber);
        }
    }

    private static boolean truth(String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException("neither true nor false");
        }
        return value.equals("true");
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
