package io.warren.core.store.format;

import io.warren.core.metadata.Binding;
import io.warren.core.metadata.Command;
import io.warren.core.metadata.Destination;
import io.warren.core.metadata.ExchangeDefinition;
import io.warren.core.metadata.ExchangeType;
import io.warren.core.metadata.PasswordHash;
import io.warren.core.metadata.Permission;
import io.warren.core.metadata.Policy;
import io.warren.core.metadata.QueueDefinition;
import io.warren.core.metadata.TopicPermission;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Commands of the topology as content of records: a byte for the command, then its parts. */
public final class CommandCodec {

    /** Which command it is; the numbers are on disk. */
    private enum Code {
        PUT_VHOST(1),
        DELETE_VHOST(2),
        DECLARE_EXCHANGE(3),
        DELETE_EXCHANGE(4),
        DECLARE_QUEUE(5),
        DELETE_QUEUE(6),
        DELETE_QUEUES_OF(7),
        BIND(8),
        UNBIND(9),
        PUT_POLICY(10),
        DELETE_POLICY(11),
        PUT_OPERATOR_POLICY(12),
        DELETE_OPERATOR_POLICY(13),
        PUT_USER(14),
        DELETE_USER(15),
        SET_PERMISSION(16),
        SET_TOPIC_PERMISSION(17),
        RESET(18);

        private final byte number;

        Code(int number) {
            this.number = (byte) number;
        }

        private static Code of(byte number) {
            for (Code code : values()) {
                if (code.number == number) {
                    return code;
                }
            }
            throw new IllegalArgumentException("number=" + number + " is no command");
        }
    }

    private CommandCodec() {}

    // ---- writing

    /**
     * Writes a record of a command.
     *
     * @param nextQueueId the id a queue declared by it gets
     */
    public static void write(ByteBuffer to, long number, long nextQueueId, Command command) {
        int start = Records.begin(to, RecordKind.COMMAND, 0, 0, nextQueueId, number);
        if (command instanceof Command.PutVhost put) {
            code(to, Code.PUT_VHOST, put.vhost());
        } else if (command instanceof Command.DeleteVhost delete) {
            code(to, Code.DELETE_VHOST, delete.vhost());
        } else if (command instanceof Command.PutPolicy put) {
            code(to, Code.PUT_POLICY, put.vhost());
            policy(to, put.policy());
        } else if (command instanceof Command.DeletePolicy delete) {
            code(to, Code.DELETE_POLICY, delete.vhost(), delete.name());
        } else if (command instanceof Command.PutOperatorPolicy put) {
            code(to, Code.PUT_OPERATOR_POLICY, put.vhost());
            policy(to, put.policy());
        } else if (command instanceof Command.DeleteOperatorPolicy delete) {
            code(to, Code.DELETE_OPERATOR_POLICY, delete.vhost(), delete.name());
        } else if (command instanceof Command.Reset) {
            code(to, Code.RESET);
        } else {
            writeObject(to, command);
        }
        Records.end(to, start, 0);
    }

    private static void writeObject(ByteBuffer to, Command command) {
        if (command instanceof Command.DeclareExchange declare) {
            code(to, Code.DECLARE_EXCHANGE, declare.vhost());
            exchange(to, declare.definition());
        } else if (command instanceof Command.DeleteExchange delete) {
            code(to, Code.DELETE_EXCHANGE, delete.vhost(), delete.name());
            bit(to, delete.ifUnused());
        } else if (command instanceof Command.DeclareQueue declare) {
            code(to, Code.DECLARE_QUEUE, declare.vhost());
            queue(to, declare.definition());
        } else if (command instanceof Command.DeleteQueue delete) {
            code(to, Code.DELETE_QUEUE, delete.vhost(), delete.name());
            to.putLong(delete.id());
        } else if (command instanceof Command.DeleteQueuesOf delete) {
            code(to, Code.DELETE_QUEUES_OF, delete.vhost(), delete.connection());
        } else if (command instanceof Command.Bind bind) {
            code(to, Code.BIND, bind.vhost());
            binding(to, bind.binding());
        } else if (command instanceof Command.Unbind unbind) {
            code(to, Code.UNBIND, unbind.vhost());
            binding(to, unbind.binding());
        } else {
            writeUser(to, command);
        }
    }

    private static void writeUser(ByteBuffer to, Command command) {
        if (command instanceof Command.PutUser put) {
            code(to, Code.PUT_USER, put.name());
            PasswordHash password = put.password();
            Texts.putOptional(to, password == null ? null : password.base64());
            Texts.putOptional(to, password == null ? null : password.algorithm().algorithmName());
            to.putInt(put.tags().size());
            put.tags().forEach(tag -> Texts.putLong(to, tag));
        } else if (command instanceof Command.DeleteUser delete) {
            code(to, Code.DELETE_USER, delete.name());
        } else if (command instanceof Command.SetPermission set) {
            code(to, Code.SET_PERMISSION, set.user(), set.vhost());
            Permission permission = set.permission();
            Texts.putOptional(to, permission == null ? null : permission.configure());
            Texts.putOptional(to, permission == null ? null : permission.write());
            Texts.putOptional(to, permission == null ? null : permission.read());
        } else if (command instanceof Command.SetTopicPermission set) {
            code(to, Code.SET_TOPIC_PERMISSION, set.user(), set.vhost(), set.exchange());
            TopicPermission permission = set.permission();
            Texts.putOptional(to, permission == null ? null : permission.write());
            Texts.putOptional(to, permission == null ? null : permission.read());
        } else {
            throw new IllegalArgumentException("command=" + command + " has no code on disk");
        }
    }

    private static void code(ByteBuffer to, Code code, String... texts) {
        to.put(code.number);
        for (String text : texts) {
            Texts.putLong(to, text);
        }
    }

    private static void bit(ByteBuffer to, boolean value) {
        to.put((byte) (value ? 1 : 0));
    }

    private static void exchange(ByteBuffer to, ExchangeDefinition definition) {
        Texts.putLong(to, definition.name());
        Texts.putLong(to, definition.type().typeName());
        bit(to, definition.durable());
        bit(to, definition.autoDelete());
        bit(to, definition.internal());
        TableCodec.write(to, definition.arguments());
    }

    private static void queue(ByteBuffer to, QueueDefinition definition) {
        Texts.putLong(to, definition.name());
        bit(to, definition.durable());
        bit(to, definition.autoDelete());
        Texts.putOptional(to, definition.owner());
        TableCodec.write(to, definition.arguments());
        if (definition.home() != null) {
            // Only there in a cluster: what a broker alone has written before is read as it was.
            Texts.putOptional(to, definition.home());
        }
    }

    private static void binding(ByteBuffer to, Binding binding) {
        Texts.putLong(to, binding.source());
        bit(to, binding.destination().kind() == Destination.Kind.QUEUE);
        Texts.putLong(to, binding.destination().name());
        Texts.putLong(to, binding.key());
        TableCodec.write(to, binding.arguments());
    }

    private static void policy(ByteBuffer to, Policy policy) {
        Texts.putLong(to, policy.name());
        Texts.putLong(to, policy.pattern());
        Texts.putLong(to, policy.appliesTo().argument());
        to.putInt(policy.priority());
        TableCodec.write(to, policy.definition());
    }

    // ---- reading

    /** Reads the command of a sound record. */
    public static Command read(ByteBuffer record, int start) {
        int end = start + Records.length(record, start);
        ByteBuffer from = record.duplicate().limit(end).position(start + Records.HEADER_BYTES);
        return switch (Code.of(from.get())) {
            case PUT_VHOST -> new Command.PutVhost(Texts.getLong(from));
            case DELETE_VHOST -> new Command.DeleteVhost(Texts.getLong(from));
            case DECLARE_EXCHANGE -> new Command.DeclareExchange(Texts.getLong(from), exchange(from));
            case DELETE_EXCHANGE -> new Command.DeleteExchange(Texts.getLong(from), Texts.getLong(from), bit(from));
            case DECLARE_QUEUE -> new Command.DeclareQueue(Texts.getLong(from), queue(from));
            case DELETE_QUEUE -> new Command.DeleteQueue(Texts.getLong(from), Texts.getLong(from), from.getLong());
            case DELETE_QUEUES_OF -> new Command.DeleteQueuesOf(Texts.getLong(from), Texts.getLong(from));
            case BIND -> new Command.Bind(Texts.getLong(from), binding(from));
            case UNBIND -> new Command.Unbind(Texts.getLong(from), binding(from));
            case PUT_POLICY -> new Command.PutPolicy(Texts.getLong(from), policy(from));
            case DELETE_POLICY -> new Command.DeletePolicy(Texts.getLong(from), Texts.getLong(from));
            case PUT_OPERATOR_POLICY -> new Command.PutOperatorPolicy(Texts.getLong(from), policy(from));
            case DELETE_OPERATOR_POLICY -> new Command.DeleteOperatorPolicy(Texts.getLong(from), Texts.getLong(from));
            case PUT_USER -> new Command.PutUser(Texts.getLong(from), password(from), tags(from));
            case DELETE_USER -> new Command.DeleteUser(Texts.getLong(from));
            case SET_PERMISSION ->
                new Command.SetPermission(Texts.getLong(from), Texts.getLong(from), permission(from));
            case SET_TOPIC_PERMISSION ->
                new Command.SetTopicPermission(
                        Texts.getLong(from), Texts.getLong(from), Texts.getLong(from), topicPermission(from));
            case RESET -> new Command.Reset();
        };
    }

    private static boolean bit(ByteBuffer from) {
        return from.get() != 0;
    }

    private static ExchangeDefinition exchange(ByteBuffer from) {
        String name = Texts.getLong(from);
        ExchangeType type = Objects.requireNonNull(ExchangeType.named(Texts.getLong(from)), "exchange type");
        return new ExchangeDefinition(name, type, bit(from), bit(from), bit(from), TableCodec.read(from));
    }

    private static QueueDefinition queue(ByteBuffer from) {
        return new QueueDefinition(
                Texts.getLong(from),
                bit(from),
                bit(from),
                Texts.getOptional(from),
                TableCodec.read(from),
                from.hasRemaining() ? Texts.getOptional(from) : null);
    }

    private static Binding binding(ByteBuffer from) {
        String source = Texts.getLong(from);
        Destination.Kind kind = bit(from) ? Destination.Kind.QUEUE : Destination.Kind.EXCHANGE;
        return new Binding(
                source, new Destination(kind, Texts.getLong(from)), Texts.getLong(from), TableCodec.read(from));
    }

    private static Policy policy(ByteBuffer from) {
        return new Policy(
                Texts.getLong(from),
                Texts.getLong(from),
                appliesTo(Texts.getLong(from)),
                from.getInt(),
                TableCodec.read(from));
    }

    private static Policy.AppliesTo appliesTo(String argument) {
        for (Policy.AppliesTo each : Policy.AppliesTo.values()) {
            if (each.argument().equals(argument)) {
                return each;
            }
        }
        throw new IllegalArgumentException("argument=" + argument + " is nothing a policy applies to");
    }

    private static @Nullable PasswordHash password(ByteBuffer from) {
        String base64 = Texts.getOptional(from);
        String algorithm = Texts.getOptional(from);
        return base64 == null || algorithm == null
                ? null
                : new PasswordHash(PasswordHash.Algorithm.named(algorithm), base64);
    }

    private static Set<String> tags(ByteBuffer from) {
        int count = Texts.checkedLength(from, from.getInt());
        Set<String> tags = new HashSet<>();
        for (int i = 0; i < count; i++) {
            tags.add(Texts.getLong(from));
        }
        return tags;
    }

    private static @Nullable Permission permission(ByteBuffer from) {
        String configure = Texts.getOptional(from);
        String write = Texts.getOptional(from);
        String read = Texts.getOptional(from);
        return configure == null || write == null || read == null ? null : Permission.of(configure, write, read);
    }

    private static @Nullable TopicPermission topicPermission(ByteBuffer from) {
        String write = Texts.getOptional(from);
        String read = Texts.getOptional(from);
        return write == null || read == null ? null : new TopicPermission(write, read);
    }
}
