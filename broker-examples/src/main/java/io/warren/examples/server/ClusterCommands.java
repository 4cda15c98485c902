package io.warren.examples.server;

import io.warren.mirroring.cluster.ClusterNode;
import io.warren.mirroring.node.ClusterStatus;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the {@code cluster} command may ask of a running node. One line in, lines out. */
final class ClusterCommands implements Function<String, String> {

    private static final String LOSING = "--losing-queues";

    private final Supplier<ClusterStatus> status;
    private final @Nullable ClusterNode node;

    /** @param node what may be told to do something, or null for a witness */
    ClusterCommands(Supplier<ClusterStatus> status, @Nullable ClusterNode node) {
        this.status = status;
        this.node = node;
    }

    /** @throws IllegalArgumentException or IllegalStateException with what speaks against it */
    @Override
    public String apply(String line) {
        List<String> words = List.of(line.strip().split("\\s+"));
        boolean losing = words.contains(LOSING);
        List<String> rest = words.stream().filter(word -> !word.equals(LOSING)).toList();
        if (rest.equals(List.of("status"))) {
            return statusText();
        }
        if (node != null && rest.size() == 2 && rest.get(0).equals("forget")) {
            node.forget(rest.get(1), losing);
            return "node '" + rest.get(1) + "' is forgotten";
        }
        if (node != null && rest.equals(List.of("leave"))) {
            node.leave(losing);
            return "this node has left the cluster and serves nobody any more; its process can be ended";
        }
        throw new IllegalArgumentException("'" + line.strip() + "' is not one of: status"
                + (node == null ? "" : ", forget NODE [" + LOSING + "], leave [" + LOSING + "]"));
    }

    private String statusText() {
        ClusterStatus status = this.status.get();
        StringBuilder text = new StringBuilder();
        text.append("node ").append(status.node()).append(status.paused() ? ", paused" : ", serving");
        text.append("\ncontroller ").append(status.controller() == null ? "unknown" : status.controller());
        text.append("\nvoters ")
                .append(String.join(" ", status.voters().stream().sorted().toList()));
        status.nodes().forEach((name, state) -> text.append("\n")
                .append(name)
                .append(" ")
                .append(state.running() ? "running" : "down")
                .append(" incarnation ")
                .append(state.incarnation())
                .append(" at ")
                .append(state.address()));
        return text.toString();
    }
}
