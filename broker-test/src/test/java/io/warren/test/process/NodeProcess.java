package io.warren.test.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A node of a cluster as a process in a network namespace of its own, {@code warren-NAME}: lines in, lines out, and the faults that befall it.
 *
 * <p>Nodes are named a, b, c; the cluster's address of the first is 10.77.0.1. What the process prints on standard output is kept in the file {@code
 * out} of its directory, standard error in {@code log}. Its heap has 1 GiB, or what the property {@code warren.heap} says.
 */
public abstract class NodeProcess {
    private static final int PORT = 7000;

    private final String name;
    private final String namespace;
    private final Path directory;
    private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private Process process;
    private BufferedWriter input;

    protected NodeProcess(String name, Path work) {
        this.name = name;
        namespace = "warren-" + name;
        directory = work.resolve(name);
    }

    /** Where other nodes reach it. */
    public static String host(String name) {
        return "10.77.0." + number(name);
    }

    /** 1 for a, and so on. */
    protected static int number(String name) {
        return name.charAt(0) - 'a' + 1;
    }

    public static String address(String name) {
        return host(name) + ":" + PORT;
    }

    public final String name() {
        return name;
    }

    public final Path directory() {
        return directory;
    }

    /**
     * Starts a class with name, host, port and directory of the node, and further arguments; waits until it says {@code ready}.
     *
     * @throws IllegalStateException if it does not within a minute, or ends
     */
    protected final void start(Class<?> main, List<String> arguments) throws IOException, InterruptedException {
        launch(main, arguments);
        awaitReady();
    }

    /** Waits until a node that was launched says {@code ready}. */
    public final void awaitReady() throws InterruptedException {
        await(line -> line.equals("ready"), 60);
    }

    /** As {@link #start}, but does not wait: where it needs others that begin with it. */
    protected final void launch(Class<?> main, List<String> arguments) throws IOException {
        Files.createDirectories(directory);
        answers.clear();
        List<String> command = command(main);
        command.addAll(List.of(name, host(name), String.valueOf(PORT), directory.toString()));
        command.addAll(arguments);
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()))
                .start();
        input = process.outputWriter(UTF_8);
        Process reading = process;
        Thread reader = new Thread(() -> read(reading), "output of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    /** Runs a class to its end where the node would. */
    protected final void run(Class<?> main, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = command(main);
        command.addAll(arguments);
        Process running = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()))
                .start();
        if (running.waitFor() != 0) {
            throw new IllegalStateException(main.getSimpleName() + " has failed, see " + directory.resolve("log"));
        }
    }

    /** A class in a JVM of the node's namespace; its arguments follow. */
    private List<String> command(Class<?> main) {
        return new ArrayList<>(List.of(
                "ip",
                "netns",
                "exec",
                namespace,
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-Xmx" + System.getProperty("warren.heap", "1g"),
                "-Dlogback.configurationFile=logback-crash.xml",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    }

    private void read(Process from) {
        try (BufferedReader lines = from.inputReader(UTF_8);
                BufferedWriter logged = Files.newBufferedWriter(directory.resolve("out"), UTF_8, CREATE, APPEND)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!take(line)) {
                    answers.add(line);
                }
                logged.append(line).append('\n').flush();
            }
        } catch (IOException ended) {
            answers.add("ended " + ended.getMessage());
        }
    }

    /** What it says by itself; false for what answers {@link #ask}. In a thread of its own. */
    protected boolean take(String line) {
        return false;
    }

    public final long pid() {
        return process.pid();
    }

    /** Tells it something. */
    public final void say(String line) throws IOException {
        input.write(line + "\n");
        input.flush();
    }

    /** Asks it something that is answered with a line that begins with the same word. */
    protected final String ask(String word) throws IOException, InterruptedException {
        return ask(word, "");
    }

    /** The same with more than a word, in one line. */
    protected final String ask(String word, String rest) throws IOException, InterruptedException {
        say(rest.isEmpty() ? word : word + " " + rest);
        return await(line -> line.startsWith(word + " "), 30);
    }

    private String await(Predicate<String> wanted, int seconds) throws InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < endNs) {
            String line = answers.poll(100, TimeUnit.MILLISECONDS);
            if (line != null && wanted.test(line)) {
                return line;
            }
            if (!process.isAlive() && answers.isEmpty()) {
                throw new IllegalStateException(name + " has ended, see " + directory.resolve("log"));
            }
        }
        throw new IllegalStateException(name + " does not answer, see " + directory.resolve("log"));
    }

    // ---- faults

    /** {@code ip netns exec} becomes the program, so the process is the JVM's. */
    public final void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Ends its input, upon which it stops in order. */
    public final void stop() throws IOException, InterruptedException {
        input.close();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException(name + " does not stop, see " + directory.resolve("log"));
        }
    }

    public final void freeze() throws IOException, InterruptedException {
        run("kill", "-STOP", Long.toString(process.pid()));
    }

    public final void thaw() throws IOException, InterruptedException {
        run("kill", "-CONT", Long.toString(process.pid()));
    }

    /** Other nodes do not reach it any more; its clients, who come over another link, do. */
    public final void cut() throws IOException, InterruptedException {
        run("ip", "netns", "exec", namespace, "ip", "link", "set", "eth0", "down");
    }

    public final void heal() throws IOException, InterruptedException {
        run("ip", "netns", "exec", namespace, "ip", "link", "set", "eth0", "up");
    }

    /** Ends it for good, if it runs. */
    public final void end() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        int status = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + status);
        }
    }
}
