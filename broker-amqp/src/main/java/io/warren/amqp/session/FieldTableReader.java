package io.warren.amqp.session;

import io.warren.core.message.FieldTable;
import java.nio.ByteBuffer;

/** Reads the fields of a table that comes without its length, as AMQPLAIN sends it. */
public interface FieldTableReader {

    /**
     * The fields as a table.
     *
     * @throws io.warren.core.error.AmqpException if the bytes are none
     */
    FieldTable read(ByteBuffer fields);
}
