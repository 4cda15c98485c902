package io.warren.test.ring;

import io.warren.test.process.NodeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One node of {@link RingRounds}, and what it says. */
final class RingNodeProcess extends NodeProcess {

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

    private final Path secret;
    private final List<String> seeds;
    private final List<Installed> views = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    RingNodeProcess(String name, Path work, Path secret, List<String> seeds) {
        super(name, work);
        this.secret = secret;
        this.seeds = seeds;
    }

    /** Starts it and waits until it serves. */
    void start() throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(secret.toString()));
        arguments.addAll(seeds);
        start(RingProcess.class, arguments);
    }

    @Override
    protected synchronized boolean take(String line) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case "view" ->
                views.add(new Installed(Long.parseLong(words[1]), Long.parseLong(words[2]), words[3], words[4]));
            case "failed" -> failures.add(name() + " " + line);
            case "ready", "state", "next" -> {
                return false;
            }
            default -> {
                // Kept in its file.
            }
        }
        return true;
    }

    State state() throws IOException, InterruptedException {
        return State.of(ask("state"));
    }

    void nextFile() throws IOException, InterruptedException {
        ask("next");
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

    synchronized List<String> failures() {
        return List.copyOf(failures);
    }
}
