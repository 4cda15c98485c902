package io.warren.core.metadata;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A change of the topology. Deterministic: whatever is random or depends on time is in the command, so that every copy
 * of the topology comes to the same result.
 */
public sealed interface Command {

    /** The topology after this command; {@link Definitions#apply} is what others call. */
    Outcome applyTo(Definitions definitions);

    /** Creates a virtual host; one that exists stays as it is. */
    record PutVhost(String vhost) implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return VhostCommands.put(definitions, vhost);
        }
    }

    /** Deletes a virtual host with everything in it. */
    record DeleteVhost(String vhost) implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return VhostCommands.delete(definitions, vhost);
        }
    }

    /** Creates an exchange, or checks that the one of that name is equivalent. */
    record DeclareExchange(String vhost, ExchangeDefinition definition) implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return ExchangeCommands.declare(definitions, vhost, definition);
        }
    }

    /** Deletes an exchange; one that does not exist is deleted already. */
    record DeleteExchange(String vhost, String name, boolean ifUnused) implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return ExchangeCommands.delete(definitions, vhost, name, ifUnused);
        }
    }

    /** Creates a queue, or checks that the one of that name is equivalent. */
    record DeclareQueue(String vhost, QueueDefinition definition) implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return QueueCommands.declare(definitions, vhost, definition);
        }
    }

    /** Deletes a queue, if the one of that name is still the one meant. */
    record DeleteQueue(String vhost, String name, long id) implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return QueueCommands.delete(definitions, vhost, name, id);
        }
    }

    /** Deletes the exclusive queues of a connection that ended. */
    record DeleteQueuesOf(String vhost, String connection) implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return QueueCommands.deleteOf(definitions, vhost, connection);
        }
    }

    /** Adds a binding; one that exists stays. */
    record Bind(String vhost, Binding binding) implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return BindingCommands.bind(definitions, vhost, binding);
        }
    }

    /** Removes a binding; one that does not exist is removed already. */
    record Unbind(String vhost, Binding binding) implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return BindingCommands.unbind(definitions, vhost, binding);
        }
    }

    /** Sets a policy or replaces it. */
    record PutPolicy(String vhost, Policy policy) implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return PolicyCommands.put(definitions, vhost, policy);
        }
    }

    /** Removes a policy. */
    record DeletePolicy(String vhost, String name) implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return PolicyCommands.delete(definitions, vhost, name);
        }
    }

    /** Sets an operator policy or replaces it. */
    record PutOperatorPolicy(String vhost, Policy policy) implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return PolicyCommands.putOperator(definitions, vhost, policy);
        }
    }

    /** Removes an operator policy. */
    record DeleteOperatorPolicy(String vhost, String name) implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return PolicyCommands.deleteOperator(definitions, vhost, name);
        }
    }

    /** Creates a user, or changes its password and tags. */
    record PutUser(String name, @Nullable PasswordHash password, Set<String> tags) implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return UserCommands.put(definitions, name, password, tags);
        }
    }

    /** Deletes a user. */
    record DeleteUser(String name) implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return UserCommands.delete(definitions, name);
        }
    }

    /** Sets a user's permissions in a virtual host; null takes them away. */
    record SetPermission(String user, String vhost, @Nullable Permission permission) implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return UserCommands.setPermission(definitions, user, vhost, permission);
        }
    }

    /** Sets a user's topic permission on an exchange; null takes it away. */
    record SetTopicPermission(String user, String vhost, String exchange, @Nullable TopicPermission permission)
            implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return UserCommands.setTopicPermission(definitions, user, vhost, exchange, permission);
        }
    }

    /** Drops queues, bindings, policies and all exchanges but the predeclared; virtual hosts and users stay. */
    record Reset() implements Command {
        @Override
        public Outcome applyTo(Definitions definitions) {
            return VhostCommands.reset(definitions);
        }
    }
}
