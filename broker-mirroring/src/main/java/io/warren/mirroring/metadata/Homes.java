package io.warren.mirroring.metadata;

import io.warren.core.metadata.Command;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Mirroring;
import io.warren.core.metadata.Policy;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.QueueDefinition;
import io.warren.core.metadata.VirtualHost;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a queue lives that is declared: decided when the command is applied, so that every replica comes to the same node.
 *
 * <p>RabbitMQ's {@code x-queue-master-locator}, or else the policy's {@code queue-master-locator}: the node of the client without
 * either, and always for an exclusive queue, which ends with a connection of that node. A queue that is to be mirrored on named nodes begins on
 * one of them.
 */
final class Homes {
    private static final String ARGUMENT = "x-queue-master-locator";
    private static final String POLICY_KEY = "queue-master-locator";

    private Homes() {}

    /**
     * The command with what is decided here; one that is none for a queue, or says where, stays as it is.
     *
     * @param submitter node of the client
     * @param random a number that differs from command to command
     */
    static Command decided(
            Command command, String submitter, Definitions topology, Map<String, NodeState> nodes, long random) {
        if (!(command instanceof Command.DeclareQueue declare)) {
            return command;
        }
        QueueDefinition definition = declare.definition();
        Policy policy = policy(topology, declare.vhost(), definition);
        List<String> allowed = allowed(policy, NodeState.namesOfRunning(nodes));
        String asked = definition.home();
        if (asked != null && allowed.contains(asked)) {
            return command;
        }
        String home = locator(policy, definition)
                .choose(submitter, allowed, node -> count(topology, node), scattered(random));
        return new Command.DeclareQueue(declare.vhost(), definition.at(allowed.contains(home) ? home : allowed.get(0)));
    }

    /** None for an exclusive queue: it lives with its client. */
    private static @Nullable Policy policy(Definitions topology, String vhostName, QueueDefinition definition) {
        VirtualHost vhost = topology.vhost(vhostName);
        return vhost == null || definition.isExclusive()
                ? null
                : vhost.policyFor(Policy.AppliesTo.QUEUES, definition.name());
    }

    /**
     * The nodes that may be chosen: those that run, or of these the ones on which the policy wants a mirrored queue, in its order.
     * RabbitMQ makes the queue where it would be otherwise, and moves it at once since it is empty.
     */
    private static List<String> allowed(@Nullable Policy policy, List<String> running) {
        Mirroring mirroring = QueueGroups.mirroring(policy);
        List<String> listed = mirroring == null
                ? List.of()
                : mirroring.nodes().stream().filter(running::contains).toList();
        return listed.isEmpty() ? running : listed;
    }

    private static Locator locator(@Nullable Policy policy, QueueDefinition definition) {
        if (definition.isExclusive()) {
            return Locator.CLIENT_LOCAL;
        }
        Locator asked = Locator.named(definition.arguments().get(ARGUMENT));
        if (asked == null && policy != null) {
            asked = Locator.named(policy.definition().get(POLICY_KEY));
        }
        return asked == null ? Locator.CLIENT_LOCAL : asked;
    }

    private static long count(Definitions topology, String node) {
        long count = 0;
        for (VirtualHost vhost : topology.vhosts().values()) {
            for (Queue queue : vhost.queues().values()) {
                count += node.equals(queue.definition().home()) ? 1 : 0;
            }
        }
        return count;
    }

    /** Numbers that follow one another, scattered: the finishing step of SplitMix64. */
    private static long scattered(long number) {
        long mixed = (number ^ (number >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return (mixed ^ (mixed >>> 31)) >>> 1;
    }
}
