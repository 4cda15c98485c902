package io.warren.mirroring.link.tcp;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Payloads that are texts. */
final class Texts implements PayloadCodec<String> {
    @Override
    public void write(String payload, ByteBuf out) {
        out.writeCharSequence(payload, StandardCharsets.UTF_8);
    }

    @Override
    public String read(ByteBuf in) {
        return in.readCharSequence(in.readableBytes(), StandardCharsets.UTF_8).toString();
    }
}
