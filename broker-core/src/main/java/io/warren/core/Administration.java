package io.warren.core;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ReplyCode;
import io.warren.core.internal.BrokerWiring;
import io.warren.core.message.FieldTable;
import io.warren.core.metadata.Command;
import io.warren.core.metadata.Definitions;
import io.warren.core.metadata.Outcome;
import io.warren.core.metadata.PasswordHash;
import io.warren.core.metadata.Permission;
import io.warren.core.metadata.Policy;
import io.warren.core.metadata.QueueDefinition;
import io.warren.core.metadata.TopicPermission;
import io.warren.core.metadata.User;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.regex.PatternSyntaxException;

/**
 * What an operator does: virtual hosts, users, permissions, policies, connections and alarms.
 *
 * <p>Every method returns when it has taken effect, and throws {@link io.warren.core.error.AmqpException} if it is
 * refused.
 */
public final class Administration {

    private final BrokerWiring wiring;
    private final Waiting waiting;

    Administration(BrokerWiring wiring, Waiting waiting) {
        this.wiring = wiring;
        this.waiting = waiting;
    }

    /** Carries a command out: what the methods below do, and what they have no name for. */
    public void apply(Command command) {
        submit(command);
    }

    /** The whole topology as it is now; a value that does not change any more. */
    public Definitions definitions() {
        return wiring.definitions();
    }

    void submit(Command command) {
        Outcome outcome = waiting.on(wiring.submit(command).toCompletableFuture(), "none: use another thread");
        AmqpError refusal = outcome.refusal();
        if (refusal != null) {
            throw refusal.toException();
        }
    }

    // ---- virtual hosts

    /** Creates a virtual host, where {@value Broker#GUEST} may do everything; one that exists stays as it is. */
    public void createVhost(String vhost) {
        submit(new Command.PutVhost(vhost));
        if (wiring.definitions().user(Broker.GUEST) != null) {
            submit(new Command.SetPermission(Broker.GUEST, vhost, Permission.ALL));
        }
    }

    /** Deletes a virtual host with everything in it and closes its connections. */
    public void deleteVhost(String vhost) {
        submit(new Command.DeleteVhost(vhost));
    }

    // ---- users

    /** Creates a user, or changes its password and tags; it may do nothing until it is permitted. */
    public void putUser(String user, String password, String... tags) {
        submit(new Command.PutUser(user, PasswordHash.of(password, wiring.nextSalt()), Set.of(tags)));
    }

    /** Replaces a user's tags. */
    public void setTags(String user, String... tags) {
        User existing = wiring.definitions().user(user);
        if (existing == null) {
            throw new IllegalArgumentException("there is no user '" + user + "'");
        }
        submit(new Command.PutUser(user, existing.password(), Set.of(tags)));
    }

    public void deleteUser(String user) {
        submit(new Command.DeleteUser(user));
    }

    /**
     * Sets what a user may do in a virtual host, by regular expressions over names.
     *
     * @throws PatternSyntaxException for an expression that is none
     */
    public void setPermissions(String vhost, String user, String configure, String write, String read) {
        submit(new Command.SetPermission(user, vhost, Permission.of(configure, write, read)));
    }

    /** Takes a user's permissions in a virtual host away. */
    public void clearPermissions(String vhost, String user) {
        submit(new Command.SetPermission(user, vhost, null));
    }

    /** Sets which keys a user may publish and bind with on a topic exchange. */
    public void setTopicPermissions(String vhost, String user, String exchange, String write, String read) {
        submit(new Command.SetTopicPermission(user, vhost, exchange, new TopicPermission(write, read)));
    }

    /** Takes a user's topic permissions on an exchange away: every key is allowed again. */
    public void clearTopicPermissions(String vhost, String user, String exchange) {
        submit(new Command.SetTopicPermission(user, vhost, exchange, null));
    }

    // ---- policies

    /** Sets a policy; of those that match a queue or exchange the one of highest priority applies, alone. */
    public void setPolicy(String vhost, Policy policy) {
        submit(new Command.PutPolicy(vhost, policy));
    }

    public void clearPolicy(String vhost, String policyName) {
        submit(new Command.DeletePolicy(vhost, policyName));
    }

    /** Sets an operator policy: its limits hold beside arguments and policies, the least of all applies. */
    public void setOperatorPolicy(String vhost, Policy policy) {
        submit(new Command.PutOperatorPolicy(vhost, policy));
    }

    public void clearOperatorPolicy(String vhost, String policyName) {
        submit(new Command.DeleteOperatorPolicy(vhost, policyName));
    }

    // ---- queues

    /** Declares a queue as its definition says, whoever may do that; one that exists must be equivalent (406). */
    public void declareQueue(String vhost, QueueDefinition queue) {
        FieldTable arguments = wiring.withoutQuorum(queue.name(), queue.arguments());
        submit(new Command.DeclareQueue(
                vhost,
                new QueueDefinition(queue.name(), queue.durable(), queue.autoDelete(), queue.owner(), arguments)));
    }

    // ---- compatibility

    /**
     * Whether who declares a quorum queue gets a classic one, with a WARN, in place of a refusal (406). For programs
     * written for quorum queues: what is particular to those (delivery limit, replication by Raft) is not there, and the
     * queue is listed as classic. Off at first. The wish of a single node: in a cluster, set it on each.
     */
    public void quorumAsClassic(boolean accepted) {
        wiring.quorumAsClassic(accepted);
    }

    // ---- connections

    /** Every open connection, whatever way it came; the oldest first. */
    public List<ConnectionView> connections() {
        return wiring.connections().stream()
                .map(connection -> new ConnectionView(connection, waiting))
                .sorted(Comparator.comparing(ConnectionView::connectedAt).thenComparing(ConnectionView::name))
                .toList();
    }

    /**
     * Closes a connection (320); its client is told the reason.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public void closeConnection(String name, String reason) {
        if (closeConnections(connection -> connection.name().equals(name), reason) == 0) {
            throw new IllegalArgumentException("there is no connection '" + name + "'");
        }
    }

    /** Closes the connections that are meant (320) and tells how many there were. */
    public int closeConnections(Predicate<ConnectionView> meant, String reason) {
        AmqpError error = AmqpError.connection(ReplyCode.CONNECTION_FORCED, reason);
        List<CompletableFuture<Void>> closing = new ArrayList<>();
        for (ConnectionView connection : connections()) {
            if (meant.test(connection)) {
                CompletableFuture<Void> closed = new CompletableFuture<>();
                closing.add(closed);
                connection.process().closedByOperator(error, () -> closed.complete(null));
            }
        }
        waiting.on(CompletableFuture.allOf(closing.toArray(CompletableFuture<?>[]::new)), "none: use another thread");
        return closing.size();
    }

    // ---- alarms

    /** Bytes of waiting messages the broker counts. */
    public long memoryBytes() {
        return wiring.memoryBytes();
    }

    /** What the broker is low on, and blocks publishers for: memory, disk, disk that works (its store has stopped). */
    public List<String> alarms() {
        return wiring.alarms();
    }

    /** Changes the bytes at which publishers are blocked. */
    public void memoryLimit(long bytes) {
        wiring.memoryLimit(bytes);
    }

    /** Sets the memory alarm by hand, for tests; false lets the bytes decide again. */
    public void forceMemoryAlarm(boolean on) {
        wiring.forceMemoryAlarm(on);
    }
}
