package io.warren.amqp.method;

import org.jspecify.annotations.Nullable;

/** A method of AMQP 0-9-1, or of RabbitMQ's extensions: a value with the order of its fields on the wire. */
public sealed interface Method
        permits ConnectionMethod,
                ChannelMethod,
                AccessMethod,
                ExchangeMethod,
                QueueMethod,
                BasicMethod,
                ConfirmMethod,
                TxMethod {

    /** The class on the wire. */
    int classId();

    /** The method within its class. */
    int methodId();

    /** Writes the arguments. */
    void write(FieldWriter out);

    /** Whether a content header and a body follow. */
    default boolean hasContent() {
        return false;
    }

    /** Reads the arguments of a method, or answers null for ids nobody knows. */
    static @Nullable Method read(int classId, int methodId, FieldReader in) {
        return switch (classId) {
            case ConnectionMethod.CLASS_ID -> ConnectionMethod.read(methodId, in);
            case ChannelMethod.CLASS_ID -> ChannelMethod.read(methodId, in);
            case AccessMethod.CLASS_ID -> AccessMethod.read(methodId, in);
            case ExchangeMethod.CLASS_ID -> ExchangeMethod.read(methodId, in);
            case QueueMethod.CLASS_ID -> QueueMethod.read(methodId, in);
            case BasicMethod.CLASS_ID -> BasicMethod.read(methodId, in);
            case ConfirmMethod.CLASS_ID -> ConfirmMethod.read(methodId, in);
            case TxMethod.CLASS_ID -> TxMethod.read(methodId, in);
            default -> null;
        };
    }
}
