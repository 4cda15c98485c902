package io.warren.examples.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A socket in a node's directory that takes one command a connection: who may write there may command the node.
 *
 * <p>A command is a line of at most 4 KiB; the answer is {@code ok} or {@code refused} and its lines, until the end. One at a time.
 */
public final class ControlSocket implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlSocket.class);
    private static final String FILE = "control";
    private static final int LINE_CHARS_MAX = 4096;

    private final Path file;
    private final ServerSocketChannel server;
    private final Function<String, String> commands;

    private ControlSocket(Path file, ServerSocketChannel server, Function<String, String> commands) {
        this.file = file;
        this.server = server;
        this.commands = commands;
    }

    /** Takes commands from now on; what a process left there that ended is replaced. */
    static ControlSocket open(Path directory, Function<String, String> commands) throws IOException {
        Path file = directory.resolve(FILE);
        Files.deleteIfExists(file);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(file));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException | UnsupportedOperationException unusable) {
            server.close();
            throw new IOException("cannot take commands at " + file + ": " + unusable.getMessage(), unusable);
        }
        ControlSocket socket = new ControlSocket(file, server, commands);
        Thread thread = new Thread(socket::serve, "warren-control");
        thread.setDaemon(true);
        thread.start();
        return socket;
    }

    private void serve() {
        while (server.isOpen()) {
            try (SocketChannel client = server.accept()) {
                answer(client);
            } catch (AsynchronousCloseException closed) {
                return;
            } catch (ClosedChannelException closed) {
                LOG.debug("a command's asker did not wait for the answer", closed);
            } catch (IOException failed) {
                LOG.warn("a command was not answered: {}", failed.toString());
            }
        }
    }

    private void answer(SocketChannel client) throws IOException {
        String answer;
        try {
            answer = "ok\n" + commands.apply(line(client)) + "\n";
        } catch (RuntimeException refused) {
            answer = "refused\n" + refused.getMessage() + "\n";
        }
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(answer);
        while (bytes.hasRemaining()) {
            client.write(bytes);
        }
    }

    private static String line(SocketChannel client) throws IOException {
        var reader = Channels.newReader(client, StandardCharsets.UTF_8);
        StringBuilder line = new StringBuilder();
        for (int next = reader.read(); next >= 0 && next != '\n'; next = reader.read()) {
            if (line.length() == LINE_CHARS_MAX) {
                throw new IllegalArgumentException("a command of more than " + LINE_CHARS_MAX + " characters");
            }
            line.append((char) next);
        }
        return line.toString();
    }

    /**
     * Asks the node that runs in a directory.
     *
     * @return the lines of its answer
     * @throws IllegalStateException with the node's words, if it refuses
     * @throws IOException if no node runs there
     */
    public static String ask(Path directory, String command) throws IOException {
        Path file = directory.resolve(FILE);
        try (SocketChannel node = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(command + "\n");
            while (bytes.hasRemaining()) {
                node.write(bytes);
            }
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(Channels.newInputStream(node), StandardCharsets.UTF_8));
            String verdict = reader.readLine();
            String lines = String.join("\n", reader.lines().toList());
            if (!"ok".equals(verdict)) {
                throw new IllegalStateException(verdict == null ? "the node ended before it answered" : lines);
            }
            return lines;
        } catch (IOException unreachable) {
            throw new IOException("no node answers at " + file + ": " + unreachable.getMessage(), unreachable);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            Files.deleteIfExists(file);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot close " + file, failed);
        }
    }
}
