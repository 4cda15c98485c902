package io.warren.core.internal;

import io.warren.core.error.AmqpError;
import io.warren.core.error.ErrorScope;
import io.warren.core.error.Refusals;
import io.warren.core.error.ReplyCode;
import io.warren.core.message.FieldTable;
import io.warren.core.message.FieldType;
import io.warren.core.metadata.Binding;
import io.warren.core.metadata.Command;
import io.warren.core.metadata.Destination;
import io.warren.core.metadata.Exchange;
import io.warren.core.metadata.ExchangeDefinition;
import io.warren.core.metadata.ExchangeType;
import io.warren.core.metadata.Permission.Operation;
import io.warren.core.metadata.QueueArguments;
import io.warren.core.metadata.QueueDefinition;
import io.warren.core.metadata.VirtualHost;
import io.warren.core.spi.ChannelSession.ExchangeDeclare;
import io.warren.core.spi.ChannelSession.QueueDeclared;
import io.warren.routing.HeadersMatch;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The methods of a channel that declare, delete and bind; each check in the order RabbitMQ makes it. */
final class TopologyMethods {

    private static final Logger LOG = LoggerFactory.getLogger("io.warren.core.queue");

    private static final String RESERVED_PREFIX = "amq.";

    private final BrokerWiring wiring;
    private final ChannelProcess channel;
    private final Access access;
    private final String vhost;

    /** The queue an empty name stands for: the one this channel declared last. */
    private @Nullable String lastDeclaredQueue;

    TopologyMethods(BrokerWiring wiring, ChannelProcess channel, Access access) {
        this.wiring = wiring;
        this.channel = channel;
        this.access = access;
        this.vhost = channel.connection().vhost();
    }

    // ---- exchanges

    void exchangeDeclare(ExchangeDeclare declare, Runnable answer) {
        String name = stripped(declare.name());
        ExchangeType type = ExchangeType.named(declare.type());
        if (type == null) {
            channel.refuse(
                    AmqpError.connection(ReplyCode.COMMAND_INVALID, "unknown exchange type '" + declare.type() + "'"));
            return;
        }
        boolean isNew = exchange(name) == null;
        if (channel.accepted(first(
                notDefault(name),
                access.check(Operation.CONFIGURE, Destination.exchange(name)),
                isNew ? reserved("exchange", name) : null,
                isNew ? alternateRefusal(name, declare.arguments()) : null,
                wiring.unknownArgument("exchange", name, declare.arguments())))) {
            ExchangeDefinition definition = new ExchangeDefinition(
                    name, type, declare.durable(), declare.autoDelete(), declare.internal(), declare.arguments());
            channel.submit(new Command.DeclareExchange(vhost, definition), answer);
        }
    }

    private @Nullable AmqpError alternateRefusal(String name, FieldTable arguments) {
        Object alternate = arguments.get("alternate-exchange");
        if (!arguments.has("alternate-exchange")) {
            return null;
        }
        if (!(alternate instanceof String alternateName)) {
            return AmqpError.channel(
                    ReplyCode.PRECONDITION_FAILED,
                    "invalid type '" + FieldType.nameOf(alternate) + "' for arg 'alternate-exchange' in exchange '"
                            + name + "' in vhost '" + vhost + "'");
        }
        return first(
                access.check(Operation.READ, Destination.exchange(name)),
                access.check(Operation.WRITE, Destination.exchange(alternateName)));
    }

    void exchangeDeclarePassive(String name, Runnable answer) {
        String stripped = stripped(name);
        if (channel.accepted(first(
                notDefault(stripped), exchange(stripped) == null ? Refusals.noExchange(vhost, stripped) : null))) {
            answer.run();
        }
    }

    void exchangeDelete(String name, boolean ifUnused, Runnable answer) {
        String stripped = stripped(name);
        if (channel.accepted(first(
                notDefault(stripped),
                systemExchange(stripped),
                access.check(Operation.CONFIGURE, Destination.exchange(stripped))))) {
            channel.submit(new Command.DeleteExchange(vhost, stripped, ifUnused), answer);
        }
    }

    private @Nullable AmqpError systemExchange(String name) {
        return name.startsWith(RESERVED_PREFIX)
                ? AmqpError.channel(
                        ReplyCode.ACCESS_REFUSED,
                        "deletion of system exchange '" + name + "' in vhost '" + vhost + "' not allowed")
                : null;
    }

    // ---- bindings

    void bind(Binding binding, Runnable answer) {
        Binding named = named(binding);
        if (named != null
                && channel.accepted(first(bindingRefusal(named), lockedDestination(named), invalidMatch(named)))) {
            channel.submit(new Command.Bind(vhost, named), answer);
        }
    }

    void unbind(Binding binding, Runnable answer) {
        Binding named = named(binding);
        if (named == null) {
            return;
        }
        AmqpError refusal = bindingRefusal(named);
        // A locked queue is looked at only if there is something to remove, as in RabbitMQ.
        if (channel.accepted(refusal == null && exists(named) ? lockedDestination(named) : refusal)) {
            channel.submit(new Command.Unbind(vhost, named), answer);
        }
    }

    /** The binding with what empty names stand for: the queue, and with it the key. */
    private @Nullable Binding named(Binding binding) {
        Destination destination = binding.destination();
        if (destination.kind() == Destination.Kind.EXCHANGE
                || !destination.name().isEmpty()) {
            return binding;
        }
        String queue = queueName("");
        if (queue == null) {
            return null;
        }
        String key = binding.key().isEmpty() ? queue : binding.key();
        return new Binding(binding.source(), Destination.queue(queue), key, binding.arguments());
    }

    private @Nullable AmqpError bindingRefusal(Binding binding) {
        Destination destination = binding.destination();
        Exchange source = exchange(binding.source());
        return first(
                access.check(Operation.WRITE, destination),
                destination.kind() == Destination.Kind.EXCHANGE ? notDefault(destination.name()) : null,
                notDefault(binding.source()),
                access.check(Operation.READ, Destination.exchange(binding.source())),
                source == null ? null : access.checkKey(Operation.READ, source, binding.key()));
    }

    private @Nullable AmqpError lockedDestination(Binding binding) {
        Destination destination = binding.destination();
        return destination.kind() == Destination.Kind.QUEUE
                ? first(unavailable(destination.name()), locked(destination.name()))
                : null;
    }

    private boolean exists(Binding binding) {
        Exchange source = exchange(binding.source());
        return source != null && source.bindings().containsKey(binding);
    }

    private @Nullable AmqpError invalidMatch(Binding binding) {
        Exchange source = exchange(binding.source());
        if (source == null || source.definition().type() != ExchangeType.HEADERS) {
            return null;
        }
        String problem = HeadersMatch.invalidReason(binding.arguments().asMap());
        return problem == null ? null : AmqpError.channel(ReplyCode.PRECONDITION_FAILED, problem);
    }

    // ---- queues

    void queueDeclare(QueueDefinition definition, boolean exclusive, Consumer<QueueDeclared> answer) {
        String given = stripped(definition.name());
        if (DirectReplies.isPseudoQueue(given)) {
            declareReplies(given, answer);
            return;
        }
        String name = given.isEmpty() ? wiring.generateName("amq.gen-") : given;
        boolean isNew = queueDefinition(name) == null;
        FieldTable arguments = wiring.withoutQuorum(name, definition.arguments());
        if (channel.accepted(first(
                given.isEmpty() ? unknownType(arguments) : reserved("queue", name),
                access.check(Operation.CONFIGURE, Destination.queue(name)),
                unavailable(name),
                isNew ? deadLetterRefusal(name, arguments) : null,
                wiring.unknownArgument("queue", name, arguments)))) {
            QueueDefinition declared = new QueueDefinition(
                    name,
                    definition.durable() && !exclusive,
                    definition.autoDelete(),
                    exclusive ? channel.connection().name() : null,
                    arguments);
            channel.submit(new Command.DeclareQueue(vhost, declared), () -> answerDeclared(name, answer));
        }
    }

    /** RabbitMQ 3.10 fails itself on an unknown type of a queue that it is to name, and tells no more than this. */
    private static @Nullable AmqpError unknownType(FieldTable arguments) {
        return QueueArguments.isTypeKnown(arguments)
                ? null
                : new AmqpError(ReplyCode.INTERNAL_ERROR, ErrorScope.CONNECTION, "INTERNAL_ERROR");
    }

    private @Nullable AmqpError deadLetterRefusal(String queue, FieldTable arguments) {
        return arguments.get("x-dead-letter-exchange") instanceof String exchange
                ? first(
                        access.check(Operation.READ, Destination.queue(queue)),
                        access.check(Operation.WRITE, Destination.exchange(exchange)))
                : null;
    }

    private void declareReplies(String name, Consumer<QueueDeclared> answer) {
        if (wiring.directReplies().exists(name)) {
            lastDeclaredQueue = name;
            answer.accept(new QueueDeclared(name, 0, 1));
        } else {
            channel.refuse(Refusals.noQueue(vhost, name));
        }
    }

    void queueDeclarePassive(String name, Consumer<QueueDeclared> answer) {
        String stripped = stripped(name);
        if (DirectReplies.isPseudoQueue(stripped)) {
            declareReplies(stripped, answer);
        } else if (usable(stripped) != null) {
            answerDeclared(stripped, answer);
        }
    }

    private void answerDeclared(String name, Consumer<QueueDeclared> answer) {
        lastDeclaredQueue = name;
        QueueAddress queue = wiring.topology().queue(vhost, name);
        if (queue == null) {
            // Gone again before it could be asked.
            answer.accept(new QueueDeclared(name, 0, 0));
        } else {
            channel.await(answer);
            queue.declared(channel);
        }
    }

    void queuePurge(String name, Consumer<Long> answer) {
        QueueAddress queue = readable(name);
        if (queue != null) {
            channel.await(answer);
            queue.purge(channel);
        }
    }

    void queueDelete(String name, boolean ifUnused, boolean ifEmpty, Consumer<Long> answer) {
        String queueName = queueName(stripped(name));
        if (queueName == null) {
            return;
        }
        QueueAddress queue = wiring.topology().queue(vhost, queueName);
        boolean isForced = queue != null && queue.isDeletedUnasked() && queue.unavailable() != null;
        if (!channel.accepted(first(
                access.check(Operation.CONFIGURE, Destination.queue(queueName)),
                isForced ? null : unavailable(queueName),
                locked(queueName)))) {
            return;
        }
        if (queue == null) {
            answer.accept(0L);
        } else if (isForced) {
            forceDelete(queue, ifEmpty, answer);
        } else {
            channel.await(answer);
            queue.delete(channel, ifUnused, ifEmpty);
        }
    }

    /** As in RabbitMQ a mirrored queue without a master can be given up, unless it may only go when it is empty, which nobody can say. */
    private void forceDelete(QueueAddress queue, boolean ifEmpty, Consumer<Long> answer) {
        if (ifEmpty) {
            channel.refuse(Refusals.queueNotEmpty(vhost, queue.name()));
            return;
        }
        LOG.warn(
                "queue '{}' in vhost '{}' has its master node down and no mirrors available or eligible for promotion. Forcing queue"
                        + " deletion.",
                queue.name(),
                vhost);
        channel.submit(new Command.DeleteQueue(vhost, queue.name(), queue.id()), () -> answer.accept(0L));
    }

    // ---- finding

    /** The queue, if it exists, may be read and is not another connection's; else the channel is closed, and null. */
    @Nullable QueueAddress readable(String name) {
        String queueName = queueName(name);
        return queueName != null && channel.accepted(access.check(Operation.READ, Destination.queue(queueName)))
                ? usable(queueName)
                : null;
    }

    private @Nullable QueueAddress usable(String name) {
        QueueAddress queue = wiring.topology().queue(vhost, name);
        AmqpError refusal = queue == null ? Refusals.noQueue(vhost, name) : first(queue.unavailable(), locked(name));
        return channel.accepted(refusal) ? queue : null;
    }

    /** Why a queue that is there cannot be used now, or null. */
    private @Nullable AmqpError unavailable(String name) {
        QueueAddress queue = wiring.topology().queue(vhost, name);
        return queue == null ? null : queue.unavailable();
    }

    private @Nullable String queueName(String name) {
        if (!name.isEmpty()) {
            return name;
        }
        if (lastDeclaredQueue == null) {
            channel.refuse(AmqpError.channel(ReplyCode.NOT_FOUND, "no previously declared queue"));
        }
        return lastDeclaredQueue;
    }

    private @Nullable AmqpError locked(String queueName) {
        QueueDefinition queue = queueDefinition(queueName);
        boolean mine = queue == null
                || queue.owner() == null
                || Objects.equals(queue.owner(), channel.connection().name());
        return mine ? null : Refusals.queueLocked(vhost, queueName);
    }

    private @Nullable QueueDefinition queueDefinition(String name) {
        VirtualHost current = wiring.definitions().vhost(vhost);
        io.warren.core.metadata.Queue queue = current == null ? null : current.queue(name);
        return queue == null ? null : queue.definition();
    }

    private @Nullable Exchange exchange(String name) {
        VirtualHost current = wiring.definitions().vhost(vhost);
        return current == null ? null : current.exchange(name);
    }

    // ---- small rules

    private static @Nullable AmqpError notDefault(String exchange) {
        return exchange.isEmpty()
                ? AmqpError.channel(ReplyCode.ACCESS_REFUSED, "operation not permitted on the default exchange")
                : null;
    }

    private static @Nullable AmqpError reserved(String kind, String name) {
        return name.startsWith(RESERVED_PREFIX)
                ? AmqpError.channel(
                        ReplyCode.ACCESS_REFUSED, kind + " name '" + name + "' contains reserved prefix 'amq.*'")
                : null;
    }

    /** RabbitMQ takes line ends out of the names of exchanges and queues. */
    private static String stripped(String name) {
        return name.indexOf('\n') < 0 && name.indexOf('\r') < 0
                ? name
                : name.replace("\n", "").replace("\r", "");
    }

    private static @Nullable AmqpError first(@Nullable AmqpError... errors) {
        for (AmqpError error : errors) {
            if (error != null) {
                return error;
            }
        }
        return null;
    }
}
