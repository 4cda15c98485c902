package io.warren.amqp.method;

import io.warren.core.message.FieldTable;
import java.nio.ByteBuffer;

/** The arguments of a method in the order they come; consecutive bits share octets. */
public interface FieldReader {

    boolean bit();

    int octet();

    int shortUint();

    long longUint();

    long longLong();

    String shortString();

    /** A short string that a peer is likely to send again: equal ones may be the same object. */
    String recurringString();

    /** A long string's bytes, read-only. */
    ByteBuffer longString();

    FieldTable table();
}
