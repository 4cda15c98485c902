package io.warren.amqp.method;

import io.warren.core.message.FieldTable;
import org.jspecify.annotations.Nullable;

/** Queues and their bindings. */
public sealed interface QueueMethod extends Method {

    /** The class on the wire. */
    int CLASS_ID = 50;

    @Override
    default int classId() {
        return CLASS_ID;
    }

    /** Reads the arguments of a method, or answers null for an id the class does not have. */
    static @Nullable QueueMethod read(int methodId, FieldReader in) {
        return switch (methodId) {
            case 10 -> Declare.read(in);
            case 11 -> DeclareOk.read(in);
            case 20 -> Bind.read(in);
            case 21 -> new BindOk();
            case 30 -> Purge.read(in);
            case 31 -> PurgeOk.read(in);
            case 40 -> Delete.read(in);
            case 41 -> DeleteOk.read(in);
            case 50 -> Unbind.read(in);
            case 51 -> new UnbindOk();
            default -> null;
        };
    }

    /** queue.declare. Makes a queue or, passive, asks what it holds. */
    record Declare(
            String queue,
            boolean passive,
            boolean durable,
            boolean exclusive,
            boolean autoDelete,
            boolean noWait,
            FieldTable arguments)
            implements QueueMethod {
        static Declare read(FieldReader in) {
            in.shortUint();
            return new Declare(in.shortString(), in.bit(), in.bit(), in.bit(), in.bit(), in.bit(), in.table());
        }

        @Override
        public int methodId() {
            return 10;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(0);
            out.shortString(queue);
            out.bit(passive);
            out.bit(durable);
            out.bit(exclusive);
            out.bit(autoDelete);
            out.bit(noWait);
            out.table(arguments);
        }
    }

    /** queue.declare-ok. It exists, and holds so much. */
    record DeclareOk(String queue, long messageCount, long consumerCount) implements QueueMethod {
        static DeclareOk read(FieldReader in) {
            return new DeclareOk(in.shortString(), in.longUint(), in.longUint());
        }

        @Override
        public int methodId() {
            return 11;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortString(queue);
            out.longUint(messageCount);
            out.longUint(consumerCount);
        }
    }

    /** queue.bind. Binds a queue to an exchange. */
    record Bind(String queue, String exchange, String routingKey, boolean noWait, FieldTable arguments)
            implements QueueMethod {
        static Bind read(FieldReader in) {
            in.shortUint();
            return new Bind(in.shortString(), in.shortString(), in.shortString(), in.bit(), in.table());
        }

        @Override
        public int methodId() {
            return 20;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(0);
            out.shortString(queue);
            out.shortString(exchange);
            out.shortString(routingKey);
            out.bit(noWait);
            out.table(arguments);
        }
    }

    /** queue.bind-ok. It is bound. */
    record BindOk() implements QueueMethod {
        @Override
        public int methodId() {
            return 21;
        }

        @Override
        public void write(FieldWriter out) {}
    }

    /** queue.purge. Drops the ready messages. */
    record Purge(String queue, boolean noWait) implements QueueMethod {
        static Purge read(FieldReader in) {
            in.shortUint();
            return new Purge(in.shortString(), in.bit());
        }

        @Override
        public int methodId() {
            return 30;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(0);
            out.shortString(queue);
            out.bit(noWait);
        }
    }

    /** queue.purge-ok. So many are gone. */
    record PurgeOk(long messageCount) implements QueueMethod {
        static PurgeOk read(FieldReader in) {
            return new PurgeOk(in.longUint());
        }

        @Override
        public int methodId() {
            return 31;
        }

        @Override
        public void write(FieldWriter out) {
            out.longUint(messageCount);
        }
    }

    /** queue.delete. Deletes a queue. */
    record Delete(String queue, boolean ifUnused, boolean ifEmpty, boolean noWait) implements QueueMethod {
        static Delete read(FieldReader in) {
            in.shortUint();
            return new Delete(in.shortString(), in.bit(), in.bit(), in.bit());
        }

        @Override
        public int methodId() {
            return 40;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(0);
            out.shortString(queue);
            out.bit(ifUnused);
            out.bit(ifEmpty);
            out.bit(noWait);
        }
    }

    /** queue.delete-ok. It is gone, with so many messages. */
    record DeleteOk(long messageCount) implements QueueMethod {
        static DeleteOk read(FieldReader in) {
            return new DeleteOk(in.longUint());
        }

        @Override
        public int methodId() {
            return 41;
        }

        @Override
        public void write(FieldWriter out) {
            out.longUint(messageCount);
        }
    }

    /** queue.unbind. Removes a binding. */
    record Unbind(String queue, String exchange, String routingKey, FieldTable arguments) implements QueueMethod {
        static Unbind read(FieldReader in) {
            in.shortUint();
            return new Unbind(in.shortString(), in.shortString(), in.shortString(), in.table());
        }

        @Override
        public int methodId() {
            return 50;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(0);
            out.shortString(queue);
            out.shortString(exchange);
            out.shortString(routingKey);
            out.table(arguments);
        }
    }

    /** queue.unbind-ok. The binding is gone. */
    record UnbindOk() implements QueueMethod {
        @Override
        public int methodId() {
            return 51;
        }

        @Override
        public void write(FieldWriter out) {}
    }
}
