package io.warren.test.ring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A ring of three processes under load, one of which is killed, frozen or cut off in each round: {@code RingRounds ROUNDS SEED DIRECTORY}.
 *
 * <p>After each round all that anybody delivered is compared: one sequence without a gap, each sender's broadcasts once and in order,
 * and whatever the victim had delivered is with the others.
 */
final class RingRounds {
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final int WAIT_SECONDS = 60;
    private static final long LOAD_MS = 1_500;
    private static final long FROZEN_MS = 10_000;
    private static final long CUT_MS = 6_000;

    private final SplittableRandom random;
    private final Map<String, RingNodeProcess> nodes = new TreeMap<>();
    private final Map<String, List<Long>> timesMs = new TreeMap<>();
    private final Map<String, Integer> faults = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();
    /** By sender's number: the sequence of its last broadcast in the order. */
    private final Map<Long, Long> lastSequences = new HashMap<>();

    private long comparedUpTo;

    /** A file's part of the order: from behind an offset up to another, so many deliveries. */
    private record Part(String whose, long base, long last, long count) {}

    private RingRounds(long seed, Path work) throws IOException {
        random = new SplittableRandom(seed);
        Path secret = Files.writeString(work.resolve("secret"), "what every node of these rounds knows");
        for (String name : NAMES) {
            List<String> seeds = name.equals("a") ? List.of() : List.of(RingNodeProcess.address("a"));
            nodes.put(name, new RingNodeProcess(name, work, secret, seeds));
        }
    }

    public static void main(String[] arguments) throws Exception {
        RingRounds rounds = new RingRounds(Long.parseLong(arguments[1]), Path.of(arguments[2]));
        int count = Integer.parseInt(arguments[0]);
        try {
            rounds.begin();
            for (int round = 1; round <= count && rounds.wrong.isEmpty(); round++) {
                rounds.round(round);
            }
        } finally {
            for (RingNodeProcess node : rounds.nodes.values()) {
                node.end();
            }
        }
        rounds.report(count);
        if (!rounds.wrong.isEmpty()) {
            System.exit(1);
        }
    }

    private void begin() throws IOException, InterruptedException {
        for (RingNodeProcess node : nodes.values()) {
            node.start();
        }
        nodes.get("a").say("create " + String.join(" ", NAMES));
        awaitAll("all three in sync", node -> node.hasInSync(3));
    }

    private void round(int round) throws IOException, InterruptedException {
        for (RingNodeProcess node : nodes.values()) {
            node.say("load");
        }
        Thread.sleep(LOAD_MS);
        RingNodeProcess victim = nodes.get(NAMES.get(random.nextInt(NAMES.size())));
        String controller = nodes.get("a").state().controller();
        int kind = random.nextInt(4);
        String role = (victim.name().equals(controller) ? "the log's leader" : "another node");
        long beganNs = System.nanoTime();
        switch (kind) {
            case 0, 1 -> {
                count("killed");
                victim.kill();
                long tookMs = awaitWithout(victim, beganNs);
                timesMs.computeIfAbsent("kill of " + role, fresh -> new ArrayList<>())
                        .add(tookMs);
                Thread.sleep(LOAD_MS);
                victim.start();
                victim.say("load");
            }
            case 2 -> {
                count("frozen");
                victim.freeze();
                Thread.sleep(FROZEN_MS);
                victim.thaw();
            }
            default -> {
                count("cut off");
                victim.cut();
                Thread.sleep(CUT_MS);
                victim.heal();
            }
        }
        awaitAll("all three in sync after " + victim.name() + " was hit", node -> node.hasInSync(3));
        Thread.sleep(LOAD_MS);
        compare(round, rest());
    }

    private void count(String fault) {
        faults.merge(fault, 1, Integer::sum);
    }

    private long awaitWithout(RingNodeProcess victim, long beganNs) throws InterruptedException {
        long endNs = beganNs + WAIT_SECONDS * 1_000_000_000L;
        while (System.nanoTime() < endNs) {
            long last = 0;
            boolean all = true;
            for (RingNodeProcess node : nodes.values()) {
                if (node != victim) {
                    long installedNs = node.installedWithoutNs(victim.name(), beganNs);
                    all &= installedNs != 0;
                    last = Math.max(last, installedNs);
                }
            }
            if (all) {
                return (last - beganNs) / 1_000_000;
            }
            Thread.sleep(5);
        }
        wrong.add("no view without " + victim.name());
        return -1;
    }

    private void awaitAll(String what, Predicate<RingNodeProcess> wanted) throws InterruptedException {
        long endNs = System.nanoTime() + WAIT_SECONDS * 1_000_000_000L;
        while (!nodes.values().stream().allMatch(wanted)) {
            if (System.nanoTime() > endNs) {
                wrong.add("not within " + WAIT_SECONDS + " s: " + what);
                return;
            }
            Thread.sleep(20);
        }
    }

    /** Nobody broadcasts any more, and all have delivered the same. Returns the last offset. */
    private long rest() throws IOException, InterruptedException {
        for (RingNodeProcess node : nodes.values()) {
            node.say("rest");
        }
        long endNs = System.nanoTime() + WAIT_SECONDS * 1_000_000_000L;
        while (System.nanoTime() < endNs) {
            List<Long> delivered = new ArrayList<>();
            boolean atRest = true;
            for (RingNodeProcess node : nodes.values()) {
                RingNodeProcess.State state = node.state();
                delivered.add(state.delivered());
                atRest &= state.undelivered() == 0;
            }
            if (atRest && delivered.stream().distinct().count() == 1) {
                return delivered.get(0);
            }
            Thread.sleep(50);
        }
        wrong.add("the ring does not come to rest");
        return -1;
    }

    // ---- looking back

    private void compare(int round, long last) throws IOException, InterruptedException {
        if (last < 0) {
            return;
        }
        int count = Math.toIntExact(last - comparedUpTo);
        long[] senders = new long[count + 1];
        long[] sequences = new long[count + 1];
        List<Part> parts = new ArrayList<>();
        for (RingNodeProcess node : nodes.values()) {
            node.nextFile();
            for (Path file : files(node)) {
                try (History history = History.read(file)) {
                    boolean isPresent = history.base() == last && history.count() == 0;
                    if (!isPresent) {
                        String whose = "round " + round + " " + node.name() + " " + file.getFileName();
                        parts.add(compare(whose, history, last, senders, sequences));
                        Files.delete(file);
                    }
                }
            }
        }
        checkGaps(parts, senders);
        follow(senders, sequences);
        System.out.printf(
                "round %d: %s, %d broadcasts in %d files compared, wrong %d%n",
                round, faults, count, parts.size(), wrong.size());
        comparedUpTo = last;
        nodes.values().forEach(node -> wrong.addAll(node.failures()));
    }

    private static List<Path> files(RingNodeProcess node) throws IOException {
        try (Stream<Path> all = Files.list(node.directory())) {
            return all.filter(path -> path.getFileName().toString().startsWith("delivered-"))
                    .toList();
        }
    }

    private Part compare(String whose, History history, long last, long[] senders, long[] sequences) {
        long before = history.base();
        for (long row = 0; row < history.count(); row++) {
            long offset = history.offset(row);
            String mistake = mistake(offset, before, last);
            int at = Math.toIntExact(offset - comparedUpTo);
            if (mistake == null && senders[at] == 0) {
                senders[at] = history.sender(row);
                sequences[at] = history.sequence(row);
            } else if (mistake == null
                    && (senders[at] != history.sender(row) || sequences[at] != history.sequence(row))) {
                mistake = "another broadcast than elsewhere";
            }
            if (mistake != null) {
                wrong.add(whose + " at " + offset + ": " + mistake);
                break;
            }
            before = offset;
        }
        return new Part(whose, history.base(), before, history.count());
    }

    private @Nullable String mistake(long offset, long before, long last) {
        if (offset <= before) {
            return "delivered behind " + before;
        }
        if (offset > last) {
            return "delivered, and the others have nothing above " + last;
        }
        return offset <= comparedUpTo ? "delivered after a later round had begun" : null;
    }

    /** Within its part every file has all that anybody has. */
    private void checkGaps(List<Part> parts, long[] senders) {
        long[] upTo = new long[senders.length];
        for (int at = 1; at < senders.length; at++) {
            upTo[at] = upTo[at - 1] + (senders[at] == 0 ? 0 : 1);
        }
        for (Part part : parts) {
            int from = Math.toIntExact(Math.max(part.base, comparedUpTo) - comparedUpTo);
            int to = Math.toIntExact(Math.max(part.last, comparedUpTo) - comparedUpTo);
            if (upTo[to] - upTo[from] != part.count) {
                wrong.add(part + " has a gap: " + (upTo[to] - upTo[from]) + " were broadcast there");
            }
        }
    }

    /** Each sender's broadcasts once and in order, whoever noted them. Offsets without one are views. */
    private void follow(long[] senders, long[] sequences) {
        for (int at = 1; at < senders.length; at++) {
            if (senders[at] != 0) {
                long before = lastSequences.getOrDefault(senders[at], 0L);
                if (sequences[at] != before + 1) {
                    wrong.add("sender " + senders[at] + ": " + sequences[at] + " behind " + before + " at "
                            + (comparedUpTo + at));
                    return;
                }
                lastSequences.put(senders[at], sequences[at]);
            }
        }
    }

    private void report(int rounds) {
        System.out.println(
                "rounds " + rounds + " " + faults + ", broadcasts " + comparedUpTo + ", wrong " + wrong.size());
        timesMs.forEach((what, times) -> {
            Collections.sort(times);
            System.out.println(what + " to the view without it at both others: median " + times.get(times.size() / 2)
                    + " ms, worst " + times.get(times.size() - 1) + " ms, of " + times.size());
        });
        wrong.forEach(System.out::println);
    }
}
