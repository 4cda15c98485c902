package io.warren.test.ring;

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

/** One node of {@link RingRounds}: its process, what it says, and the faults that befall it. */
final class RingNodeProcess {
    private static final int PORT = 7000;

    /** What a node says of its member. */
    record State(long incarnation, String phase, long delivered, long undelivered, long epoch, String controller) {
        static State of(String line) {
            String[] words = line.split(" ", -1);
            return new State(
                    Long.parseLong(words[1]),
                    words[2],
                    Long.parseLong(words[3]),
                    Long.parseLong(words[4]),
                    Long.parseLong(words[5]),
                    words[6]);
        }
    }

    /** A view as a node heard of it. */
    record Installed(long epoch, long atNs, String master, String members) {}

    private final String name;
    private final String namespace;
    private final Path directory;
    private final Path secret;
    private final List<String> seeds;
    private final List<Installed> views = new ArrayList<>();
    private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final List<String> failures = new ArrayList<>();
    private Process process;
    private BufferedWriter input;

    RingNodeProcess(String name, Path work, Path secret, List<String> seeds) {
        this.name = name;
        this.secret = secret;
        this.seeds = seeds;
        namespace = "warren-" + name;
        directory = work.resolve(name);
    }

    static String host(String name) {
        return "10.77.0." + (name.charAt(0) - 'a' + 1);
    }

    static String address(String name) {
        return host(name) + ":" + PORT;
    }

    String name() {
        return name;
    }

    Path directory() {
        return directory;
    }

    /** Starts it and waits until it serves. */
    void start() throws IOException, InterruptedException {
        Files.createDirectories(directory);
        answers.clear();
        List<String> command = new ArrayList<>(List.of(
                "ip",
                "netns",
                "exec",
                namespace,
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-Xmx512m",
                "-Dlogback.configurationFile=logback-crash.xml",
                "-cp",
                System.getProperty("java.class.path"),
                RingProcess.class.getName(),
                name,
                host(name),
                String.valueOf(PORT),
                directory.toString(),
                secret.toString()));
        command.addAll(seeds);
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()))
                .start();
        input = process.outputWriter(UTF_8);
        Process reading = process;
        Thread reader = new Thread(() -> read(reading), "output of " + name);
        reader.setDaemon(true);
        reader.start();
        await(line -> line.equals("ready"), 60);
    }

    private void read(Process from) {
        try (BufferedReader lines = from.inputReader(UTF_8);
                BufferedWriter logged = Files.newBufferedWriter(directory.resolve("out"), UTF_8, CREATE, APPEND)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                take(line);
                logged.append(line).append('\n').flush();
            }
        } catch (IOException ended) {
            answers.add("ended " + ended.getMessage());
        }
    }

    private synchronized void take(String line) {
        String[] words = line.split(" ", -1);
        if (words[0].equals("view")) {
            views.add(new Installed(Long.parseLong(words[1]), Long.parseLong(words[2]), words[3], words[4]));
        } else if (words[0].equals("failed")) {
            failures.add(name + " " + line);
        } else if (words[0].equals("ready") || words[0].equals("state") || words[0].equals("next")) {
            answers.add(line);
        }
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

    void say(String line) throws IOException {
        input.write(line + "\n");
        input.flush();
    }

    State state() throws IOException, InterruptedException {
        say("state");
        return State.of(await(line -> line.startsWith("state "), 30));
    }

    void nextFile() throws IOException, InterruptedException {
        say("next");
        await(line -> line.startsWith("next "), 30);
    }

    /** When it heard of the first view without that node after a time, or 0. */
    synchronized long installedWithoutNs(String other, long sinceNs) {
        return views.stream()
                .filter(view -> view.atNs >= sinceNs && !view.members.contains(other))
                .mapToLong(Installed::atNs)
                .findFirst()
                .orElse(0);
    }

    /** Whether its present view has all of these in sync. */
    synchronized boolean hasInSync(int count) {
        if (views.isEmpty()) {
            return false;
        }
        String members = views.get(views.size() - 1).members;
        return members.chars().filter(sign -> sign == '+').count() == count;
    }

    synchronized String master() {
        return views.isEmpty() ? "none" : views.get(views.size() - 1).master;
    }

    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    // ---- faults

    /** {@code ip netns exec} becomes the program, so the process is the JVM's. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    void freeze() throws IOException, InterruptedException {
        run("kill", "-STOP", Long.toString(process.pid()));
    }

    void thaw() throws IOException, InterruptedException {
        run("kill", "-CONT", Long.toString(process.pid()));
    }

    void cut() throws IOException, InterruptedException {
        run("ip", "netns", "exec", namespace, "ip", "link", "set", "eth0", "down");
    }

    void heal() throws IOException, InterruptedException {
        run("ip", "netns", "exec", namespace, "ip", "link", "set", "eth0", "up");
    }

    void end() throws InterruptedException {
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
