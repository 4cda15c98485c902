package io.warren.amqp.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.warren.amqp.content.FieldTableCodec;
import io.warren.amqp.content.Strings;
import io.warren.amqp.method.FieldReader;
import io.warren.core.message.FieldTable;
import java.nio.ByteBuffer;

/** Reads a method's arguments from a buffer, up to eight bits out of one octet. */
final class ByteBufReader implements FieldReader {

    private static final int BITS_PER_OCTET = 8;

    private ByteBuf in;
    private int bits;
    private int bitsUsed = BITS_PER_OCTET;
    private final RecentStrings recent = new RecentStrings();

    ByteBufReader(ByteBuf in) {
        this.in = in;
    }

    /** Starts anew with another buffer. */
    ByteBufReader from(ByteBuf buffer) {
        in = buffer;
        bitsUsed = BITS_PER_OCTET;
        return this;
    }

    private ByteBuf aligned() {
        bitsUsed = BITS_PER_OCTET;
        return in;
    }

    @Override
    public boolean bit() {
        if (bitsUsed == BITS_PER_OCTET) {
            bits = in.readUnsignedByte();
            bitsUsed = 0;
        }
        return (bits >> bitsUsed++ & 1) == 1;
    }

    @Override
    public int octet() {
        return aligned().readUnsignedByte();
    }

    @Override
    public int shortUint() {
        return aligned().readUnsignedShort();
    }

    @Override
    public long longUint() {
        return aligned().readUnsignedInt();
    }

    @Override
    public long longLong() {
        return aligned().readLong();
    }

    @Override
    public String shortString() {
        return Strings.readShort(aligned());
    }

    @Override
    public String recurringString() {
        return recent.readShort(aligned());
    }

    @Override
    public ByteBuffer longString() {
        long bytes = aligned().readUnsignedInt();
        if (bytes > in.readableBytes()) {
            throw new IndexOutOfBoundsException("bytes=" + bytes + " readable=" + in.readableBytes());
        }
        return ByteBuffer.wrap(ByteBufUtil.getBytes(in.readSlice((int) bytes))).asReadOnlyBuffer();
    }

    @Override
    public FieldTable table() {
        return FieldTableCodec.read(aligned());
    }
}
