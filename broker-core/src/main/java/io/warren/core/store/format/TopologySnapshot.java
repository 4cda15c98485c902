package io.warren.core.store.format;

import io.warren.core.metadata.Binding;
import io.warren.core.metadata.Command;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Exchange;
import io.warren.core.metadata.Policy;
import io.warren.core.metadata.Queue;
import io.warren.core.metadata.User;
import io.warren.core.metadata.VirtualHost;
import java.util.function.BiConsumer;

/**
 * A topology as the commands that make it: a snapshot is a short log, so that there is one format on disk and one way to
 * read it.
 */
public final class TopologySnapshot {

    private final Definitions definitions;
    private final BiConsumer<Long, Command> output;

    private TopologySnapshot(Definitions definitions, BiConsumer<Long, Command> output) {
        this.definitions = definitions;
        this.output = output;
    }

    /** Calls for each command, with the id a queue declared by it gets; applied to the initial topology they make it. */
    public static void of(Definitions definitions, BiConsumer<Long, Command> output) {
        new TopologySnapshot(definitions, output).run();
    }

    private void run() {
        if (definitions.vhost(Definitions.DEFAULT_VHOST) == null) {
            put(new Command.DeleteVhost(Definitions.DEFAULT_VHOST));
        }
        for (VirtualHost vhost : definitions.vhosts().values()) {
            put(new Command.PutVhost(vhost.name()));
            vhost(vhost);
        }
        for (User user : definitions.users().values()) {
            user(user);
        }
        // Changes nothing, and leaves the next id behind.
        Command last = new Command.DeleteVhost(Definitions.DEFAULT_VHOST);
        for (VirtualHost vhost : definitions.vhosts().values()) {
            last = new Command.PutVhost(vhost.name());
        }
        put(last);
    }

    private void put(Command command) {
        output.accept(definitions.nextQueueId(), command);
    }

    private void vhost(VirtualHost vhost) {
        String name = vhost.name();
        for (Policy policy : vhost.policies().values()) {
            put(new Command.PutPolicy(name, policy));
        }
        for (Policy policy : vhost.operatorPolicies().values()) {
            put(new Command.PutOperatorPolicy(name, policy));
        }
        for (Exchange exchange : vhost.exchanges().values()) {
            // Declared again where it is there from the start: the same, so nothing.
            put(new Command.DeclareExchange(name, exchange.definition()));
        }
        for (Queue queue : vhost.queues().values()) {
            output.accept(queue.id(), new Command.DeclareQueue(name, queue.definition()));
        }
        for (Exchange exchange : vhost.exchanges().values()) {
            for (Binding binding : exchange.bindings().keys()) {
                put(new Command.Bind(name, binding));
            }
        }
    }

    private void user(User user) {
        put(new Command.PutUser(user.name(), user.password(), user.tags()));
        for (String vhost : user.permissions().keys()) {
            put(new Command.SetPermission(user.name(), vhost, user.permissions().get(vhost)));
        }
        for (User.TopicScope scope : user.topicPermissions().keys()) {
            put(new Command.SetTopicPermission(
                    user.name(),
                    scope.vhost(),
                    scope.exchange(),
                    user.topicPermissions().get(scope)));
        }
    }
}
