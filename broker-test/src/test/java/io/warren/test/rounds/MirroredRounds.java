package io.warren.test.rounds;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.warren.test.process.NodeProcess;
import io.warren.test.rounds.MirroredNodeProcess.Whereabouts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/**
 * A durable queue mirrored on three processes, with a publisher and a consumer at each, while in each round something befalls a node:
 * {@code MirroredRounds ROUNDS SEED DIRECTORY [FAULT]}.
 *
 * <p>After each round everything that was confirmed has been received, each publisher's messages in order, and twice only what was published
 * again or is marked redelivered.
 */
final class MirroredRounds {
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final int WAIT_SECONDS = 90;
    private static final long LOAD_MS = 1_500;
    private static final long FROZEN_MS = 10_000;
    private static final long CUT_MS = 6_000;

    private enum Fault {
        KILL_MASTER,
        KILL_SLAVE,
        FREEZE,
        CUT,
        ROLLING_RESTART
    }

    private final SplittableRandom random;
    private final Map<String, MirroredNodeProcess> nodes = new LinkedHashMap<>();
    private final Map<String, RoundClient> clients = new LinkedHashMap<>();
    private final Ledger ledger = new Ledger();
    private final Map<Fault, Integer> faults = new TreeMap<>();
    private final Map<String, List<Long>> timesMs = new TreeMap<>();

    private MirroredRounds(long seed, Path work) throws IOException {
        random = new SplittableRandom(seed);
        Path secret = Files.writeString(work.resolve("secret"), "what every node of these rounds knows");
        int publisher = 0;
        for (String name : NAMES) {
            List<String> seeds = name.equals("a") ? List.of() : List.of(NodeProcess.address("a"));
            nodes.put(name, new MirroredNodeProcess(name, work, secret, seeds));
            clients.put(name, new RoundClient(name, ++publisher, ledger));
        }
    }

    public static void main(String[] arguments) throws Exception {
        MirroredRounds rounds = new MirroredRounds(Long.parseLong(arguments[1]), Path.of(arguments[2]));
        int count = Integer.parseInt(arguments[0]);
        Fault only = arguments.length > 3 ? Fault.valueOf(arguments[3]) : null;
        try {
            rounds.begin();
            for (int round = 1; round <= count && rounds.ledger.wrong().isEmpty(); round++) {
                rounds.round(round, only);
            }
            for (RoundClient client : rounds.clients.values()) {
                client.end();
            }
        } finally {
            for (MirroredNodeProcess node : rounds.nodes.values()) {
                node.end();
            }
        }
        rounds.report();
        System.exit(rounds.ledger.wrong().isEmpty() ? 0 : 1);
    }

    private void begin() throws IOException, InterruptedException, TimeoutException {
        for (MirroredNodeProcess node : nodes.values()) {
            node.start();
        }
        nodes.get("a").mirrorEverything();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(MirroredNodeProcess.clientHost("a"));
        factory.setPort(MirroredNode.CLIENT_PORT);
        try (Connection connection = factory.newConnection()) {
            connection.createChannel().queueDeclare(MirroredNode.QUEUE, true, false, false, null);
        }
        awaitSynchronised("at the beginning");
        clients.values().forEach(RoundClient::start);
    }

    private void round(int round, Fault only) throws IOException, InterruptedException {
        clients.values().forEach(client -> client.publishing(true));
        Thread.sleep(LOAD_MS);
        Fault fault = only == null ? Fault.values()[random.nextInt(Fault.values().length)] : only;
        faults.merge(fault, 1, Integer::sum);
        Whereabouts before = nodes.get("a").whereabouts();
        List<String> slaves =
                NAMES.stream().filter(name -> !name.equals(before.master())).toList();
        String slave = slaves.get(random.nextInt(slaves.size()));
        String any = NAMES.get(random.nextInt(NAMES.size()));
        switch (fault) {
            case KILL_MASTER -> kill(before.master(), before);
            case KILL_SLAVE -> kill(slave, before);
            case FREEZE -> freeze(any);
            case CUT -> cut(any);
            case ROLLING_RESTART -> restartAll();
        }
        awaitSynchronised("after " + fault + " of round " + round);
        Thread.sleep(LOAD_MS);
        clients.values().forEach(client -> client.publishing(false));
        awaitRest(round);
        ledger.endRound();
        System.out.println("round " + round + ": " + fault + ", " + ledger);
    }

    private void kill(String name, Whereabouts before) throws IOException, InterruptedException {
        MirroredNodeProcess victim = nodes.get(name);
        ledger.fault(clients.get(name).publisher());
        victim.kill();
        Thread.sleep(2 * LOAD_MS);
        String role = (name.equals(before.master()) ? "the master" : "a slave")
                + (name.equals(before.controller()) ? ", which led the metadata log" : "");
        time("kill of " + role + ", to the first confirm", ledger.confirmMs());
        time("kill of " + role + ", to the first delivery", ledger.deliveryMs());
        victim.start();
    }

    private void time(String what, long ms) {
        if (ms < 0) {
            ledger.wrong(what + ": never within " + 2 * LOAD_MS + " ms");
        } else {
            timesMs.computeIfAbsent(what, fresh -> new ArrayList<>()).add(ms);
        }
    }

    private void freeze(String name) throws IOException, InterruptedException {
        nodes.get(name).freeze();
        Thread.sleep(FROZEN_MS);
        nodes.get(name).thaw();
    }

    private void cut(String name) throws IOException, InterruptedException {
        nodes.get(name).cut();
        Thread.sleep(CUT_MS);
        nodes.get(name).heal();
    }

    private void restartAll() throws IOException, InterruptedException {
        for (MirroredNodeProcess node : nodes.values()) {
            node.stop();
            node.start();
            awaitSynchronised("after the restart of " + node.name());
        }
    }

    private void awaitSynchronised(String when) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + WAIT_SECONDS * 1_000_000_000L;
        while (!isSynchronised()) {
            if (System.nanoTime() > endNs) {
                ledger.wrong("no two slaves in sync " + when);
                return;
            }
            Thread.sleep(20);
        }
    }

    private boolean isSynchronised() throws IOException, InterruptedException {
        for (MirroredNodeProcess node : nodes.values()) {
            if (node.whereabouts().synchronisedSlaves().size() < NAMES.size() - 1) {
                return false;
            }
        }
        return true;
    }

    private void awaitRest(int round) throws InterruptedException {
        long endNs = System.nanoTime() + WAIT_SECONDS * 1_000_000_000L;
        while (!clients.values().stream().allMatch(RoundClient::isConfirmed) || !ledger.isReceived()) {
            if (System.nanoTime() > endNs) {
                ledger.wrong("not all is confirmed and received at the end of round " + round);
                return;
            }
            Thread.sleep(20);
        }
    }

    private void report() {
        System.out.println("rounds " + faults + ", " + ledger);
        timesMs.forEach((what, times) -> {
            Collections.sort(times);
            System.out.printf(
                    "%s: median %d ms, worst %d ms, of %d%n",
                    what, times.get(times.size() / 2), times.get(times.size() - 1), times.size());
        });
        ledger.wrong().forEach(System.out::println);
    }
}
