package io.warren.mirroring.cluster;

import io.netty.buffer.ByteBuf;
import io.warren.mirroring.link.tcp.PayloadCodec;

/** A payload that is bytes already. */
final class BytesCodec implements PayloadCodec<byte[]> {
    @Override
    public void write(byte[] payload, ByteBuf out) {
        out.writeBytes(payload);
    }

    @Override
    public byte[] read(ByteBuf in) {
        byte[] payload = new byte[in.readableBytes()];
        in.readBytes(payload);
        return payload;
    }
}
