package io.warren.test.rounds;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.warren.test.process.NodeProcess;
import io.warren.test.process.ProcessUse;
import io.warren.test.process.Silent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;

/** Three processes, a, b and c, and their clients. */
final class Nodes {
    static final List<String> NAMES = List.of("a", "b", "c");
    private static final int CONNECT_MS = 2_000;

    private final Map<String, MirroredNodeProcess> nodes = new LinkedHashMap<>();

    Nodes(Path work) throws IOException {
        Path secret = Files.writeString(work.resolve("secret"), "what every node of these rounds knows");
        for (String name : NAMES) {
            List<String> seeds = name.equals("a") ? List.of() : List.of(NodeProcess.address("a"));
            nodes.put(name, new MirroredNodeProcess(name, work, secret, seeds));
        }
    }

    /** All three, with every queue mirrored everywhere. */
    void start() throws IOException, InterruptedException {
        startAll();
        get("a").mirrorEverything();
    }

    /** Without a policy. */
    void startAll() throws IOException, InterruptedException {
        for (MirroredNodeProcess node : nodes.values()) {
            node.start();
        }
    }

    MirroredNodeProcess get(String name) {
        return Objects.requireNonNull(nodes.get(name), name);
    }

    Map<String, ProcessUse> use() throws IOException {
        Map<String, ProcessUse> use = new LinkedHashMap<>();
        for (MirroredNodeProcess node : nodes.values()) {
            use.put(node.name(), ProcessUse.of(node.pid()));
        }
        return use;
    }

    void end() throws InterruptedException {
        for (MirroredNodeProcess node : nodes.values()) {
            node.end();
        }
    }

    static Connection connect(String name) throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(MirroredNodeProcess.clientHost(name));
        factory.setPort(MirroredNode.CLIENT_PORT);
        factory.setConnectionTimeout(CONNECT_MS);
        factory.setAutomaticRecoveryEnabled(false);
        factory.setExceptionHandler(new Silent());
        return factory.newConnection();
    }
}
