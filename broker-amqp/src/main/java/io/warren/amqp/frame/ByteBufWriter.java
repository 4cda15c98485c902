package io.warren.amqp.frame;

import io.netty.buffer.ByteBuf;
import io.warren.amqp.content.FieldTableCodec;
import io.warren.amqp.content.Strings;
import io.warren.amqp.method.FieldWriter;
import io.warren.core.message.FieldTable;
import java.nio.ByteBuffer;

/** Writes a method's arguments to a buffer, up to eight bits into one octet. */
final class ByteBufWriter implements FieldWriter {

    private static final int BITS_PER_OCTET = 8;

    private ByteBuf out;
    private int bits;
    private int bitsUsed;

    ByteBufWriter(ByteBuf out) {
        this.out = out;
    }

    /** Starts anew with another buffer. */
    ByteBufWriter to(ByteBuf buffer) {
        out = buffer;
        bits = 0;
        bitsUsed = 0;
        return this;
    }

    private ByteBuf aligned() {
        bits = 0;
        bitsUsed = 0;
        return out;
    }

    @Override
    public void bit(boolean value) {
        if (bitsUsed == 0 || bitsUsed == BITS_PER_OCTET) {
            aligned().writeByte(0);
        }
        bits |= (value ? 1 : 0) << bitsUsed++;
        out.setByte(out.writerIndex() - 1, bits);
    }

    @Override
    public void octet(int value) {
        aligned().writeByte(value);
    }

    @Override
    public void shortUint(int value) {
        aligned().writeShort(value);
    }

    @Override
    public void longUint(long value) {
        aligned().writeInt((int) value);
    }

    @Override
    public void longLong(long value) {
        aligned().writeLong(value);
    }

    @Override
    public void shortString(String value) {
        Strings.writeShort(aligned(), value);
    }

    @Override
    public void longString(ByteBuffer value) {
        aligned().writeInt(value.remaining()).writeBytes(value.duplicate());
    }

    @Override
    public void table(FieldTable value) {
        FieldTableCodec.write(aligned(), value);
    }
}
