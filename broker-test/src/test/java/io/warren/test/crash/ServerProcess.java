package io.warren.test.crash;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One life of the broker's process, and what it logged. */
final class ServerProcess implements AutoCloseable {

    private static final long START_SECONDS = 60;

    private final Process process;
    private final int port;
    private final Thread reader;
    private final List<String> log = new CopyOnWriteArrayList<>();

    /** Copies, rolls and deletions that were begun and are not ended. */
    private final AtomicInteger underWay = new AtomicInteger();

    private volatile Runnable onCopyBegun = () -> {};

    private ServerProcess(Path directory, long logFileBytes, Path portFile) throws IOException {
        Files.deleteIfExists(portFile);
        String java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
        process = new ProcessBuilder(
                        java,
                        "-Xmx256m",
                        "-Dlogback.configurationFile=logback-crash.xml",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashServer.class.getName(),
                        directory.toString(),
                        "0",
                        Long.toString(logFileBytes),
                        portFile.toString())
                .redirectErrorStream(true)
                .start();
        reader = new Thread(this::readLog, "log of the server");
        reader.setDaemon(true);
        reader.start();
        port = awaitPort(portFile);
    }

    /** Starts it and waits until it is ready; throws with its log if it refuses. */
    static ServerProcess start(Path directory, long logFileBytes, Path portFile) throws IOException {
        return new ServerProcess(directory, logFileBytes, portFile);
    }

    private int awaitPort(Path portFile) throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        try {
            while (System.nanoTime() < deadlineNs && process.isAlive()) {
                if (Files.exists(portFile)) {
                    return Integer.parseInt(Files.readString(portFile).trim());
                }
                Thread.sleep(5);
            }
            process.destroyForcibly();
            reader.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        throw new IOException("the server did not start:\n" + String.join("\n", log));
    }

    private void readLog() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                log.add(line);
                follow(line);
            }
        } catch (IOException ended) {
            log.add("the log ends: " + ended.getMessage());
        }
    }

    private void follow(String line) {
        if (line.contains(" moving what waits in ")
                || line.contains(" compacting ")
                || line.contains(" rolling ")
                || line.matches(".* log files up to \\d+ go")) {
            underWay.incrementAndGet();
            onCopyBegun.run();
        } else if (line.contains(" moved what waited in ")
                || line.contains(" compacted ")
                || line.contains(" rolled ")
                || line.matches(".* log files up to \\d+ are gone")) {
            underWay.decrementAndGet();
        }
    }

    int port() {
        return port;
    }

    /** The most memory it ever had, as Linux counts it. */
    String peakMemory() throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.exists(status)) {
            return "unknown";
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .map(line -> line.substring("VmHWM:".length()).trim())
                .findFirst()
                .orElse("unknown");
    }

    List<String> log() {
        return log;
    }

    /** Run, in the thread that reads the log, when a copy, a roll or a deletion begins. */
    void onCopyBegun(Runnable action) {
        onCopyBegun = action;
    }

    /** kill -9; true if it was in the middle of a copy, a roll or a deletion, by what it had logged. */
    boolean kill() {
        process.destroyForcibly();
        join();
        return underWay.get() > 0;
    }

    /** Ends its input, upon which it stops cleanly. */
    void stop() throws IOException {
        process.getOutputStream().close();
        join();
    }

    private void join() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the server does not end:\n" + String.join("\n", log));
            }
            reader.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
