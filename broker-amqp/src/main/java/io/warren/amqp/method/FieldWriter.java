package io.warren.amqp.method;

import io.warren.core.message.FieldTable;
import java.nio.ByteBuffer;

/** Takes the arguments of a method in the order they go; consecutive bits share octets. */
public interface FieldWriter {

    void bit(boolean value);

    void octet(int value);

    void shortUint(int value);

    void longUint(long value);

    void longLong(long value);

    void shortString(String value);

    void longString(ByteBuffer value);

    void table(FieldTable value);
}
