package io.warren.amqp.method;

import io.warren.core.message.FieldTable;
import org.jspecify.annotations.Nullable;

/** Exchanges and the bindings between them. */
public sealed interface ExchangeMethod extends Method {

    /** The class on the wire. */
    int CLASS_ID = 40;

    @Override
    default int classId() {
        return CLASS_ID;
    }

    /** Reads the arguments of a method, or answers null for an id the class does not have. */
    static @Nullable ExchangeMethod read(int methodId, FieldReader in) {
        return switch (methodId) {
            case 10 -> Declare.read(in);
            case 11 -> new DeclareOk();
            case 20 -> Delete.read(in);
            case 21 -> new DeleteOk();
            case 30 -> Bind.read(in);
            case 31 -> new BindOk();
            case 40 -> Unbind.read(in);
            case 51 -> new UnbindOk();
            default -> null;
        };
    }

    /** exchange.declare. Makes an exchange or, passive, asks whether it exists. */
    record Declare(
            String exchange,
            String type,
            boolean passive,
            boolean durable,
            boolean autoDelete,
            boolean internal,
            boolean noWait,
            FieldTable arguments)
            implements ExchangeMethod {
        static Declare read(FieldReader in) {
            in.shortUint();
            return new Declare(
                    in.shortString(), in.shortString(), in.bit(), in.bit(), in.bit(), in.bit(), in.bit(), in.table());
        }

        @Override
        public int methodId() {
            return 10;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(0);
            out.shortString(exchange);
            out.shortString(type);
            out.bit(passive);
            out.bit(durable);
            out.bit(autoDelete);
            out.bit(internal);
            out.bit(noWait);
            out.table(arguments);
        }
    }

    /** exchange.declare-ok. It exists. */
    record DeclareOk() implements ExchangeMethod {
        @Override
        public int methodId() {
            return 11;
        }

        @Override
        public void write(FieldWriter out) {}
    }

    /** exchange.delete. Deletes an exchange. */
    record Delete(String exchange, boolean ifUnused, boolean noWait) implements ExchangeMethod {
        static Delete read(FieldReader in) {
            in.shortUint();
            return new Delete(in.shortString(), in.bit(), in.bit());
        }

        @Override
        public int methodId() {
            return 20;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(0);
            out.shortString(exchange);
            out.bit(ifUnused);
            out.bit(noWait);
        }
    }

    /** exchange.delete-ok. It is gone. */
    record DeleteOk() implements ExchangeMethod {
        @Override
        public int methodId() {
            return 21;
        }

        @Override
        public void write(FieldWriter out) {}
    }

    /** exchange.bind. Binds an exchange to a source. */
    record Bind(String destination, String source, String routingKey, boolean noWait, FieldTable arguments)
            implements ExchangeMethod {
        static Bind read(FieldReader in) {
            in.shortUint();
            return new Bind(in.shortString(), in.shortString(), in.shortString(), in.bit(), in.table());
        }

        @Override
        public int methodId() {
            return 30;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(0);
            out.shortString(destination);
            out.shortString(source);
            out.shortString(routingKey);
            out.bit(noWait);
            out.table(arguments);
        }
    }

    /** exchange.bind-ok. It is bound. */
    record BindOk() implements ExchangeMethod {
        @Override
        public int methodId() {
            return 31;
        }

        @Override
        public void write(FieldWriter out) {}
    }

    /** exchange.unbind. Removes such a binding. */
    record Unbind(String destination, String source, String routingKey, boolean noWait, FieldTable arguments)
            implements ExchangeMethod {
        static Unbind read(FieldReader in) {
            in.shortUint();
            return new Unbind(in.shortString(), in.shortString(), in.shortString(), in.bit(), in.table());
        }

        @Override
        public int methodId() {
            return 40;
        }

        @Override
        public void write(FieldWriter out) {
            out.shortUint(0);
            out.shortString(destination);
            out.shortString(source);
            out.shortString(routingKey);
            out.bit(noWait);
            out.table(arguments);
        }
    }

    /** exchange.unbind-ok. The binding is gone; 51 is what clients and brokers agree on. */
    record UnbindOk() implements ExchangeMethod {
        @Override
        public int methodId() {
            return 51;
        }

        @Override
        public void write(FieldWriter out) {}
    }
}
