package io.warren.examples.server;

import io.warren.mirroring.node.ClusterStatus;
import io.warren.mirroring.node.NodeOperations;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the {@code cluster} command may ask of a running node. One line of {@link CommandWords} in, lines out. */
final class ClusterCommands implements Function<String, String> {

    private static final String LOSING = "--losing-queues";
    private static final String OF_A_NODE = ", queues, synchronise VHOST QUEUE, cancel-synchronisation VHOST QUEUE,"
            + " move VHOST QUEUE NODE, aside, put-back NAME VHOST QUEUE, delete-aside NAME, forget NODE [" + LOSING
            + "], leave [" + LOSING + "]";

    private final Supplier<ClusterStatus> status;
    private final @Nullable NodeOperations node;

    /** @param node what may be told to do something, or null for a witness */
    ClusterCommands(Supplier<ClusterStatus> status, @Nullable NodeOperations node) {
        this.status = status;
        this.node = node;
    }

    /** @throws IllegalArgumentException or IllegalStateException with what speaks against it */
    @Override
    public String apply(String line) {
        List<String> words = CommandWords.split(line);
        if (words.equals(List.of("status"))) {
            return statusText();
        }
        String answer = node == null ? null : answer(node, words);
        if (answer == null) {
            throw new IllegalArgumentException(
                    "'" + String.join(" ", words) + "' is not one of: status" + (node == null ? "" : OF_A_NODE));
        }
        return answer;
    }

    private static @Nullable String answer(NodeOperations node, List<String> words) {
        return switch (words.get(0) + " " + words.size()) {
            case "queues 1" -> QueueReport.of(node.mirroredQueues());
            case "synchronise 3" ->
                ofQueue(words, "synchronisation begins; 'queues' tells who is in sync", node::synchronise);
            case "cancel-synchronisation 3" ->
                ofQueue(
                        words,
                        "synchronisation is broken off; copies keep what they have",
                        node::cancelSynchronisation);
            case "move 4" ->
                ofQueue(
                        words,
                        "node '" + words.get(3) + "' is asked to lead",
                        (vhost, queue) -> node.moveMaster(vhost, queue, words.get(3)));
            case "aside 1" -> AsideReport.of(node.copiesSetAside());
            case "put-back 4" ->
                node.putBack(words.get(1), words.get(2), words.get(3)) + " messages of '" + words.get(1)
                        + "' are in queue '" + words.get(3) + "' in vhost '" + words.get(2)
                        + "' now, and the set is deleted";
            case "delete-aside 2" -> {
                node.deleteSetAside(words.get(1));
                yield "'" + words.get(1) + "' is deleted";
            }
            default -> membership(node, words);
        };
    }

    /** What is done with one queue, by virtual host and name. */
    private interface QueueOrder {
        void give(String vhost, String queue);
    }

    private static String ofQueue(List<String> words, String done, QueueOrder order) {
        String named = "queue '" + words.get(2) + "' in vhost '" + words.get(1) + "': ";
        try {
            order.give(words.get(1), words.get(2));
            return named + done;
        } catch (IllegalStateException refused) {
            throw new IllegalStateException(named + refused.getMessage(), refused);
        }
    }

    private static @Nullable String membership(NodeOperations node, List<String> words) {
        List<String> rest = new ArrayList<>(words);
        boolean losing = rest.remove(LOSING);
        if (rest.size() == 2 && rest.get(0).equals("forget")) {
            node.forget(rest.get(1), losing);
            return "node '" + rest.get(1) + "' is forgotten";
        }
        if (rest.equals(List.of("leave"))) {
            node.leave(losing);
            return "this node has left the cluster and serves nobody any more; its process can be ended";
        }
        return null;
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
